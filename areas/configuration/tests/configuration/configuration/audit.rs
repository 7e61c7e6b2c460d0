//! The history of entries.

use serde_json::{Value, json};

use super::{entry, made, path};
use octavo_server_testkit::library;

const AUDIT: &str = "/configurations/audit";

fn operations(page: &Value) -> Vec<(&str, &str)> {
    let audits = page["audits"].as_array().expect("audits").iter();
    let operations = audits.map(|one| (&one["operation"], &one["config_data"]["value"]));
    operations
        .filter_map(|(operation, value)| Some((operation.as_str()?, value.as_str()?)))
        .collect()
}

#[tokio::test]
async fn each_change_leaves_what_the_entry_was() {
    let library = library().await;
    let client = library.client().await;
    let stored = made(&client, &entry("USERS", "pictures", json!({"value": "1"}))).await;
    let _ = made(&client, &entry("ORDERS", "limit", json!({}))).await;
    let changed = entry("USERS", "pictures", json!({"value": "2"}));
    let _ = client.put(&path(&stored), &changed).await.expect(204);
    let _ = client.delete(&path(&stored)).await.expect(204);

    let all = client.get(AUDIT).await.expect(200).json();
    assert_eq!(all["totalRecords"], 4);
    let query = "config_data.module==USERS sortBy createdDate";
    let page = client.query(AUDIT, query).await.expect(200).json();
    assert_eq!(page["totalRecords"], 3);
    assert_eq!(operations(&page), [("I", "1"), ("U", "2"), ("D", "2")]);
    let first = &page["audits"][0];
    assert_eq!(first["config_data"]["id"], stored["id"]);
    assert_ne!(first["id"], stored["id"]);
    assert!(first["createdDate"].is_string());
    let id = stored["id"].as_str().expect("an id");
    for (query, number) in [
        ("operation==D".to_owned(), 1),
        (format!("config_data.id=={id}"), 3),
        ("createdDate>=2020-01-01 and operation==I".to_owned(), 2),
        ("createdDate<2020-01-01".to_owned(), 0),
    ] {
        let page = client.query(AUDIT, &query).await.expect(200).json();
        assert_eq!(page["totalRecords"], number, "{query}");
    }
    assert_eq!(client.query(AUDIT, "a and").await.status, 400);
    assert_eq!(client.get("/configurations/audit?lang=x").await.status, 400);
}
