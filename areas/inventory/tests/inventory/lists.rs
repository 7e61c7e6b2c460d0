//! Reference lists: which of their entries a library may change, and how other changes are refused.

use serde_json::{Value, json};

use super::{NOWHERE, Shelf, error, id, post};
use octavo_server_testkit::library;

/// Message, key and value of the one error.
fn told(body: &Value) -> (String, String, Value) {
    assert_eq!(body["errors"].as_array().map(Vec::len), Some(1), "{body}");
    let (message, key) = error(body);
    (
        message,
        key,
        body["errors"][0]["parameters"][0]["value"].clone(),
    )
}

fn of_source(message: &str, value: &str) -> (String, String, Value) {
    (message.to_owned(), "source".to_owned(), json!(value))
}

#[tokio::test]
async fn nobody_claims_a_subject_source_or_type_for_folio_or_a_consortium() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let set_to_folio = "Illegal operation: Source field cannot be set to folio";
    let folio_changed = "Illegal operation: Source folio cannot be updated";
    let changed = "Illegal operation: Source field cannot be updated at non-consortium tenant";
    let consortium =
        "Illegal operation: Source consortium cannot be applied at non-consortium tenant";
    for (path, key, missing) in [
        (
            "/subject-sources",
            "subjectSources",
            "SubjectSource was not found",
        ),
        (
            "/subject-types",
            "subjectTypes",
            "SubjectType was not found",
        ),
    ] {
        let entry = |source: &str| match path {
            "/subject-sources" => json!({"name": "House", "code": "h", "source": source}),
            _ => json!({"name": "House", "source": source}),
        };
        for (source, sentence) in [("folio", set_to_folio), ("consortium", consortium)] {
            let refused = client.post(path, &entry(source)).await.expect(422).json();
            assert_eq!(told(&refused), of_source(sentence, source));
        }
        let own = post(client, path, entry("local")).await;
        let by_id = format!("{path}/{}", id(&own));
        for (source, sentence) in [("folio", set_to_folio), ("consortium", changed)] {
            let refused = client.put(&by_id, &entry(source)).await.expect(422).json();
            assert_eq!(told(&refused), of_source(sentence, source));
        }
        let mut renamed = entry("local");
        renamed["name"] = json!("Own");
        let _ = client.put(&by_id, &renamed).await.expect(204);
        let stored = shelf.read(path, &id(&own)).await;
        assert_eq!([&stored["name"], &stored["source"]], ["Own", "local"]);

        // What came with FOLIO gets another name, and stays FOLIO's.
        let list = client.query(path, "source==folio").await.expect(200).json();
        let mut folios = list[key][0].clone();
        let of_folio = format!("{path}/{}", id(&folios));
        folios["name"] = json!("Renamed");
        let _ = client.put(&of_folio, &folios).await.expect(204);
        folios["source"] = json!("local");
        let refused = client.put(&of_folio, &folios).await.expect(422).json();
        assert_eq!(told(&refused), of_source(folio_changed, "local"));

        let nowhere = format!("{path}/{NOWHERE}");
        let answers = [
            client.put(&nowhere, &entry("local")).await,
            client.delete(&nowhere).await,
        ];
        for answer in answers {
            assert_eq!(answer.expect(404).text, missing);
        }
        let taken = client.post(path, &renamed).await.expect(422);
        assert!(taken.text.contains("already exists"), "{}", taken.text);
        let _ = client.delete(&by_id).await.expect(204);
    }
}

#[tokio::test]
async fn what_came_with_folio_is_not_changed_or_deleted() {
    let shelf = Shelf::new().await;
    let client = &shelf.client;
    let types = "/call-number-types";
    let dewey = format!("{types}/03dd64d0-5626-4ecd-8ece-4531e0069f35");
    let entry = client.get(&dewey).await.expect(200).json();
    let refused = client.put(&dewey, &entry).await.expect(400);
    assert_eq!(refused.text, "System call number type couldn't be updated");
    let refused = client.delete(&dewey).await.expect(400);
    assert_eq!(refused.text, "System call number type couldn't be deleted");
    let own = json!({"name": "By colour", "source": "local"});
    let own = post(client, types, own).await;
    let path = format!("{types}/{}", id(&own));
    let mut renamed = own.clone();
    renamed["name"] = json!("By size");
    let _ = client.put(&path, &renamed).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let _ = client.put(&path, &renamed).await.expect(404);
    assert_eq!(client.delete(&path).await.expect(404).text, "Not found");

    let sources = "/holdings-sources";
    let refused = client
        .delete(&format!("{sources}/{}", super::MARC))
        .await
        .expect(400);
    let sentence = "Holdings Records Sources with source of folio can not be deleted";
    assert_eq!(refused.text, sentence);
    for body in [
        json!({"name": "Own"}),
        json!({"name": "Other", "source": "local"}),
    ] {
        let own = post(client, sources, body).await;
        let path = format!("{sources}/{}", id(&own));
        let _ = client.put(&path, &own).await.expect(204);
        let _ = client.delete(&path).await.expect(204);
    }
}

