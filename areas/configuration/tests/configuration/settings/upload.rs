//! Uploads of many settings.

use octavo_testkit::Client;
use reqwest::Method;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use super::staff;
use octavo_server_testkit::library;

const UPLOAD: &str = "/settings/upload";

async fn value(client: &Client, query: &str) -> Value {
    let page = client
        .query("/settings/entries", query)
        .await
        .expect(200)
        .json();
    assert_eq!(page["resultInfo"]["totalRecords"], 1, "{query}");
    page["items"][0]["value"].clone()
}

#[tokio::test]
async fn an_upload_makes_what_is_new_and_changes_what_is_there() {
    let library = library().await;
    let client = library.client().await;
    let user = Uuid::from_u128(5);
    let first = json!([{"scope": "s", "key": "a", "value": 1},
                       {"scope": "s", "key": "a", "value": 1, "userId": user},
                       {"scope": "s", "key": "b", "value": 1}]);
    let uploaded = client.put(UPLOAD, &first).await.expect(200).json();
    assert_eq!(uploaded, json!({"inserted": 3, "updated": 0}));
    let page = client.get("/settings/entries").await.expect(200).json();
    let id_of_a = async || {
        let query = format!("scope==s and key==a and userId=={user}");
        let page = client.query("/settings/entries", &query).await.json();
        page["items"][0]["id"].clone()
    };
    assert_eq!(page["resultInfo"]["totalRecords"], 3);
    let before = id_of_a().await;
    let second = json!([{"scope": "s", "key": "a", "value": 2, "userId": user},
                        {"scope": "s", "key": "c", "value": 2},
                        {"scope": "s", "key": "c", "value": 3},
                        {"scope": "t", "key": "a", "value": 2}]);
    let uploaded = client.put(UPLOAD, &second).await.expect(200).json();
    assert_eq!(uploaded, json!({"inserted": 2, "updated": 2}));
    assert_eq!(id_of_a().await, before);
    assert_eq!(value(&client, "scope==s and key==c").await, 3);
    assert_eq!(
        value(&client, "scope==s and key==a not userId=\"\"").await,
        1
    );
    let none = client.put(UPLOAD, &json!([])).await.expect(200).json();
    assert_eq!(none, json!({"inserted": 0, "updated": 0}));
}

#[tokio::test]
async fn what_cannot_be_stored_whole_is_not_stored_at_all() {
    let library = library().await;
    let admin = library.client().await;
    let (writer, _) = staff(&library, &admin, "writer", &["mod-settings.global.write.s"]).await;
    let with = |second: Value| json!([{"scope": "s", "key": "a", "value": 1}, second]);
    for (second, status, sentence) in [
        (
            json!({"scope": "t", "key": "b", "value": 1}),
            403,
            "Forbidden",
        ),
        (
            json!({"id": Uuid::new_v4(), "scope": "s", "key": "b"}),
            400,
            "No id must supplied for upload",
        ),
        (json!({"key": "b"}), 400, "Entry must have a scope"),
    ] {
        let answer = writer.put(UPLOAD, &with(second)).await.expect(status);
        assert_eq!(answer.text, sentence);
    }
    let long = json!({"scope": "s", "key": library_key(), "value": 1});
    assert_eq!(writer.put(UPLOAD, &with(long)).await.status, 413);
    let page = admin.get("/settings/entries").await.expect(200).json();
    assert_eq!(page["resultInfo"]["totalRecords"], 0);
    let plain = admin
        .request(Method::PUT, UPLOAD)
        .header("content-type", "text/plain")
        .body("[]");
    let answer = admin.send(plain).await.expect(400);
    assert_eq!(answer.text, "Content-Type must be application/json");
    assert_eq!(admin.put(UPLOAD, &json!({})).await.status, 400);
    let many: Vec<Value> = (0..10_001)
        .map(|at| json!({"scope": "s", "key": at.to_string()}))
        .collect();
    assert_eq!(admin.put(UPLOAD, &json!(many)).await.status, 400);
}

/// A key that no index takes, and that does not compress.
fn library_key() -> String {
    (0..400).map(|_| Uuid::new_v4().to_string()).collect()
}

#[tokio::test]
async fn uploads_of_the_same_settings_at_once_all_succeed() {
    let library = library().await;
    let client = library.client().await;
    let all = (0..8).map(|who| {
        let client = client.clone();
        async move {
            // Each in another order.
            let body: Vec<Value> = (0..50)
                .map(|at| (at * 7 + who * 11) % 50)
                .map(|key| json!({"scope": "s", "key": format!("key {key}"), "value": who}))
                .collect();
            let uploaded = client.put(UPLOAD, &json!(body)).await.expect(200).json();
            (
                uploaded["inserted"].as_u64().unwrap_or_default(),
                uploaded["updated"].as_u64().unwrap_or_default(),
            )
        }
    });
    let uploaded = all.collect::<JoinSet<_>>().join_all().await;
    let inserted: u64 = uploaded.iter().map(|one| one.0).sum();
    let updated: u64 = uploaded.iter().map(|one| one.1).sum();
    assert_eq!((inserted, updated), (50, 350));
    // One upload came last, whole.
    let page = client
        .get("/settings/entries?limit=100")
        .await
        .expect(200)
        .json();
    let items = page["items"].as_array().expect("items");
    assert_eq!(items.len(), 50);
    assert!(items.iter().all(|item| item["value"] == items[0]["value"]));
}
