//! Filters: a module that sees the requests to other modules.

use serde_json::json;

use crate::{LISTS, Module, library};

const SEEN: &str = "/request-log/seen";

#[tokio::test]
async fn a_filter_sees_requests_for_native_modules_and_for_others() {
    for phase in ["pre", "post", "auth"] {
        let library = library().await;
        let admin = library.client().await;
        let lists = Module::start(&[]);
        lists.plug_in(&admin).await;
        let filter = Module::start(&["--filter", phase]);
        filter.plug_in(&admin).await;
        let _ = admin.get("/users?limit=0").await.expect(200);
        let made = admin
            .post(LISTS, &json!({"name": "Seen"}))
            .await
            .expect(201);
        assert_eq!(made.json()["name"], "Seen");
        let group = json!({"group": format!("seen {phase}")});
        let _ = admin.post("/groups", &group).await.expect(201);
        let seen = admin.get(SEEN).await.expect(200).text;
        for path in ["/users", "/reading-lists", "/groups"] {
            assert!(seen.contains(path), "{phase}: {path} is not in {seen}");
        }
    }
}

#[tokio::test]
async fn a_filter_that_is_gone_is_not_passed_by() {
    let library = library().await;
    let admin = library.client().await;
    let mut filter = Module::start(&["--filter", "pre"]);
    filter.plug_in(&admin).await;
    let _ = admin.get("/users?limit=0").await.expect(200);
    filter.kill();
    let refused = admin.get("/users?limit=0").await.expect(500);
    assert!(
        refused
            .text
            .starts_with("proxyClient failure: mod-request-log-1.0.0")
    );
}
