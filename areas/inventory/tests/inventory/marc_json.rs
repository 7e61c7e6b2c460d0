//! The MARC document of an instance.

use serde_json::{Value, json};

use super::{INSTANCES, NOWHERE, Shelf, error};

fn document(number: &str) -> Value {
    json!({
        "leader": "00000nam a2200000 a 4500",
        "fields": [
            {"001": number},
            {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "Bridges of the north"}]}},
        ],
    })
}

#[tokio::test]
async fn an_instance_has_one_document_and_takes_it_along() {
    let shelf = Shelf::new().await;
    let record = format!("{INSTANCES}/{}/source-record", shelf.instance);
    let path = format!("{record}/marc-json");
    let _ = shelf.client.get(&path).await.expect(404);
    let _ = shelf.client.delete(&record).await.expect(404);
    for number in ["1", "2"] {
        let _ = shelf.client.put(&path, &document(number)).await.expect(204);
        let stored = shelf.client.get(&path).await.expect(200).json();
        assert_eq!(stored["id"], shelf.instance);
        assert_eq!(stored["fields"][0]["001"], number);
        assert_eq!(stored["fields"][1], document("2")["fields"][1]);
    }
    let _ = shelf.client.delete(&path).await.expect(204);
    let _ = shelf.client.get(&path).await.expect(404);
    let _ = shelf.client.put(&path, &document("3")).await.expect(204);
    let _ = shelf.client.delete(&record).await.expect(204);

    let _ = shelf.client.put(&path, &document("4")).await.expect(204);
    let holdings = format!("{}/{}", super::HOLDINGS, shelf.holdings);
    let _ = shelf.client.delete(&holdings).await.expect(204);
    let instance = format!("{INSTANCES}/{}", shelf.instance);
    let _ = shelf.client.delete(&instance).await.expect(204);
    let _ = shelf.client.get(&path).await.expect(404);
}

#[tokio::test]
async fn a_document_fits_and_belongs_to_an_instance() {
    let shelf = Shelf::new().await;
    let nowhere = format!("{INSTANCES}/{NOWHERE}/source-record/marc-json");
    let refused = shelf.client.put(&nowhere, &document("1")).await.expect(404);
    assert!(refused.text.contains(NOWHERE));
    let path = format!("{INSTANCES}/{}/source-record/marc-json", shelf.instance);
    for (property, value, key) in [
        ("leader", json!("short"), "leader"),
        ("leader", Value::Null, "leader"),
        ("fields", json!([{"001": "1"}]), "fields"),
        // FOLIO reports unknown properties without a key.
        ("colour", json!("red"), ""),
    ] {
        let mut wrong = document("1");
        wrong[property] = value;
        let refused = shelf.client.put(&path, &wrong).await.expect(422).json();
        assert_eq!(error(&refused).1, key);
    }
    let mut unread = document("1");
    unread["fields"] = json!("x");
    let _ = shelf.client.put(&path, &unread).await.expect(400);
    let _ = shelf.client.get(&path).await.expect(404);
}

#[tokio::test]
async fn those_who_bring_the_first_document_at_once_leave_one() {
    let shelf = Shelf::new().await;
    let path = format!("{INSTANCES}/{}/source-record/marc-json", shelf.instance);
    let tasks: Vec<_> = (0..12)
        .map(|at| {
            let (client, path) = (shelf.client.clone(), path.clone());
            let document = document(&at.to_string());
            tokio::spawn(async move { client.put(&path, &document).await.expect(204) })
        })
        .collect();
    for task in tasks {
        task.await.expect("stored");
    }
    let stored = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(stored["leader"], document("1")["leader"]);
}
