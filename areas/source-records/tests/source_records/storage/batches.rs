//! `/source-storage/batch`, the jobs of migration, and the records for FOLIO's own tests.

use octavo_source_records::app::keep_terms::work;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, field, snapshot, stored, text};
use octavo_server_testkit::library;

const RECORDS: &str = "/source-storage/batch/records";
const PARSED: &str = "/source-storage/batch/parsed-records";

fn batch(records: &[&Value]) -> Value {
    json!({"records": records, "totalRecords": records.len()})
}

#[tokio::test]
async fn a_batch_is_stored_whole_and_unreadable_records_are_reported() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let fields = || json!([field("245", "10", "a", "Bridges")]);
    let first = stored(&client, &bib(snapshot_id, instance_id, "in1", fields())).await;
    let again = bib(snapshot_id, instance_id, "in1", fields());
    let other = bib(snapshot_id, Uuid::new_v4(), "in2", fields());
    let mut broken = bib(snapshot_id, Uuid::new_v4(), "in3", fields());
    broken["parsedRecord"]["content"] = json!({"leader": "x", "fields": 7});
    let answer = client
        .post(RECORDS, &batch(&[&again, &other, &broken]))
        .await;
    let answer = answer.expect(201).json();
    assert_eq!(answer["totalRecords"], 3);
    let records = answer["records"].as_array().expect("records");
    assert_eq!(records[0]["matchedId"], first["id"]);
    assert_eq!(records[0]["generation"], 1);
    assert_eq!(records[1]["generation"], 0);
    // The raw record is kept as it was sent.
    assert_eq!(
        records[0]["rawRecord"]["content"],
        again["rawRecord"]["content"]
    );
    assert_eq!(records[2].get("parsedRecord"), None);
    assert_eq!(
        records[2]["errorRecord"]["content"],
        json!({"leader": "x", "fields": 7})
    );
    let problem = format!(
        "Record {} has invalid parsed record; fields: an array is expected",
        text(&broken, "id")
    );
    assert_eq!(answer["errorMessages"], json!([problem]));
    for record in records {
        let path = format!("/source-storage/records/{}", text(record, "id"));
        let read = client.get(&path).await.expect(200).json();
        assert_eq!(read["generation"], record["generation"]);
        assert_eq!(read["metadata"], record["metadata"]);
    }
    let path = format!("/source-storage/records/{}", text(&first, "id"));
    assert_eq!(client.get(&path).await.expect(200).json()["state"], "OLD");

    // Nothing is stored of what is refused.
    let total = async || {
        let path = format!("/source-storage/records?snapshotId={snapshot_id}&limit=0");
        client.get(&path).await.expect(200).json()["totalRecords"].clone()
    };
    let before = total().await;
    let new = |instance_id| bib(snapshot_id, instance_id, "in9", fields());
    let mut elsewhere = new(Uuid::new_v4());
    elsewhere["snapshotId"] = json!(Uuid::new_v4());
    let mut authority = new(Uuid::new_v4());
    authority["recordType"] = json!("MARC_AUTHORITY");
    let here = new(Uuid::new_v4());
    let twice = new(instance_id);
    let mut same = new(instance_id);
    same["id"] = json!(Uuid::new_v4());
    for (records, message) in [
        (
            batch(&[&here, &elsewhere]),
            "Batch record collection only supports single snapshot",
        ),
        (
            batch(&[&here, &authority]),
            "Batch record collection only supports single record type",
        ),
        (
            batch(&[&here, &again]),
            "SQL Unique constraint violation prevented repeatedly saving the record",
        ),
        (
            batch(&[&twice, &same]),
            "SQL Unique constraint violation prevented repeatedly saving the record",
        ),
        (
            batch(&vec![&here; 5_001]),
            "The number of records should not exceed 5000",
        ),
    ] {
        assert_eq!(
            client.post(RECORDS, &records).await.expect(400).text,
            message
        );
    }
    let lost = client
        .post(RECORDS, &batch(&[&elsewhere]))
        .await
        .expect(404);
    assert!(lost.text.starts_with("Snapshot with id"), "{}", lost.text);
    let mut shapeless = here.clone();
    shapeless["state"] = json!("LOST");
    assert_eq!(
        client
            .post(RECORDS, &batch(&[&here, &shapeless]))
            .await
            .status,
        400
    );
    assert_eq!(client.post(RECORDS, &json!({})).await.status, 422);
    let nothing = client.post(RECORDS, &batch(&[])).await.expect(500).json();
    assert_eq!(
        nothing,
        json!({"records": [], "errorMessages": [], "totalRecords": 0})
    );
    assert_eq!(total().await, before);
}

