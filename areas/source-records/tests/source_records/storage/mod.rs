//! mod-source-record-storage: streams, batches, matching, searches in MARC, concurrent generations.

mod batches;
mod generations;
mod lists;
mod many_ids;
mod matching;
mod searches;
mod streams;

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

/// A bibliographic record of an instance with these fields after 001.
fn bib(snapshot_id: Uuid, instance_id: Uuid, hrid: &str, fields: Value) -> Value {
    let id = Uuid::new_v4();
    let mut all = vec![json!({"001": hrid})];
    all.extend(fields.as_array().cloned().unwrap_or_default());
    json!({
        "id": id,
        "snapshotId": snapshot_id,
        "matchedId": id,
        "recordType": "MARC_BIB",
        "rawRecord": {"content": "00026nam a2200025 a 4500\u{1e}\u{1d}"},
        "parsedRecord": {"content": {"leader": "01542ccm a2200361   4500", "fields": all}},
        "externalIdsHolder": {"instanceId": instance_id, "instanceHrid": hrid},
    })
}

/// A data field of one subfield.
fn field(tag: &str, indicators: &str, code: &str, value: &str) -> Value {
    let [first, second] = [&indicators[..1], &indicators[1..]];
    json!({tag: {"ind1": first, "ind2": second, "subfields": [{code: value}]}})
}

async fn stored(client: &Client, record: &Value) -> Value {
    client
        .post("/source-storage/records", record)
        .await
        .expect(201)
        .json()
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {value}"))
}
