//! `/instance-storage/instances`.

use reqwest::Method;
use serde_json::json;

use super::{INSTANCES, NOWHERE, Shelf, an_instance, id, post};

#[tokio::test]
async fn an_instance_is_completed() {
    let shelf = Shelf::new().await;
    let mut body = an_instance("Tunnels");
    body["notes"] = json!([{"note": "maps in pocket"}]);
    body["tags"] = json!({"tagList": ["urgent", " "]});
    let instance = post(&shelf.client, INSTANCES, body).await;
    assert_eq!(instance["hrid"], "in00000000002");
    for property in ["previouslyHeld", "discoverySuppress", "deleted"] {
        assert_eq!(instance[property], false, "{property}");
    }
    assert_eq!(instance["notes"][0]["staffOnly"], false);
    assert_eq!(instance["languages"], json!([]));
    assert_eq!(instance["tags"]["tagList"], json!(["urgent"]));
    assert!(instance["statusUpdatedDate"].is_string());
}

#[tokio::test]
async fn refusals_are_plain_text() {
    let shelf = Shelf::new().await;
    let mut body = an_instance("Tunnels");
    body["instanceTypeId"] = json!(NOWHERE);
    let answer = shelf.client.post(INSTANCES, &body).await.expect(400);
    assert_eq!(
        answer.text,
        format!(
            "Cannot set instance.instancetypeid = {NOWHERE} because it does not exist in \
             instance_type.id."
        )
    );
    let mut body = an_instance("Tunnels");
    body["hrid"] = json!("in00000000001");
    let answer = shelf.client.post(INSTANCES, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "HRID value already exists in table instance: in00000000001"
    );

    let instance = shelf.read(INSTANCES, &shelf.instance).await;
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let mut body = instance.clone();
    body["hrid"] = json!("in9");
    let answer = shelf.client.put(&path, &body).await.expect(400);
    assert_eq!(
        answer.text,
        "The hrid field cannot be changed: new=in9, old=in00000000001"
    );
    let _ = shelf.client.put(&path, &instance).await.expect(204);
    let _ = shelf.client.put(&path, &instance).await.expect(409);
    let nowhere = format!("{INSTANCES}/{NOWHERE}");
    let _ = shelf.client.put(&nowhere, &instance).await.expect(404);
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let shelf = Shelf::new().await;
    let path = format!("{INSTANCES}/{}", shelf.instance);
    let patch = json!({"id": shelf.instance, "_version": 1, "editions": ["2nd"]});
    let send = |patch: &serde_json::Value| {
        shelf
            .client
            .send(shelf.client.request(Method::PATCH, &path).json(patch))
    };
    let _ = send(&patch).await.expect(204);
    let instance = shelf.read(INSTANCES, &shelf.instance).await;
    assert_eq!(instance["editions"], json!(["2nd"]));
    assert_eq!(instance["title"], "Bridges of the north");
    let _ = send(&patch).await.expect(409);
    let _ = send(&json!({"_version": 2, "colour": "red"}))
        .await
        .expect(422);
    assert_eq!(id(&instance), shelf.instance);
}
