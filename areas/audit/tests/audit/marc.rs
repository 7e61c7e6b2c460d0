//! Histories of MARC records: edited, changed in place, deleted; records of holdings have none.

use octavo_records::store::BulkLoad;
use octavo_server_testkit::library;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{got, number, run, text};

const RECORDS: &str = "/source-storage/records";

/// A snapshot that takes records.
async fn snapshot(client: &Client) -> String {
    let id = Uuid::new_v4().to_string();
    let body = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    let _ = client
        .post("/source-storage/snapshots", &body)
        .await
        .expect(201);
    id
}

fn content(title: &str, subjects: &[&str]) -> Value {
    let mut fields = vec![
        json!({"001": "in1"}),
        json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}}),
    ];
    for subject in subjects {
        fields.push(json!({"650": {"ind1": " ", "ind2": "0", "subfields": [{"a": subject}]}}));
    }
    json!({"leader": "00000nam a2200000 a 4500", "fields": fields})
}

fn record(snapshot: &str, kind: &str, instance: &str, content: &Value) -> Value {
    let property = if kind == "MARC_AUTHORITY" {
        "authorityId"
    } else {
        "instanceId"
    };
    let hrid = if kind == "MARC_AUTHORITY" {
        "authorityHrid"
    } else {
        "instanceHrid"
    };
    let id = Uuid::new_v4();
    json!({"id": id, "matchedId": id, "snapshotId": snapshot, "recordType": kind, "state": "ACTUAL",
           "rawRecord": {"id": id, "content": "raw"}, "parsedRecord": {"id": id, "content": content},
           "externalIdsHolder": {property: instance, hrid: "in1"}})
}

async fn history(client: &Client, kind: &str, id: &str) -> Vec<Value> {
    let page = got(client, &format!("/audit-data/marc/{kind}/{id}")).await;
    let items = page["marcAuditItems"].as_array().expect("a list").clone();
    assert_eq!(page["totalRecords"], items.len());
    items
}

/// A record of an instance, and the id that its generations share.
async fn stored(client: &Client, snapshot: &str, kind: &str) -> (Value, String) {
    let sent = record(
        snapshot,
        kind,
        &Uuid::new_v4().to_string(),
        &content("Mills", &["a"]),
    );
    let stored = client.post(RECORDS, &sent).await.expect(201).json();
    let matched = text(&stored["matchedId"]);
    (stored, matched)
}

#[tokio::test]
async fn a_record_is_created_edited_changed_in_place_and_deleted() {
    let library = library().await;
    let client = library.client().await;
    let run = snapshot(&client).await;
    let (first, id) = stored(&client, &run, "MARC_BIB").await;
    // Another generation.
    let mut next = first.clone();
    next.as_object_mut()
        .expect("an object")
        .remove("generation");
    next["parsedRecord"]["content"] = content("Weirs", &["a", "b"]);
    let path = format!("{RECORDS}/{id}/generation");
    next["parsedRecord"]["content"]["fields"]
        .as_array_mut()
        .expect("fields")
        .push(json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"s": id}]}}));
    let second = client.put(&path, &next).await.expect(200).json();
    assert_eq!(second["generation"], 1);
    // The same in place.
    let mut changed = second.clone();
    changed["parsedRecord"]["content"]["fields"]
        .as_array_mut()
        .expect("fields")
        .remove(2);
    let path = format!("{RECORDS}/{}", text(&second["id"]));
    let _ = client.put(&path, &changed).await.expect(200);
    let items = history(&client, "bib", &id).await;
    let actions: Vec<&Value> = items.iter().map(|one| &one["action"]).collect();
    assert_eq!(actions, ["UPDATED", "UPDATED", "CREATED"]);
    assert!(items.iter().all(|one| one["entityId"] == json!(id)));
    assert_eq!(items[0]["origin"], "mod-source-record-storage-5.10.15");
    assert_eq!(items[0]["userId"], second["metadata"]["updatedByUserId"]);
    let gone = json!([{"changeType": "REMOVED", "oldValue": " 0 $a a"}]);
    assert_eq!(items[0]["diff"]["fieldChanges"], json!([]));
    assert_eq!(
        items[0]["diff"]["collectionChanges"],
        json!([{"collectionName": "650", "itemChanges": gone}])
    );
    let title = json!({"changeType": "MODIFIED", "fieldName": "245", "fullPath": "245",
                       "oldValue": "10 $a Mills", "newValue": "10 $a Weirs"});
    let fields = items[1]["diff"]["fieldChanges"].as_array().expect("fields");
    assert!(fields.contains(&title), "{fields:?}");
    let fields = items[2]["diff"]["fieldChanges"].as_array().expect("fields");
    assert!(
        fields.contains(
            &json!({"changeType": "ADDED", "fieldName": "245", "fullPath": "245",
                                    "newValue": "10 $a Mills"})
        ),
        "{fields:?}"
    );
    // A deleted record is marked as such; its history stays.
    let _ = client.delete(&path).await.expect(204);
    let items = history(&client, "bib", &id).await;
    assert_eq!(items.len(), 4);
    let fields = items[0]["diff"]["fieldChanges"].as_array().expect("fields");
    let leader = fields.iter().find(|one| one["fieldName"] == "LDR");
    assert_eq!(
        leader.expect("a change")["newValue"],
        "00000dam a2200000 a 4500"
    );
    assert_eq!(history(&client, "authority", &id).await.len(), 0);
}

