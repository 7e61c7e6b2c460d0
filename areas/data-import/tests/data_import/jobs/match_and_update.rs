//! Matching, updating, overlaying and modifying.

use serde_json::{Value, json};

use super::{action, book, count, done, log, match_035, raw};
use octavo_server_testkit::library;

fn create_or_update() -> Value {
    json!([match_035(json!([
        action(
            0,
            "MATCH",
            "UPDATE",
            "INSTANCE",
            json!({"mappingFields": []})
        ),
        action(
            0,
            "NON_MATCH",
            "CREATE",
            "INSTANCE",
            json!({"mappingFields": []})
        ),
    ]))])
}

#[tokio::test]
async fn what_is_found_is_updated_and_what_is_not_is_created() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    let first = done(&client, create_or_update(), &[book(1), book(2)]).await;
    assert_eq!(first["status"], "COMMITTED");
    let made = log(&client, &first).await;
    assert_eq!(made[0]["relatedInstanceInfo"]["actionStatus"], "CREATED");
    let changed = raw("001 other\n035   $a(X)1\n245 10$aBook one, changed");
    let second = done(&client, create_or_update(), &[changed, book(3)]).await;
    assert_eq!(
        second["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &second).await
    );
    let lines = log(&client, &second).await;
    assert_eq!(lines[0]["relatedInstanceInfo"]["actionStatus"], "UPDATED");
    assert_eq!(lines[0]["sourceRecordActionStatus"], "UPDATED");
    assert_eq!(
        lines[0]["relatedInstanceInfo"]["idList"],
        made[0]["relatedInstanceInfo"]["idList"]
    );
    assert_eq!(lines[1]["relatedInstanceInfo"]["actionStatus"], "CREATED");
    assert_eq!(count(&library, "instance").await, before + 3);
    let id = made[0]["relatedInstanceInfo"]["idList"][0]
        .as_str()
        .expect("an id");
    let instance = client
        .get(&format!("/instance-storage/instances/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(instance["title"], "Book one, changed");
    assert_eq!(
        instance["hrid"],
        made[0]["relatedInstanceInfo"]["hridList"][0]
    );
    let path = format!("/source-storage/source-records/{id}?idType=INSTANCE");
    let record = client.get(&path).await.expect(200).json();
    assert_eq!(record["generation"], 1);
    assert_eq!(
        record["parsedRecord"]["content"]["fields"][0]["001"],
        instance["hrid"]
    );
    // The same twice in one chunk is made once.
    let twice = done(&client, create_or_update(), &[book(9), book(9)]).await;
    let states: Vec<Value> = log(&client, &twice)
        .await
        .iter()
        .map(|line| line["relatedInstanceInfo"]["actionStatus"].clone())
        .collect();
    assert_eq!(states, ["CREATED", "UPDATED"]);
    assert_eq!(count(&library, "instance").await, before + 4);
}

#[tokio::test]
async fn protected_fields_stay_when_a_record_is_laid_over() {
    let library = library().await;
    let client = library.client().await;
    let setting = json!({"field": "590", "indicator1": "*", "indicator2": "*", "subfield": "*",
        "data": "*", "source": "USER"});
    let _ = client
        .post("/field-protection-settings/marc", &setting)
        .await
        .expect(201);
    let old = raw("001 a\n035   $a(X)1\n245 10$aOld\n500   $aOld note\n590   $aLocal");
    let made = done(&client, create_or_update(), &[old]).await;
    let tree = json!([match_035(json!([action(
        0,
        "MATCH",
        "UPDATE",
        "MARC_BIBLIOGRAPHIC",
        json!({"marcMappingDetails": [], "marcMappingOption": "UPDATE"})
    )]))]);
    let new = raw("001 b\n035   $a(X)1\n245 10$aNew\n500   $aNew note");
    let changed = done(&client, tree, &[new]).await;
    assert_eq!(
        changed["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &changed).await
    );
    let id = log(&client, &made).await[0]["relatedInstanceInfo"]["idList"][0].clone();
    let path = format!(
        "/source-storage/source-records/{}?idType=INSTANCE",
        id.as_str().expect("an id")
    );
    let record = client.get(&path).await.expect(200).json();
    let fields = record["parsedRecord"]["content"]["fields"].to_string();
    assert!(
        fields.contains("Local") && fields.contains("New note"),
        "{fields}"
    );
    assert!(!fields.contains("Old"), "{fields}");
}

#[tokio::test]
async fn several_that_match_are_an_error_of_that_record() {
    let library = library().await;
    let client = library.client().await;
    let create = json!([action(
        0,
        "MATCH",
        "CREATE",
        "INSTANCE",
        json!({"mappingFields": []})
    )]);
    let _ = done(&client, create, &[book(1), book(1)]).await;
    let before = count(&library, "instance").await;
    let found = done(&client, create_or_update(), &[book(1), book(2)]).await;
    assert_eq!(found["status"], "ERROR");
    let lines = log(&client, &found).await;
    let job = found["id"].as_str().expect("an id");
    assert_eq!(
        lines[0]["error"],
        format!(
            "Found multiple records corresponding to match profile criteria, incomingRecordId: '{}', \
             jobExecutionId: '{job}'",
            lines[0]["incomingRecordId"].as_str().expect("an id")
        )
    );
    assert_eq!(lines[1]["relatedInstanceInfo"]["actionStatus"], "CREATED");
    assert_eq!(count(&library, "instance").await, before + 1);
}

#[tokio::test]
async fn instances_are_found_by_their_numbers_and_records_modified() {
    let library = library().await;
    let client = library.client().await;
    let add = json!({"marcMappingDetails": [{"order": 0, "action": "ADD", "field": {"field": "590",
        "indicator1": "", "indicator2": "", "subfields": [{"subfield": "a",
        "data": {"text": "Added"}}]}}], "marcMappingOption": "MODIFY"});
    let status = json!({"mappingFields": [{"name": "catalogedDate", "enabled": "true",
        "path": "instance.catalogedDate", "value": "###TODAY###"}]});
    let tree = json!([
        action(0, "MATCH", "MODIFY", "MARC_BIBLIOGRAPHIC", add),
        action(1, "MATCH", "CREATE", "INSTANCE", status),
    ]);
    let made = done(&client, tree, &[book(1)]).await;
    assert_eq!(
        made["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &made).await
    );
    let line = log(&client, &made).await.remove(0);
    let id = line["relatedInstanceInfo"]["idList"][0]
        .as_str()
        .expect("an id")
        .to_owned();
    let instance = client
        .get(&format!("/instance-storage/instances/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(instance["catalogedDate"].as_str().map(str::len), Some(10));
    let record = client
        .get(&format!(
            "/source-storage/source-records/{id}?idType=INSTANCE"
        ))
        .await;
    assert!(
        record.expect(200).json()["parsedRecord"]
            .to_string()
            .contains("Added")
    );
    let side = |tag: &str| {
        json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [
        {"label": "field", "value": tag}, {"label": "indicator1", "value": ""},
        {"label": "indicator2", "value": ""}, {"label": "recordSubfield", "value": ""}]})
    };
    let tree = json!([{
        "id": uuid::Uuid::new_v4(), "contentType": "MATCH_PROFILE", "order": 0,
        "content": {"name": "hrid", "matchDetails": [{"incomingRecordType": "MARC_BIBLIOGRAPHIC",
            "existingRecordType": "INSTANCE", "matchCriterion": "EXACTLY_MATCHES",
            "incomingMatchExpression": side("001"), "existingMatchExpression": {
                "dataValueType": "VALUE_FROM_RECORD", "fields": [{"label": "field",
                "value": "instance.hrid"}]}}]},
        "childSnapshotWrappers": [action(0, "MATCH", "UPDATE", "INSTANCE", json!({"mappingFields": []}))],
    }]);
    let hrid = instance["hrid"].as_str().expect("a number");
    let records = [
        raw(&format!("001 {hrid}\n245 10$aBy its number")),
        raw("001 nobody\n245 10$aNone"),
    ];
    let found = done(&client, tree, &records).await;
    assert_eq!(
        found["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &found).await
    );
    let lines = log(&client, &found).await;
    assert_eq!(lines[0]["relatedInstanceInfo"]["idList"][0], id);
    assert_eq!(lines[0]["relatedInstanceInfo"]["actionStatus"], "UPDATED");
    assert_eq!(lines[1]["relatedInstanceInfo"]["actionStatus"], "DISCARDED");
    let instance = client
        .get(&format!("/instance-storage/instances/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(instance["title"], "By its number");
    assert_eq!(instance["catalogedDate"].as_str().map(str::len), Some(10));
}
