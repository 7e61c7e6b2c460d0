//! An instance that is marked as deleted, hidden or brought back, and the source record that follows.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{INSTANCES, Shelf, an_instance, id, post};

/// An instance that MARC controls, with a source record where one is wanted.
async fn marc_instance(shelf: &Shelf, with_record: bool) -> (String, String) {
    let mut instance = an_instance("Catalogued");
    instance["source"] = json!("MARC");
    let instance = id(&post(&shelf.client, INSTANCES, instance).await);
    let record = Uuid::new_v4().to_string();
    if with_record {
        let snapshot = Uuid::new_v4();
        let body = json!({"jobExecutionId": snapshot, "status": "PARSING_IN_PROGRESS"});
        let _ = post(&shelf.client, "/source-storage/snapshots", body).await;
        let body = json!({
            "id": record, "snapshotId": snapshot, "matchedId": record, "recordType": "MARC_BIB",
            "rawRecord": {"content": "as it came"},
            "parsedRecord": {"content": {"leader": "00000cam a2200000   4500", "fields": [
                {"001": "in42"},
                {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "Catalogued"}]}},
            ]}},
            "externalIdsHolder": {"instanceId": instance, "instanceHrid": "in42"},
        });
        let _ = post(&shelf.client, "/source-storage/records", body).await;
    }
    (instance, record)
}

/// State, marked as deleted, suppressed, leader position 5.
fn marks(record: &Value) -> (Value, Value, Value, Option<String>) {
    let leader = record["parsedRecord"]["content"]["leader"].as_str();
    (
        record["state"].clone(),
        record["deleted"].clone(),
        record["additionalInfo"]["suppressDiscovery"].clone(),
        leader.map(|leader| leader[5..6].to_owned()),
    )
}

fn expected(
    state: &str,
    deleted: bool,
    suppressed: bool,
    status: &str,
) -> (Value, Value, Value, Option<String>) {
    (
        json!(state),
        json!(deleted),
        json!(suppressed),
        Some(status.to_owned()),
    )
}

#[tokio::test]
async fn a_source_record_is_deleted_with_its_instance_and_comes_back_with_it() {
    let shelf = Shelf::new().await;
    let (instance, record) = marc_instance(&shelf, true).await;
    let path = format!("/inventory/instances/{instance}");
    let source = async || shelf.read("/source-storage/records", &record).await;
    assert_eq!(
        marks(&source().await),
        expected("ACTUAL", false, false, "c")
    );

    let mut form = shelf.client.get(&path).await.expect(200).json();
    form["discoverySuppress"] = json!(true);
    let _ = shelf.client.put(&path, &form).await.expect(204);
    assert_eq!(marks(&source().await), expected("ACTUAL", false, true, "c"));

    let _ = shelf
        .client
        .delete(&format!("{path}/mark-deleted"))
        .await
        .expect(204);
    assert_eq!(marks(&source().await), expected("DELETED", true, true, "d"));
    let formatted = source().await["parsedRecord"]["formattedContent"].clone();
    assert!(
        formatted.as_str().is_some_and(|text| text.contains("005 ")),
        "{formatted}"
    );
    // Once more, as FOLIO takes it.
    let _ = shelf
        .client
        .delete(&format!("{path}/mark-deleted"))
        .await
        .expect(204);

    let mut form = shelf.client.get(&path).await.expect(200).json();
    assert_eq!(form["deleted"], true);
    for property in ["deleted", "staffSuppress", "discoverySuppress"] {
        form[property] = json!(false);
    }
    let _ = shelf.client.put(&path, &form).await.expect(204);
    assert_eq!(
        marks(&source().await),
        expected("ACTUAL", false, false, "c")
    );
}

#[tokio::test]
async fn an_instance_without_source_record_is_marked_by_itself() {
    let shelf = Shelf::new().await;
    let (instance, _) = marc_instance(&shelf, false).await;
    for instance in [&instance, &shelf.instance] {
        let path = format!("/inventory/instances/{instance}");
        let _ = shelf
            .client
            .delete(&format!("{path}/mark-deleted"))
            .await
            .expect(204);
        let shown = shelf.client.get(&path).await.expect(200).json();
        assert_eq!(shown["deleted"], true);
    }
}