#[tokio::test]
async fn a_holdings_type_that_is_there_already_is_told_by_folios_code() {
    let shelf = Shelf::new().await;
    let path = "/holdings-types";
    let entry = |name: &str| json!({"name": name, "source": "local"});
    let _ = post(&shelf.client, path, entry("Scroll")).await;
    let other = post(&shelf.client, path, entry("Tablet")).await;
    let by_id = format!("{path}/{}", id(&other));
    let expected = json!([{
        "message": "Cannot create entity; name is not unique", "code": "name.duplicate",
        "parameters": [{"key": "fieldLabel", "value": "name"}],
    }]);
    let created = shelf.client.post(path, &entry("scroll")).await;
    assert_eq!(created.expect(422).json()["errors"], expected);
    let _ = shelf.client.put(&by_id, &entry("SCROLL")).await.expect(400);
    let _ = shelf.client.put(&by_id, &entry("Clay")).await.expect(204);
}

#[tokio::test]
async fn a_unit_of_locations_keeps_its_id() {
    let shelf = Shelf::new().await;
    for (unit, name, sentence) in [
        (
            "institutions",
            "locinst",
            "Institution ID cannot be changed",
        ),
        ("campuses", "loccamp", "Campus ID cannot be changed"),
        ("libraries", "loclib", "Library ID cannot be changed"),
    ] {
        let path = format!("/location-units/{unit}");
        let list = shelf.client.get(&path).await.expect(200).json();
        let mut entry = list[format!("{name}s")][0].clone();
        let path = format!("{path}/{}", id(&entry));
        entry["code"] = json!("other");
        let _ = shelf.client.put(&path, &entry).await.expect(204);
        entry["id"] = json!(NOWHERE);
        let refused = shelf.client.put(&path, &entry).await.expect(400).json();
        let sentence = format!("Illegal operation: {sentence}");
        let expected = (sentence, name.to_owned(), json!(NOWHERE));
        assert_eq!(told(&refused), expected);
        entry.as_object_mut().expect("an object").remove("id");
        let _ = shelf.client.put(&path, &entry).await.expect(204);
    }
}

/// Two who change an entry at once come one after the other: the rules see what is stored.
#[tokio::test]
async fn an_entry_that_becomes_the_systems_is_not_deleted_meanwhile() {
    let shelf = Shelf::new().await;
    let path = "/call-number-types";
    for round in 0..8 {
        let entry = |source: &str| json!({"name": format!("n{round}"), "source": source});
        let own = id(&post(&shelf.client, path, entry("local")).await);
        let by_id = format!("{path}/{own}");
        let changing = {
            let (client, by_id, entry) = (shelf.client.clone(), by_id.clone(), entry("system"));
            tokio::spawn(async move { client.put(&by_id, &entry).await.status })
        };
        let deleted = shelf.client.delete(&by_id).await.status;
        let changed = changing.await.expect("answered");
        assert!(
            matches!((changed, deleted), (204, 400) | (404, 204)),
            "{changed} {deleted}"
        );
    }
}

/// Later releases write events about material and loan types; R1-2025 writes none.
#[tokio::test]
async fn changes_of_material_and_loan_types_are_told_to_nobody() {
    let library = library().await;
    let client = library.client().await;
    for path in ["/material-types", "/loan-types"] {
        let made = post(&client, path, json!({"name": "New", "source": "local"})).await;
        let one = format!("{path}/{}", id(&made));
        let _ = client.delete(&one).await.expect(204);
    }
    let store = &library.platform.store;
    let tenant = library.tenant();
    let told = octavo_records::store::events_after(&store.database, &tenant, 0, 10_000).await;
    let told = told.expect("events");
    let topics = ["inventory.material-type", "inventory.loan-type"];
    let odd = told.iter().map(|event| event.topic.as_str());
    let odd: Vec<&str> = odd.filter(|topic| topics.contains(topic)).collect();
    assert_eq!(odd, Vec::<&str>::new());
}
