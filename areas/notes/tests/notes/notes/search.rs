//! Notes found by what mod-notes' CQL knows, and by what people read in them.

use serde_json::json;

use super::{LINKS, USER, general, note, titles};
use octavo_server_testkit::library;

#[tokio::test]
async fn notes_are_found_by_the_fields_that_cql_has() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let other = client
        .post("/note-types", &json!({"name": "Urgent matters"}))
        .await
        .expect(201)
        .json();
    let urgent = other["id"].as_str().expect("an id");
    let mine = json!([{"id": USER, "type": "user"}]);
    let first = note(&client, &type_id, "Alpha", mine).await;
    let _ = note(
        &client,
        urgent,
        "Beta",
        json!([{"id": "12-111", "type": "package"}]),
    )
    .await;
    let author = first["metadata"]["createdByUserId"].as_str().expect("one");
    for (query, found) in [
        (format!("type.id==\"{urgent}\""), "Beta"),
        ("type.name==\"Urgent matters\"".to_owned(), "Beta"),
        ("type.name=urgent".to_owned(), "Beta"),
        ("links.objectId=12-111".to_owned(), "Beta"),
        ("links.objectType=user".to_owned(), "Alpha"),
        ("content=\"alpha in full\"".to_owned(), "Alpha"),
        ("title==\"alp*\"".to_owned(), "Alpha"),
        (format!("createdBy=={author} and title=beta"), "Beta"),
        (
            format!("updatedBy={author} not domain==x not title=beta"),
            "Alpha",
        ),
        (
            "domain=users sortBy title/sort.descending".to_owned(),
            "Beta Alpha",
        ),
    ] {
        let page = client.query("/notes", &query).await.expect(200).json();
        assert_eq!(titles(&page).join(" "), found, "{query}");
    }
    let wrong = client.query("/notes", "title and").await.expect(422).json();
    assert_eq!(wrong["errors"][0]["code"], "VALIDATION_ERROR");
}

#[tokio::test]
async fn a_search_looks_into_what_is_read_and_not_into_markup() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let body = json!({"typeId": type_id, "title": "Lost", "domain": "users",
                      "content": "<p class=\"strange\">in the <em>read</em>ing\nroom</p>",
                      "links": [{"id": USER, "type": "user"}]});
    let _ = client.post("/notes", &body).await.expect(201);
    for (search, number) in [
        ("reading%20room", 1),
        ("LOST%20in%20the", 1),
        ("strange", 0),
        ("class", 0),
        ("%3Cem%3E", 0),
        ("_", 0),
        ("", 1),
    ] {
        let path = format!("{LINKS}?search={search}");
        let page = client.get(&path).await.expect(200).json();
        assert_eq!(page["totalRecords"], number, "{search}");
    }
}
