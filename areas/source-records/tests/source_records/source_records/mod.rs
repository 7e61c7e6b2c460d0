//! MARC source records: stored one by one, and shown.

mod records;
mod views;

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

/// A snapshot that takes records.
async fn snapshot(client: &Client) -> Uuid {
    let id = Uuid::new_v4();
    let body = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    let _ = client
        .post("/source-storage/snapshots", &body)
        .await
        .expect(201);
    id
}

/// A bibliographic record of an instance.
fn record(snapshot_id: Uuid, instance_id: Uuid, title: &str) -> Value {
    let id = Uuid::new_v4();
    json!({
        "id": id,
        "snapshotId": snapshot_id,
        "matchedId": id,
        "recordType": "MARC_BIB",
        "rawRecord": {"content": "as it came"},
        "parsedRecord": {"content": {"leader": "00000cam a2200000   4500", "fields": [
            {"001": "in00000000042"},
            {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}},
        ]}},
        "externalIdsHolder": {"instanceId": instance_id, "instanceHrid": "in00000000042"},
    })
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}
