//! Everything too large: refused without being stored, and the next request is served.

use futures_util::{StreamExt, stream};
use octavo_testkit::{Client, Library};
use reqwest::Method;

use super::is_fault;
use super::raw::exchange;
use octavo_server_testkit::library;

struct Desk {
    library: Library,
    client: Client,
}

impl Desk {
    async fn new() -> Desk {
        let library = library().await;
        let client = library.client().await;
        Desk { library, client }
    }

    async fn statuses(&self, target: &str, lines: &str) -> Vec<u16> {
        let token = self.client.token.as_deref().expect("a token");
        let request = format!(
            "GET {target} HTTP/1.1\r\nHost: x\r\nX-Okapi-Tenant: diku\r\n\
             X-Okapi-Token: {token}\r\nConnection: close\r\n{lines}\r\n"
        );
        let answers = exchange(self.library.address, request).await;
        let _ = self.client.get("/material-types").await.expect(200);
        answers.iter().map(|answer| answer.status).collect()
    }
}

#[tokio::test]
async fn heads_have_an_end() {
    let desk = Desk::new().await;
    let long = "x".repeat(70_000);
    let megabyte = "x".repeat(1_000_000);
    let many: String = (0..101).map(|at| format!("X-{at}: y\r\n")).collect();
    for (target, lines) in [
        (format!("/{long}"), String::new()),
        (format!("/users?query={long}"), String::new()),
        (format!("/users?query={megabyte}"), String::new()),
        (format!("/users?{}", "a&".repeat(40_000)), String::new()),
        ("/users".to_owned(), format!("X-Long: {long}\r\n")),
        ("/users".to_owned(), format!("{long}: x\r\n")),
        ("/users".to_owned(), many),
        (
            "/users".to_owned(),
            format!("Cookie: {}\r\n", "a=b; ".repeat(20_000)),
        ),
    ] {
        let shown: String = target.chars().chain(lines.chars()).take(40).collect();
        let statuses = desk.statuses(&target, &lines).await;
        // The connection may be reset while the head is still being sent.
        assert!(
            matches!(statuses[..], [] | [414] | [431]),
            "{shown}: {statuses:?}"
        );
    }
}

#[tokio::test]
async fn what_fits_into_a_head_is_answered_whatever_it_is() {
    let desk = Desk::new().await;
    let some: String = (0..80).map(|at| format!("X-{at}: y\r\n")).collect();
    for (target, lines, status) in [
        (format!("/users/{}", "x".repeat(50_000)), String::new(), 400),
        (
            format!("/users?query={}", "%28".repeat(16_000)),
            String::new(),
            400,
        ),
        (
            format!("/users?query=a%3D%22{}%22", "x".repeat(50_000)),
            String::new(),
            200,
        ),
        (
            format!("/users?{}", "query=a%3Db&".repeat(4_000)),
            String::new(),
            0,
        ),
        (
            format!("/users?limit=0{}", "&a=b".repeat(12_000)),
            String::new(),
            200,
        ),
        ("/material-types".to_owned(), some, 200),
        (
            "/material-types".to_owned(),
            format!("Cookie: {}\r\n", "a=b; ".repeat(10_000)),
            200,
        ),
    ] {
        let shown: String = target.chars().take(60).collect();
        let statuses = desk.statuses(&target, &lines).await;
        let [found] = statuses[..] else {
            panic!("{shown}: {statuses:?}");
        };
        assert!(
            found < 500 && (status == 0 || found == status),
            "{shown}: {found}"
        );
    }
}

#[tokio::test]
async fn every_body_has_an_end_of_depth_and_length() {
    let desk = Desk::new().await;
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let named = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let wide = format!("{{{}\"z\": 1}}", "\"a\": [], ".repeat(20_000));
    let query = format!(
        "{{\"query\": \"{}\", \"limit\": 1}}",
        "a=b or ".repeat(150_000)
    );
    let mut asked = Vec::new();
    let modules = desk.library.platform.registry.modules.iter();
    let interfaces = modules.flat_map(|one| &one.interfaces);
    for route in interfaces.flat_map(|one| &one.routes) {
        if ![Method::POST, Method::PUT, Method::PATCH].contains(&route.method) {
            continue;
        }
        let segment = |part: &str| match part.starts_with('{') {
            true => "7212ba6a-8dcf-45a1-be9a-ffaa847c4423".to_owned(),
            false => part.to_owned(),
        };
        let path: Vec<String> = route.pattern.split('/').map(segment).collect();
        for body in [&deep, &named, &wide, &query] {
            asked.push((route.method.clone(), path.join("/"), body));
        }
    }
    assert!(asked.len() > 600, "only {}", asked.len());
    let client = &desk.client;
    let failed: Vec<String> = stream::iter(asked)
        .map(|(method, path, body)| async move {
            let request = client.request(method.clone(), &path).body(body.clone());
            let answer = client.send(request).await;
            let fails = is_fault(answer.status, &answer.text) || answer.text.len() > 100_000;
            let shown: String = body.chars().take(12).collect();
            fails.then(|| format!("{method} {path} {shown}: {}", answer.status))
        })
        .buffer_unordered(8)
        .filter_map(|failed| async { failed })
        .collect()
        .await;
    assert!(failed.is_empty(), "{failed:#?}");
}

#[tokio::test]
async fn bodies_share_a_room() {
    let library = octavo_server_testkit::start(|| {
        let mut composition = octavo_server_testkit::composition();
        composition.limits.bodies_bytes = 3_000_000;
        composition
    })
    .await;
    let client = library.client().await;
    let post = |bytes: usize| {
        let body = format!("{{\"name\": \"{}\"}}", "x".repeat(bytes));
        client.send(client.request(Method::POST, "/material-types").body(body))
    };
    // Larger than the whole budget, even if nothing else uses it.
    let refused = post(4_000_000).await.expect(503);
    assert_eq!(refused.header("retry-after"), Some("1"));
    // The budget has been released.
    for _ in 0..5 {
        let _ = post(2_000_000).await.expect(422);
    }
}
