//! Notes, their types, and the records they are linked to.

mod content;
mod limits;
mod search;

use octavo_testkit::Client;
use serde_json::{Value, json};

use octavo_server_testkit::library;

const USER: &str = "11111111-1111-4111-8111-111111111111";
const LINKS: &str = "/note-links/domain/users/type/user/id/11111111-1111-4111-8111-111111111111";

async fn general(client: &Client) -> String {
    let types = client.get("/note-types").await.expect(200).json();
    assert_eq!(types["totalRecords"], 1);
    assert_eq!(types["noteTypes"][0]["usage"]["isAssigned"], false);
    types["noteTypes"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned()
}

async fn note(client: &Client, type_id: &str, title: &str, links: Value) -> Value {
    let content = format!("<p>{title} in full</p>");
    let body = json!({"typeId": type_id, "title": title, "domain": "users", "content": content,
                      "links": links, "type": "not for clients to say"});
    client.post("/notes", &body).await.expect(201).json()
}

fn titles(page: &Value) -> Vec<&str> {
    let notes = page["notes"].as_array().expect("notes");
    notes
        .iter()
        .filter_map(|note| note["title"].as_str())
        .collect()
}

#[tokio::test]
async fn notes_carry_the_name_of_their_type() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let stored = note(
        &client,
        &type_id,
        "Owes a book",
        json!([{"id": USER, "type": "user"}]),
    )
    .await;
    assert_eq!(stored["type"], "General note");
    let path = format!("/notes/{}", stored["id"].as_str().expect("an id"));
    assert_eq!(client.get(&path).await.expect(200).json(), stored);
    let listed = client
        .query("/notes", "title=owes")
        .await
        .expect(200)
        .json();
    // A list names nobody.
    let mut without_names = stored.clone();
    without_names["metadata"] = listed["notes"][0]["metadata"].clone();
    assert_eq!(listed["notes"][0], without_names);

    let mut changed = stored.clone();
    changed["title"] = json!("Owes two books");
    let _ = client.put(&path, &changed).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["title"], "Owes two books");
    assert_eq!(
        read["metadata"]["createdDate"],
        stored["metadata"]["createdDate"]
    );

    // A note without links cannot be found: it is deleted.
    changed["links"] = json!([]);
    let _ = client.put(&path, &changed).await.expect(204);
    let gone = client.get(&path).await.expect(404).json();
    assert_eq!(gone["errors"][0]["code"], "NOT_FOUND_ERROR");
    assert_eq!(client.put(&path, &stored).await.status, 404);
    assert_eq!(client.delete(&path).await.status, 404);
}

#[tokio::test]
async fn types_are_named_once_counted_and_kept_while_in_use() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let taken = client
        .post("/note-types", &json!({"name": "general NOTE"}))
        .await
        .expect(422)
        .json();
    assert_eq!(taken["errors"][0]["code"], "VALIDATION_ERROR");
    assert!(
        taken["errors"][0]["message"]
            .as_str()
            .expect("text")
            .contains("already exists")
    );
    let _ = note(
        &client,
        &type_id,
        "A",
        json!([{"id": USER, "type": "user"}]),
    )
    .await;
    let path = format!("/note-types/{type_id}");
    assert_eq!(
        client.get(&path).await.expect(200).json()["usage"]["isAssigned"],
        true
    );
    assert_eq!(client.delete(&path).await.status, 422);
    for number in 1..25 {
        let _ = client
            .post("/note-types", &json!({"name": format!("Type {number}")}))
            .await
            .expect(201);
    }
    let full = client
        .post("/note-types", &json!({"name": "Type 25"}))
        .await
        .expect(422)
        .json();
    assert_eq!(full["errors"][0]["code"], "VALIDATION_ERROR");
    assert_eq!(
        full["errors"][0]["message"],
        "Maximum number of note types allowed is 25"
    );
}

