//! How long texts may be, and how many types there may be.

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{LINKS, USER, general, note};
use octavo_server_testkit::library;

#[tokio::test]
async fn texts_that_are_too_long_are_refused_by_name() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let fits = json!({"typeId": type_id, "title": "é".repeat(255), "domain": "d".repeat(100),
                      "links": [{"id": "i".repeat(255), "type": "t".repeat(255)}]});
    let stored = client.post("/notes", &fits).await.expect(201).json();
    let path = format!("/notes/{}", stored["id"].as_str().expect("an id"));
    for (pointer, value, name) in [
        ("/title", "é".repeat(256), "title"),
        ("/domain", "d".repeat(101), "domain"),
        ("/links/0/id", "i".repeat(256), "links[0].id"),
        ("/links/0/type", "t".repeat(256), "links[0].type"),
    ] {
        let mut long = fits.clone();
        *long.pointer_mut(pointer).expect("a property") = json!(value);
        for answer in [
            client.post("/notes", &long).await,
            client.put(&path, &long).await,
        ] {
            let error = &answer.expect(422).json()["errors"][0];
            assert_eq!(error["code"], "VALIDATION_ERROR");
            let message = error["message"].as_str().expect("a text");
            let start = format!("{name}: size must be between 0 and ");
            assert!(message.starts_with(&start), "{message}");
        }
    }
    for name in ["n".repeat(256), " ".to_owned()] {
        let answer = client.post("/note-types", &json!({ "name": name })).await;
        let error = answer.expect(422).json();
        let message = error["errors"][0]["message"].as_str().expect("a text");
        assert!(message.starts_with("name: "), "{message}");
    }
    let nameless = client.post("/note-types", &json!({})).await.expect(422);
    assert_eq!(nameless.json()["errors"][0]["code"], "VALIDATION_ERROR");
}

#[tokio::test]
async fn of_many_types_made_at_once_none_is_too_many() {
    let library = library().await;
    let client = library.client().await;
    let _ = general(&client).await;
    let all = (0..40).map(|number| {
        let client = client.clone();
        let body = json!({"name": format!("Type {number}")});
        async move { client.post("/note-types", &body).await.status }
    });
    let statuses = all.collect::<JoinSet<_>>().join_all().await;
    let made = statuses.iter().filter(|status| **status == 201).count();
    assert_eq!(made, 24, "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, 201 | 422)));
    let refused = client.post("/note-types", &json!({"name": "More"})).await;
    assert_eq!(
        refused.expect(422).json(),
        json!({"errors": [{"message": "Maximum number of note types allowed is 25",
                           "type": "-1", "code": "VALIDATION_ERROR"}]})
    );
    // A library says otherwise in its configuration.
    let entry = json!({"module": "NOTES", "configName": "note-type-limit", "value": "26"});
    let _ = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
    let _ = client
        .post("/note-types", &json!({"name": "More"}))
        .await
        .expect(201);
    let refused = client.post("/note-types", &json!({"name": "Most"})).await;
    let refused = refused.expect(422).json();
    assert_eq!(
        refused["errors"][0]["message"],
        "Maximum number of note types allowed is 26"
    );
    let types = client.get("/note-types").await.expect(200).json();
    assert_eq!(types["totalRecords"], 26);
}

#[tokio::test]
async fn types_can_be_renamed_and_deleted_when_nothing_uses_them() {
    let library = library().await;
    let client = library.client().await;
    let answer = client
        .post("/note-types", &json!({"name": "Urgent"}))
        .await
        .expect(201);
    let made = answer.json();
    let path = format!("/note-types/{}", made["id"].as_str().expect("an id"));
    assert_eq!(answer.header("location"), Some(path.as_str()));
    let id = made["id"].as_str().expect("an id");
    let stored = note(&client, id, "A", json!([{"id": USER, "type": "user"}])).await;
    let _ = client
        .put(&path, &json!({"name": "Very urgent"}))
        .await
        .expect(204);
    // Notes show the new name at once.
    let note_path = format!("/notes/{}", stored["id"].as_str().expect("an id"));
    let read = client.get(&note_path).await.expect(200).json();
    assert_eq!(read["type"], "Very urgent");
    let taken = client.put(&path, &json!({"name": "General note"})).await;
    assert_eq!(taken.status, 422);
    let refused = client.delete(&path).await.expect(422).json();
    let message = refused["errors"][0]["message"].as_str().expect("a text");
    assert!(message.contains("is still referenced from table \"note\""));
    let _ = client.delete(&note_path).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let gone = client.get(&path).await.expect(404).json();
    assert_eq!(
        gone["errors"][0]["message"],
        format!("Note type with ID [{id}] was not found")
    );
    let sorted = client
        .get("/note-types?query=cql.allRecords=1%20sortby%20name&limit=500")
        .await
        .expect(200)
        .json();
    assert_eq!(sorted["totalRecords"], 1);
}

#[tokio::test]
async fn a_page_of_a_records_notes_has_a_thousand_at_most() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let first = note(
        &client,
        &type_id,
        "Note 0",
        json!([{"id": USER, "type": "user"}]),
    )
    .await;
    library
        .platform
        .store
        .database
        .execute(
            "INSERT INTO tenant_diku.note (id, jsonb)
             SELECT more.id, note.jsonb || jsonb_build_object('id', more.id)
             FROM tenant_diku.note, (SELECT gen_random_uuid() AS id
               FROM generate_series(1, 1100)) AS more",
            &[],
        )
        .await
        .expect("more notes");
    let path = format!("{LINKS}?limit=100000&orderBy=updatedDate&order=desc&status=assigned");
    let page: Value = client.get(&path).await.expect(200).json();
    assert_eq!(page["notes"].as_array().map(Vec::len), Some(1_000));
    assert_eq!(page["totalRecords"], 1_101);
    assert!(first["id"].is_string());
}
