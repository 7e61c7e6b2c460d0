//! Disguised paths: none is routed to anything but its literal path, and none bypasses a
//! permission.

use octavo_testkit::Client;

use super::hasty_library;
use super::raw::exchange;
use octavo_server_testkit::reader;

/// Variants of one path that a lenient server would normalize.
const DISGUISES: [&str; 36] = [
    "//users",
    "/users//",
    "/./users",
    "/users/.",
    "/users/./",
    "/_/../users",
    "/_/version/../../users",
    "/material-types/../users",
    "/material-types/..;/users",
    "/users;a=b",
    "/users/;a=b",
    "/;a=b/users",
    "/users%2f",
    "/users%2F7212ba6a-8dcf-45a1-be9a-ffaa847c4423",
    "/%2fusers",
    "/%2e/users",
    "/%2e%2e/users",
    "/_/%2e%2e/users",
    "/_/version%2f..%2f..%2fusers",
    "/_%2f..%2fusers",
    "/%75sers",
    "/user%73",
    "/USERS",
    "/Users",
    "/users%00",
    "/users%00.json",
    "/users%20",
    "/users%0d%0aX-Okapi-Tenant:%20other",
    "/users\\",
    "/_\\..\\users",
    "/users.json",
    "/users/%2e%2e/users",
    "/users%3fquery=x",
    "/%252e%252e/users",
    "/%c0%ae%c0%ae/users",
    "/\u{2025}/users",
];

fn request(client: &Client, target: &str) -> String {
    format!(
        "GET {target} HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\nX-Okapi-Token: {}\r\n\
         Connection: close\r\n\r\n",
        client.token.as_deref().unwrap_or_default()
    )
}

#[tokio::test]
async fn a_path_in_disguise_leads_nowhere_else() {
    let library = hasty_library().await;
    let admin = library.client().await;
    let (nobody, _) = reader(&library, &admin).await;
    let stranger = library.stranger();
    let plain = exchange(library.address, request(&admin, "/users")).await;
    assert_eq!(plain[0].status, 200);
    // The one liberty that FOLIO's clients take.
    let slash = exchange(library.address, request(&admin, "/users/")).await;
    assert_eq!(slash[0].body, plain[0].body);
    for disguise in DISGUISES {
        for client in [&admin, &nobody, &stranger] {
            let answers = exchange(library.address, request(client, disguise)).await;
            let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
            // A disguise of a single segment may be taken for an id, which then is not found.
            let allowed = matches!(statuses[..], [] | [400] | [401] | [403] | [404]);
            assert!(allowed, "{disguise}: {answers:?}");
        }
    }
}

#[tokio::test]
async fn a_target_with_a_host_is_the_path_behind_it() {
    let library = hasty_library().await;
    let admin = library.client().await;
    let (nobody, _) = reader(&library, &admin).await;
    for (target, status) in [
        ("http://elsewhere/users", 200),
        ("http://elsewhere/_/../users", 404),
        ("https://user:password@elsewhere:1/users?limit=0", 200),
        ("http://elsewhere", 404),
        ("*", 404),
        ("elsewhere:443", 404),
        ("file:///users", 200),
    ] {
        let answers = exchange(library.address, request(&admin, target)).await;
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert!(
            statuses == [status] || statuses == [400],
            "{target}: {statuses:?}"
        );
        if status == 200 {
            let answers = exchange(library.address, request(&nobody, target)).await;
            assert!(matches!(answers[0].status, 400 | 403), "{target}");
        }
    }
    // The server is not a proxy.
    let connect = "CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\n\r\n";
    let answers = exchange(library.address, connect).await;
    assert!(matches!(answers[0].status, 400 | 404), "{answers:?}");
}

#[tokio::test]
async fn a_segment_is_decoded_once_and_is_a_value() {
    let library = hasty_library().await;
    let admin = library.client().await;
    for (segment, status) in [
        ("..%2f..%2f_%2fversion", 400),
        ("%252e", 400),
        ("%00", 404),
        ("7212ba6a-8dcf-45a1-be9a-ffaa847c4423%00", 404),
        ("%2f", 400),
        ("%", 400),
        ("%f", 400),
        ("%zz", 400),
        ("%ff", 404),
        ("7212ba6a-8dcf-45a1-be9a-ffaa847c4423", 404),
        ("7212BA6A-8DCF-45A1-BE9A-FFAA847C4423", 404),
        ("{7212ba6a-8dcf-45a1-be9a-ffaa847c4423}", 400),
        ("%7bid%7d", 400),
    ] {
        let answers = exchange(
            library.address,
            request(&admin, &format!("/material-types/{segment}")),
        )
        .await;
        let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
        assert_eq!(statuses, [status], "{segment}: {answers:?}");
    }
}

#[tokio::test]
async fn a_method_in_disguise_is_another_method() {
    let library = hasty_library().await;
    let admin = library.client().await;
    let (nobody, _) = reader(&library, &admin).await;
    for method in ["get", "Get", "HEAD", "TRACE", "PROPFIND", "GETT", "QUERY"] {
        let with = |client: &Client| {
            let more = "X-HTTP-Method-Override: GET\r\nX-HTTP-Method: GET\r\n\r\n";
            let request = request(client, "/users").replacen("GET", method, 1);
            request.replacen("\r\n\r\n", &format!("\r\n{more}"), 1)
        };
        for client in [&admin, &nobody] {
            let answers = exchange(library.address, with(client)).await;
            assert!(
                matches!(answers[0].status, 400 | 404 | 405),
                "{method}: {answers:?}"
            );
        }
    }
}
