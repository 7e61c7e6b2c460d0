//! What a library can switch for all of inventory.

use http::Method;
use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, Shelf, id};

const PATH: &str = "/inventory-settings/inventory.optimize-updates.enabled";

async fn change(shelf: &Shelf, path: &str, body: Value) -> octavo_testkit::Answer {
    let request = shelf.client.request(Method::PATCH, path).json(&body);
    shelf.client.send(request).await
}

#[tokio::test]
async fn a_setting_takes_values_of_its_type() {
    let shelf = Shelf::new().await;
    let stored = shelf.client.get(PATH).await.expect(200).json();
    assert_eq!(stored["key"], "inventory.optimize-updates.enabled");
    assert_eq!(stored["value"], "false");
    assert_eq!(stored["type"], "BOOLEAN");
    assert_eq!(stored["centralManaged"], true);
    let _ = change(&shelf, PATH, json!({"value": true}))
        .await
        .expect(204);
    let stored = shelf.client.get(PATH).await.expect(200).json();
    assert_eq!(stored["value"], "true");
    assert!(stored["updatedDate"].is_string());
    assert!(stored["updatedByUserId"].is_string());
    let refused = change(&shelf, PATH, json!({"value": "perhaps"})).await;
    assert_eq!(
        refused.expect(400).text,
        "Setting value should be a boolean"
    );
    for wrong in [
        json!({}),
        json!({"value": null}),
        json!({"value": true, "key": "x"}),
    ] {
        let _ = change(&shelf, PATH, wrong).await.expect(422);
    }
    let missing = shelf.client.get("/inventory-settings/x").await.expect(404);
    assert_eq!(missing.text, "Setting not found: x");
    let missing = change(&shelf, "/inventory-settings/x", json!({"value": true})).await;
    assert_eq!(missing.expect(404).text, "Setting not found: x");

    let sql = "SELECT new FROM tenant_diku.outbox WHERE topic = 'inventory.setting'";
    let database = &shelf.library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("events");
    let events: Vec<Value> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0]["value"], "true");
    assert_eq!(events[0]["tenantId"], "diku");
}

#[tokio::test]
async fn an_update_that_changes_nothing_is_left_out_whatever_the_setting_says() {
    let shelf = Shelf::new().await;
    let item = id(&shelf.item("1001").await);
    let records = [
        (INSTANCES, shelf.instance.as_str()),
        (HOLDINGS, shelf.holdings.as_str()),
        (ITEMS, item.as_str()),
    ];
    let events = async || {
        let sql = "SELECT count(*) FROM tenant_diku.outbox WHERE type = 'UPDATE' \
                   AND topic IN ('inventory.instance', 'inventory.holdings-record', 'inventory.item')";
        let database = &shelf.library.platform.store.database;
        let rows = database.query(sql, &[]).await.expect("events");
        rows[0].get::<_, i64>(0)
    };
    for (suppressed, value) in [(true, "false"), (false, "true")] {
        let _ = change(&shelf, PATH, json!({"value": value}))
            .await
            .expect(204);
        for (path, id) in records {
            let mut before = shelf.read(path, id).await;
            before["metadata"]["updatedDate"] = json!("2001-01-01T00:00:00.000+00:00");
            let own = format!("{path}/{id}");
            let told = events().await;
            // As often as it is sent: the second of two saves of one form is none.
            for _ in 0..2 {
                let _ = shelf.client.put(&own, &before).await.expect(204);
            }
            let after = shelf.read(path, id).await;
            assert_eq!(after["_version"], before["_version"], "{path}");
            assert_ne!(after["metadata"], before["metadata"]);
            assert_eq!(events().await, told, "{path}");
            before = after;
            before["discoverySuppress"] = json!(suppressed);
            let _ = shelf.client.put(&own, &before).await.expect(204);
            let after = shelf.read(path, id).await;
            assert_eq!(after["discoverySuppress"], suppressed);
            assert_ne!(after["_version"], before["_version"]);
            assert!(events().await > told, "{path}");
            // A client that sends an old version is refused.
            before["_version"] = json!(1);
            let _ = shelf.client.put(&own, &before).await.expect(409);
        }
    }
}
