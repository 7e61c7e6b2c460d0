//! What a note holds when it was stored, and who wrote it.

use serde_json::{Value, json};

use super::{USER, general};
use octavo_server_testkit::library;

fn body(type_id: &str, more: Value) -> Value {
    let mut note = json!({"typeId": type_id, "title": "T", "domain": "users",
                          "links": [{"id": USER, "type": "user"}]});
    for (name, value) in more.as_object().expect("properties") {
        note[name] = value.clone();
    }
    note
}

#[tokio::test]
async fn markup_that_notes_may_not_hold_is_taken_out() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let content = "<p onclick=\"x()\">Owes <strong>5</strong><script>alert(1)</script> \
                   <a href=\"javascript:x()\">here</a> & there<img src=x onerror=y>";
    let clean = "<p>Owes <strong>5</strong> <a>here</a> &amp; there</p>";
    let sent = body(&type_id, json!({ "content": content }));
    let answer = client.post("/notes", &sent).await.expect(201);
    let stored = answer.json();
    assert_eq!(stored["content"], clean);
    let path = format!("/notes/{}", stored["id"].as_str().expect("an id"));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    let _ = client.put(&path, &sent).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["content"], clean);
    // What is shown once more is stored the same.
    let _ = client.put(&path, &read).await.expect(204);
    let again = client.get(&path).await.expect(200).json();
    assert_eq!(again["content"], clean);
}

#[tokio::test]
async fn pop_ups_are_off_unless_they_are_asked_for() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let quiet = client
        .post("/notes", &body(&type_id, json!({})))
        .await
        .expect(201)
        .json();
    assert_eq!(quiet["popUpOnCheckOut"], false);
    assert_eq!(quiet["popUpOnUser"], false);
    let loud = json!({"popUpOnCheckOut": true, "popUpOnUser": "true"});
    let loud = client
        .post("/notes", &body(&type_id, loud))
        .await
        .expect(201)
        .json();
    assert_eq!(loud["popUpOnCheckOut"], true);
    assert_eq!(loud["popUpOnUser"], true);
}

#[tokio::test]
async fn a_note_by_itself_names_who_wrote_and_changed_it() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let stored = client
        .post("/notes", &body(&type_id, json!({})))
        .await
        .expect(201)
        .json();
    let metadata = &stored["metadata"];
    assert_eq!(metadata["createdByUsername"], "diku_admin");
    assert_eq!(metadata["createdBy"]["lastName"], "ADMINISTRATOR");
    assert_eq!(metadata["createdBy"].get("middleName"), None);
    assert_eq!(metadata["updatedByUsername"], "diku_admin");
    assert_eq!(metadata["updatedBy"]["firstName"], "DIKU");
    // A list does not, and the names are not stored.
    let listed = client.get("/notes").await.expect(200).json();
    assert!(listed["notes"][0]["metadata"]["createdByUserId"].is_string());
    assert_eq!(
        listed["notes"][0]["metadata"].get("createdByUsername"),
        None
    );
    // Who was deleted has no name any more.
    let path = format!("/notes/{}", stored["id"].as_str().expect("an id"));
    library
        .platform
        .store
        .database
        .execute(
            "UPDATE tenant_diku.note SET jsonb = jsonb_set(jsonb, '{metadata,updatedByUserId}',
               to_jsonb($1::text))",
            &[&USER],
        )
        .await
        .expect("the note is changed");
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["metadata"]["createdByUsername"], "diku_admin");
    assert_eq!(read["metadata"].get("updatedByUsername"), None);
    assert_eq!(read["metadata"]["updatedByUserId"], USER);
}
