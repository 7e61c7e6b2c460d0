//! The settings of circulation over both of their interfaces.

use serde_json::json;

use super::stocked;
use super::support::refused;

const SETTINGS: &str = "/circulation/settings";
const STORAGE: &str = "/circulation-settings-storage/circulation-settings";
const NONE: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";

#[tokio::test]
async fn settings_are_made_read_changed_and_deleted() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let body = json!({"name": "generalTlr", "value": {"titleLevelRequestsFeatureEnabled": true}});
    let made = client.post(SETTINGS, &body).await.expect(201).json();
    let id = made["id"].as_str().expect("an id").to_owned();
    let path = format!("{SETTINGS}/{id}");
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["value"], body["value"]);
    // A name that is taken gets the new value; the record keeps its id.
    let again = json!({"id": NONE, "name": "generaltlr", "value": {"some": "other"}});
    for path in [SETTINGS, STORAGE] {
        let answer = client.post(path, &again).await.expect(201).json();
        assert_eq!(answer["id"], json!(NONE));
    }
    let _ = client.get(&format!("{SETTINGS}/{NONE}")).await.expect(404);
    let listed = client
        .query(SETTINGS, "name==generalTlr")
        .await
        .expect(200)
        .json();
    assert_eq!(listed["totalRecords"], 1);
    assert_eq!(listed["circulationSettings"][0]["id"], json!(id));
    assert_eq!(listed["circulationSettings"][0]["value"], again["value"]);
    let change = json!({"id": id, "name": "generalTlr", "value": {"third": 3}});
    let _ = client.put(&path, &change).await.expect(204);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["value"], json!({"third": 3}));
    let _ = client.delete(&path).await.expect(204);
    let _ = client.delete(&path).await.expect(204);
    let answer = client.put(&path, &change).await.expect(404);
    assert_eq!(answer.text, "Not found");
    let answer = client.get(&path).await.expect(404);
    let sentence = format!("circulationSettings record with ID \"{id}\" cannot be found");
    assert_eq!(answer.text, sentence);
}

#[tokio::test]
async fn settings_that_are_not_well_formed_are_refused() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let message = "Circulation setting JSON is invalid";
    for body in [
        json!({"value": {}}),
        json!({"name": "x"}),
        json!({"name": "x", "value": "text"}),
        json!({"name": "x", "value": {}, "colour": "red"}),
        json!([]),
    ] {
        refused(client.post(SETTINGS, &body).await, message, "", "");
    }
    let body = json!({"name": "x", "value": {}});
    let path = format!("{SETTINGS}/{NONE}");
    refused(client.put(&path, &body).await, message, "", "");
    let message = "Circulation setting ID is not a valid UUID";
    for id in ["1", "0B117416-8DCF-45A1-BE9A-FFAA847C4423"] {
        let path = format!("{SETTINGS}/{id}");
        refused(client.get(&path).await, message, "", "");
        refused(client.delete(&path).await, message, "", "");
    }
    let _ = client.query(SETTINGS, "((").await.expect(400);
    let _ = client.post(STORAGE, &body).await.expect(422);
}

#[tokio::test]
async fn of_many_who_set_one_name_all_succeed_and_one_record_is_there() {
    let (_library, stock) = stocked().await;
    let setters: Vec<_> = (0..12)
        .map(|number| {
            let client = stock.client.clone();
            let body = json!({"name": "noticesLimit", "value": {"value": number}});
            tokio::spawn(async move { client.post(SETTINGS, &body).await.expect(201) })
        })
        .collect();
    for setter in setters {
        let _ = setter.await.expect("it ends");
    }
    let listed = stock
        .client
        .query(SETTINGS, "name==noticesLimit")
        .await
        .expect(200)
        .json();
    assert_eq!(listed["totalRecords"], 1);
}
