//! Protection against other sites' pages: listed origins, refused requests, and response headers
//! that restrict browsers.

use reqwest::Method;
use serde_json::json;

use octavo_platform::Composition;
use octavo_testkit::{PASSWORD, USERNAME};

use octavo_server_testkit::{composition, library, start};

const OURS: &str = "https://library.example.org";
const THEIRS: &str = "https://elsewhere.example.org";

fn listing() -> Composition {
    let mut composition = composition();
    composition.governance.origins.push(OURS.to_owned());
    composition
}

#[tokio::test]
async fn only_listed_origins_come_with_cookies() {
    let library = start(listing).await;
    let client = library.client().await;
    for (origin, allowed, credentials) in [(OURS, OURS, Some("true")), (THEIRS, "*", None)] {
        for method in [Method::OPTIONS, Method::GET] {
            let request = client
                .request(method, "/material-types?limit=0")
                .header("origin", origin);
            let answer = client.send(request).await;
            assert!(answer.status < 300, "{}", answer.text);
            assert_eq!(answer.header("access-control-allow-origin"), Some(allowed));
            assert_eq!(
                answer.header("access-control-allow-credentials"),
                credentials
            );
        }
    }
    let answer = client.get("/material-types?limit=0").await.expect(200);
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_cookie_alone_changes_nothing() {
    let library = library().await;
    let body = json!({"username": USERNAME, "password": PASSWORD});
    let answer = library
        .stranger()
        .post("/authn/login-with-expiry", &body)
        .await
        .expect(201);
    let cookies: Vec<String> = answer
        .headers
        .get_all("set-cookie")
        .iter()
        .filter_map(|value| value.to_str().ok()?.split(';').next().map(str::to_owned))
        .collect();
    let cookies = cookies.join("; ");
    let plain = reqwest::Client::builder()
        .no_proxy()
        .build()
        .expect("a client");
    let post = |path: &str, lines: &'static [(&'static str, &'static str)]| {
        let url = format!("http://{}{path}", library.address);
        let mut request = plain.post(url).header("cookie", &cookies);
        for (name, value) in lines {
            request = request.header(*name, *value);
        }
        let sending = request
            .body(r#"{"name": "Globe", "source": "local"}"#)
            .send();
        async { sending.await.expect("an answer").status().as_u16() }
    };
    for lines in [&[][..], &[("content-type", "text/plain")]] {
        assert_eq!(post("/material-types", lines).await, 403, "{lines:?}");
        assert_eq!(post("/authn/logout-all", lines).await, 403, "{lines:?}");
    }
    assert_eq!(
        post("/material-types", &[("content-type", "application/json")]).await,
        201
    );
    assert_eq!(
        post("/authn/refresh", &[("x-okapi-tenant", "diku")]).await,
        201
    );
}

#[tokio::test]
async fn answers_are_nobodys_to_keep() {
    let library = start(|| {
        let mut composition = listing();
        composition.governance.strict_transport = true;
        composition
    })
    .await;
    let client = library.client().await;
    for (path, status) in [
        ("/material-types", 200),
        ("/nowhere", 404),
        ("/users/x", 400),
    ] {
        let answer = client.get(path).await.expect(status);
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert_eq!(answer.header("cache-control"), Some("no-store"));
        assert_eq!(
            answer.header("strict-transport-security"),
            Some("max-age=31536000")
        );
    }
    // A response with an ETag is revalidated by it.
    let described = client.get("/_/openapi.json").await.expect(200);
    assert!(described.header("etag").is_some());
    assert_ne!(described.header("cache-control"), Some("no-store"));
}