#[tokio::test]
async fn parsed_parts_are_replaced_fetched_and_verified() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let fields = json!([
        field("100", "1 ", "a", "Mason, Ada"),
        field("245", "10", "a", "Bridges"),
        field("650", " 0", "a", "Bridges"),
    ]);
    let mut record = stored(&client, &bib(snapshot_id, instance_id, "in1", fields)).await;
    record["parsedRecord"]["content"]["fields"][2]["245"]["subfields"][0]["a"] = json!("Roads");
    record["additionalInfo"] = json!({"suppressDiscovery": true});
    let mut missing = record.clone();
    missing["id"] = json!(Uuid::from_u128(7));
    missing["parsedRecord"]["id"] = json!(Uuid::from_u128(7));
    let mut broken = record.clone();
    broken["parsedRecord"]["content"] = json!("nonsense");
    let answer = client
        .put(PARSED, &batch(&[&record, &missing, &broken]))
        .await;
    let answer = answer.expect(200).json();
    assert_eq!(answer["totalRecords"], 1);
    assert_eq!(answer["parsedRecords"][0]["id"], record["id"]);
    let messages = answer["errorMessages"].as_array().expect("messages");
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages.contains(&json!(format!(
        "Parsed Record with id '{}' was not updated",
        Uuid::from_u128(7)
    ))));
    let path = format!("/source-storage/records/{}", text(&record, "id"));
    let read = client.get(&path).await.expect(200).json();
    assert!(text(&read["parsedRecord"], "formattedContent").contains("245 10$aRoads\n"));
    assert_eq!(read["additionalInfo"]["suppressDiscovery"], true);
    assert_eq!(
        (&read["generation"], &read["state"]),
        (&json!(0), &json!("ACTUAL"))
    );
    assert_eq!(read["rawRecord"], record["rawRecord"]);
    assert_eq!(client.put(PARSED, &batch(&[&missing])).await.status, 500);
    let mut nameless = record.clone();
    nameless["parsedRecord"]
        .as_object_mut()
        .expect("an object")
        .remove("id");
    let refused = client
        .put(PARSED, &batch(&[&record, &nameless]))
        .await
        .expect(400);
    assert_eq!(refused.text, "Each parsed record should contain an id");

    let fetch = |kind: &str, ids: Value, data: Value| json!({"conditions": {"idType": kind, "ids": ids}, "data": data, "recordType": "MARC_BIB"});
    let fetched = format!("{PARSED}/fetch");
    let asked = fetch(
        "INSTANCE",
        json!([instance_id, Uuid::from_u128(7)]),
        json!([{"from": "001", "to": "099"}, {"from": "245", "to": "245"}]),
    );
    let found = client.post(&fetched, &asked).await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);
    let found = &found["records"][0];
    assert_eq!(
        (text(found, "recordState"), &found["id"]),
        ("ACTUAL", &record["id"])
    );
    assert_eq!(found["externalIdsHolder"]["instanceId"], json!(instance_id));
    assert_eq!(
        found["parsedRecord"]["content"]["fields"],
        json!([{"001": "in1"}, field("245", "10", "a", "Roads")])
    );
    let all = fetch("RECORD", json!([record["matchedId"]]), json!([]));
    let all = client.post(&fetched, &all).await.expect(200).json();
    assert_eq!(
        all["records"][0]["parsedRecord"]["content"],
        read["parsedRecord"]["content"]
    );
    let none = fetch("INSTANCE", json!([]), json!([]));
    assert_eq!(
        client.post(&fetched, &none).await.expect(200).json(),
        json!({"records": [], "totalRecords": 0})
    );
    for (wrong, status) in [
        (fetch("SHELF", json!([instance_id]), json!([])), 400),
        (fetch("INSTANCE", json!(["seven"]), json!([])), 400),
        (
            fetch("INSTANCE", json!([]), json!([{"from": "1", "to": "9"}])),
            422,
        ),
        (json!({"recordType": "MARC_BIB"}), 422),
    ] {
        assert_eq!(
            client.post(&fetched, &wrong).await.status,
            status,
            "{wrong}"
        );
    }

    let verify = "/source-storage/batch/verified-records";
    let asked = json!(["in1", "in7", "in7", "in8"]);
    assert_eq!(
        client.post(verify, &asked).await.expect(200).json(),
        json!({"invalidMarcBibIds": ["in7", "in8"]})
    );
    assert_eq!(
        client.post(verify, &json!([])).await.expect(200).json(),
        json!({"invalidMarcBibIds": []})
    );
    let many = client
        .post(verify, &json!(vec!["x"; 32_768]))
        .await
        .expect(400);
    assert_eq!(many.text, "The number of IDs should not exceed 32767");
}

