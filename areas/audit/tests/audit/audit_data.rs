//! `/audit-data`: what other programs tell of requests.

use octavo_server_testkit::library;
use serde_json::json;

use super::{got, made, text};

const PATH: &str = "/audit-data";

#[tokio::test]
async fn audit_data_are_kept_with_whatever_they_have() {
    let library = library().await;
    let client = library.client().await;
    let body =
        json!({"tenant": "diku", "target_id": "abc", "method": "POST", "anything": {"else": 1}});
    let stored = made(&client, PATH, &body).await;
    assert_eq!(stored["anything"]["else"], 1);
    assert!(stored["metadata"]["createdDate"].is_string());
    let one = format!("{PATH}/{}", text(&stored["id"]));
    let found = client
        .query(PATH, "target_id==abc")
        .await
        .expect(200)
        .json();
    assert_eq!(
        (found["totalRecords"].as_i64(), &found["audit"][0]["id"]),
        (Some(1), &stored["id"])
    );
    let mut changed = stored.clone();
    changed["method"] = json!("PUT");
    let _ = client.put(&one, &changed).await.expect(204);
    assert_eq!(got(&client, &one).await["method"], "PUT");
    let _ = client.delete(&one).await.expect(204);
    let _ = client.get(&one).await.expect(404);
    let _ = client
        .post(PATH, &json!({"method": "GET"}))
        .await
        .expect(422);
}