#[tokio::test]
async fn a_history_outlives_its_records() {
    let library = library().await;
    let client = library.client().await;
    let snapshot = snapshot(&client).await;
    let (_, id) = stored(&client, &snapshot, "MARC_AUTHORITY").await;
    run(&library, "DELETE FROM {schema}.source_record").await;
    let items = history(&client, "authority", &id).await;
    let actions: Vec<&Value> = items.iter().map(|one| &one["action"]).collect();
    assert_eq!(actions, ["DELETED", "CREATED"]);
    for (item, kind) in items.iter().zip(["REMOVED", "ADDED"]) {
        assert_eq!(item["diff"]["fieldChanges"][0]["changeType"], kind);
    }
}

#[tokio::test]
async fn what_changes_no_field_is_not_told_and_holdings_have_no_history() {
    let library = library().await;
    let client = library.client().await;
    let snapshot = snapshot(&client).await;
    let (first, id) = stored(&client, &snapshot, "MARC_BIB").await;
    let mut suppressed = first.clone();
    suppressed["additionalInfo"] = json!({"suppressDiscovery": true});
    let path = format!("{RECORDS}/{}", text(&first["id"]));
    let _ = client.put(&path, &suppressed).await.expect(200);
    assert_eq!(history(&client, "bib", &id).await.len(), 1);
    holdings_have_none(&library, &client, &snapshot).await;
}

async fn holdings_have_none(library: &Library, client: &Client, snapshot: &str) {
    let mut sent = record(snapshot, "MARC_HOLDING", "x", &content("Mills", &[]));
    sent["externalIdsHolder"] = json!({"holdingsId": Uuid::new_v4(), "holdingsHrid": "ho1"});
    let _ = client.post(RECORDS, &sent).await.expect(201);
    let kept = "SELECT count(*) AS number FROM {schema}.audit_marc WHERE kind = 'MARC_HOLDING'";
    assert_eq!(number(library, kept).await, 0);
}

#[tokio::test]
async fn records_that_are_loaded_in_bulk_begin_without_history() {
    let library = library().await;
    let client = library.client().await;
    let snapshot = snapshot(&client).await;
    let store = &library.platform.store;
    let mut sent = record(
        &snapshot,
        "MARC_BIB",
        &Uuid::new_v4().to_string(),
        &content("Mills", &[]),
    );
    sent["generation"] = json!(0);
    let id = Uuid::parse_str(&text(&sent["id"])).expect("an id");
    let transaction = store.database.transaction().await.expect("a transaction");
    let records = store.catalog.declared("source_record");
    let mut load = BulkLoad::begin(&transaction, &library.tenant(), records);
    load.add(id, &sent.to_string()).await.expect("added");
    assert_eq!(load.finish().await.expect("loaded"), 1);
    transaction.commit().await.expect("committed");
    assert_eq!(history(&client, "bib", &id.to_string()).await.len(), 0);
    // From then on changes are kept.
    let path = format!("{RECORDS}/{id}");
    let mut changed = got(&client, &path).await;
    changed["parsedRecord"]["content"] = content("Weirs", &[]);
    let _ = client.put(&path, &changed).await.expect(200);
    assert_eq!(history(&client, "bib", &id.to_string()).await.len(), 1);
}