#[tokio::test]
async fn what_is_no_marc_neither_replaces_marc_nor_keeps_it_from_being_fetched() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let fields = json!([field("245", "10", "a", "Bridges")]);
    let marc = stored(&client, &bib(snapshot_id, Uuid::new_v4(), "in1", fields)).await;
    for (kind, content) in [
        ("EDIFACT", json!("UNA:+.? '")),
        ("MARC_HOLDING", marc["parsedRecord"]["content"].clone()),
    ] {
        let mut other = marc.clone();
        other["recordType"] = json!(kind);
        other["parsedRecord"]["content"] = content;
        let answer = client.put(PARSED, &batch(&[&other])).await;
        let answer = answer.expect(500).json();
        let problem = format!(
            "Parsed Record with id '{}' was not updated",
            text(&marc, "id")
        );
        assert_eq!(answer["errorMessages"], json!([problem]), "{kind}");
    }
    let path = format!("/source-storage/records/{}", text(&marc, "id"));
    assert_eq!(client.get(&path).await.expect(200).json(), marc);

    // What has no fields, or others, is shown as it is, and those beside it are shown too.
    let text_alone = json!("UNA:+.? '");
    let strange = json!({"fields": [7, "x", {"245": "y"}, {"100": "z"}]});
    let mut ids = Vec::new();
    for content in [&text_alone, &strange, &json!({"fields": 7})] {
        let mut order = bib(snapshot_id, Uuid::new_v4(), "in2", json!([]));
        order["recordType"] = json!("EDIFACT");
        order["parsedRecord"]["content"] = content.clone();
        ids.push(stored(&client, &order).await["id"].clone());
    }
    let asked = json!({"conditions": {"idType": "SRS_RECORD", "ids": ids},
                       "data": [{"from": "245", "to": "245"}], "recordType": "EDIFACT"});
    let fetched = format!("{PARSED}/fetch");
    let found = client.post(&fetched, &asked).await.expect(200).json();
    let content_of = |id: &Value| {
        let records = found["records"].as_array().expect("records");
        let record = records.iter().find(|one| one["id"] == *id);
        record.expect("the record")["parsedRecord"]["content"].clone()
    };
    assert_eq!(content_of(&ids[0]), text_alone);
    assert_eq!(content_of(&ids[1]), json!({"fields": [{"245": "y"}]}));
    assert_eq!(content_of(&ids[2]), json!({"fields": 7}));
}

#[tokio::test]
async fn searches_are_made_anew_by_a_job() {
    let library = library().await;
    let client = library.client().await;
    let jobs = "/source-storage/migrations/jobs";
    let wanted = json!({"migrations": ["marcIndexersVersionMigration"]});
    let (one, other) = tokio::join!(client.post(jobs, &wanted), client.post(jobs, &wanted));
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [202, 409]);
    let (begun, refused) = if one.status == 202 {
        (one, other)
    } else {
        (other, one)
    };
    let job = begun.expect(202).json();
    assert_eq!(
        refused.text,
        format!(
            "Failed to initiate migration job, because migration job with id '{}' already in \
             progress",
            text(&job, "id")
        )
    );
    assert_eq!(text(&job, "status"), "IN_PROGRESS");
    work(&library.platform.store, &library.tenant())
        .await
        .expect("the worker");
    let path = format!("{jobs}/{}", text(&job, "id"));
    let ended = client.get(&path).await.expect(200).json();
    assert_eq!(text(&ended, "status"), "COMPLETED");
    assert!(ended["completedDate"].is_string());
    let unknown = json!({"migrations": ["marcIndexersVersionMigration", "magic"]});
    assert_eq!(
        client.post(jobs, &unknown).await.expect(400).text,
        "Specified migrations are not supported. Migrations: [magic]"
    );
    let missing = format!("{jobs}/{}", Uuid::from_u128(7));
    assert_eq!(client.get(&missing).await.status, 404);
    let populate = "/source-storage/populate-test-marc-records";
    let refused = client
        .post(populate, &json!({"rawRecords": []}))
        .await
        .expect(400);
    assert_eq!(refused.text, "Endpoint is available only in test mode");
}