#[tokio::test]
async fn notes_are_found_by_the_record_they_are_linked_to() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let other = client
        .post("/note-types", &json!({"name": "Urgent"}))
        .await
        .expect(201)
        .json();
    let urgent = other["id"].as_str().expect("an id");
    let mine = json!([{"id": USER, "type": "user"}]);
    let _ = note(&client, &type_id, "Beta", mine.clone()).await;
    let _ = note(&client, urgent, "Álpha 100%", mine).await;
    let _ = note(
        &client,
        &type_id,
        "Gamma",
        json!([{"id": USER, "type": "item"}]),
    )
    .await;

    let page = async |parameters: &str| {
        client
            .get(&format!("{LINKS}?{parameters}"))
            .await
            .expect(200)
            .json()
    };
    // As the published check-out plan asks.
    let all = page("limit=10000&order=desc&status=assigned").await;
    assert_eq!(all["totalRecords"], 2);
    assert_eq!(all["notes"].as_array().map(Vec::len), Some(2));
    assert!(all["notes"][0]["type"].is_string());
    assert_eq!(
        titles(&page("status=assigned&orderBy=title").await),
        ["Álpha 100%", "Beta"]
    );
    assert_eq!(
        titles(&page("status=assigned&orderBy=title&order=desc").await),
        ["Beta", "Álpha 100%"]
    );
    assert_eq!(
        titles(&page("status=assigned&orderBy=noteType").await),
        ["Beta", "Álpha 100%"]
    );
    assert_eq!(
        titles(&page("status=assigned&orderBy=updatedDate").await),
        ["Álpha 100%", "Beta"]
    );
    assert_eq!(titles(&page("status=UNASSIGNED").await), ["Gamma"]);
    assert_eq!(page("").await["totalRecords"], 3);
    assert_eq!(titles(&page("search=alpha").await), ["Álpha 100%"]);
    assert_eq!(titles(&page("search=0%25").await), ["Álpha 100%"]);
    assert_eq!(titles(&page("search=5%25").await), Vec::<&str>::new());
    assert_eq!(titles(&page("search=BETA%20IN%20FULL").await), ["Beta"]);
    assert_eq!(
        titles(&page("noteType=Urgent&noteType=None").await),
        ["Álpha 100%"]
    );
    assert_eq!(
        titles(&page("orderBy=content&limit=1&offset=1").await),
        ["Beta"]
    );
    for wrong in [
        "status=lost",
        "orderBy=colour",
        "order=up",
        "limit=0",
        "limit=x",
    ] {
        let answer = client
            .get(&format!("{LINKS}?{wrong}"))
            .await
            .expect(422)
            .json();
        assert_eq!(answer["errors"][0]["code"], "VALIDATION_ERROR", "{wrong}");
    }
}

#[tokio::test]
async fn links_are_put_and_taken() {
    let library = library().await;
    let client = library.client().await;
    let type_id = general(&client).await;
    let package = json!([{"id": "123-456", "type": "package"}]);
    let kept = note(&client, &type_id, "Kept", package.clone()).await;
    let lost = note(&client, &type_id, "Lost", package).await;
    let path = "/note-links/type/user/id/u%201";
    let assign = |status: &str| json!({"notes": [{"id": kept["id"], "status": status}, {"id": USER, "status": status}]});
    for _ in 0..2 {
        let _ = client.put(path, &assign("ASSIGNED")).await.expect(204);
    }
    let found = "/note-links/domain/users/type/user/id/u%201?status=assigned";
    let page = client.get(found).await.expect(200).json();
    assert_eq!(
        page["notes"][0]["links"],
        json!([{"id": "123-456", "type": "package"}, {"id": "u 1", "type": "user"}])
    );
    let _ = client.put(path, &assign("UNASSIGNED")).await.expect(204);
    assert_eq!(
        client.get(found).await.expect(200).json()["totalRecords"],
        0
    );
    let both = json!({"notes": [{"id": lost["id"], "status": "UNASSIGNED"}]});
    let _ = client
        .put("/note-links/type/package/id/123-456", &both)
        .await
        .expect(204);
    let rest = client.get("/notes").await.expect(200).json();
    assert_eq!(titles(&rest), ["Kept"]);
    let wrong = json!({"notes": [{"id": lost["id"], "status": "MAYBE"}]});
    assert_eq!(client.put(path, &wrong).await.status, 422);
}
