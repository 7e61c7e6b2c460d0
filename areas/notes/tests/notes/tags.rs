//! Tags over HTTP.

use serde_json::{Value, json};
use tokio::task::JoinSet;
use uuid::Uuid;

use octavo_server_testkit::library;

fn labels(page: &Value) -> Vec<&str> {
    let tags = page["tags"].as_array().expect("tags").iter();
    tags.filter_map(|tag| tag["label"].as_str()).collect()
}

#[tokio::test]
async fn a_library_starts_with_two_tags_and_adds_its_own() {
    let library = library().await;
    let client = library.client().await;
    let sorted = "/tags?query=cql.allRecords=1%20sortby%20label&limit=10000";
    let page = client.get(sorted).await.expect(200).json();
    assert_eq!(labels(&page), ["important", "urgent"]);
    assert_eq!(page["totalRecords"], 2);
    // The id is given here.
    let given = Uuid::from_u128(7);
    let sent = json!({"id": given, "label": "Known", "description": "d"});
    let answer = client.post("/tags", &sent).await.expect(201);
    let stored = answer.json();
    let id = stored["id"].as_str().expect("an id");
    assert_ne!(id, given.to_string());
    let path = format!("/tags/{id}");
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert!(stored["metadata"]["createdDate"].is_string());
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    assert_eq!(
        labels(&client.get(sorted).await.expect(200).json()),
        ["important", "Known", "urgent"]
    );
    let changed = json!({"id": given, "label": "Renamed"});
    let _ = client.put(&path, &changed).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(
        (&read["label"], &read["id"]),
        (&json!("Renamed"), &json!(id))
    );
    assert_eq!(read.get("description"), None);
    for query in ["label==renamed", "label=renamed", "label=\"ren*\""] {
        let found = client.query("/tags", query).await.expect(200).json();
        assert_eq!(labels(&found), ["Renamed"], "{query}");
    }
    let _ = client.delete(&path).await.expect(204);
    for gone in [
        client.get(&path).await,
        client.put(&path, &changed).await,
        client.delete(&path).await,
    ] {
        let error = gone.expect(404).json()["errors"][0].clone();
        assert_eq!(error["code"], "NOT_FOUND_ERROR");
        assert_eq!(
            error["message"],
            format!("Tag with id [{id}] was not found")
        );
    }
}

#[tokio::test]
async fn labels_are_unique_as_they_are_written() {
    let library = library().await;
    let client = library.client().await;
    let taken = client
        .post("/tags", &json!({"label": "urgent"}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        taken["errors"][0],
        json!({"message": "Key (label)=(urgent) already exists.", "type": "-1",
               "code": "VALIDATION_ERROR"})
    );
    let other = client
        .post("/tags", &json!({"label": "Urgent"}))
        .await
        .expect(201)
        .json();
    let path = format!("/tags/{}", other["id"].as_str().expect("an id"));
    assert_eq!(
        client.put(&path, &json!({"label": "urgent"})).await.status,
        422
    );
    let all = (0..8).map(|_| {
        let client = client.clone();
        async move { client.post("/tags", &json!({"label": "new"})).await.status }
    });
    let mut statuses = all.collect::<JoinSet<_>>().join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422, 422, 422]);
}

#[tokio::test]
async fn what_is_wrong_with_a_tag_is_said_in_mod_tags_form() {
    let library = library().await;
    let client = library.client().await;
    for (body, start) in [
        (json!({}), "label: must not be null"),
        (json!({"label": "x".repeat(256)}), "label: size must be"),
        (
            json!({"label": "x", "description": "x".repeat(256)}),
            "description: size must be",
        ),
    ] {
        let error = client.post("/tags", &body).await.expect(422).json();
        let message = error["errors"][0]["message"].as_str().expect("a text");
        assert!(message.starts_with(start), "{message}");
        assert_eq!(error["errors"][0]["code"], "VALIDATION_ERROR");
    }
    for wrong in [
        "/tags?limit=0",
        "/tags?offset=x",
        "/tags?query=label%20and",
        "/tags/7",
    ] {
        let error = client.get(wrong).await.expect(422).json();
        assert_eq!(error["errors"][0]["code"], "VALIDATION_ERROR", "{wrong}");
    }
}
