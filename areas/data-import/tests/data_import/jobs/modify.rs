//! Modifications of stored MARC records, and the instances derived from them.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::stock::field;
use super::{action, count, created, done, log, match_035, raw, source};
use octavo_server_testkit::library;

const STORED: &str = "001 m1\n035   $a(M)1\n245 10$aBridges\n500   $aOld note$5X\n\
    650  0$aBridges\n856 40$uhttp://a";

/// An incoming record with nothing but the number that it is matched by.
fn comes() -> String {
    raw("001 other\n035   $a(M)1\n245 10$aWhat comes\n952   $aComes")
}

/// A modification by these details, of whatever the record's number finds.
fn modify(details: &Value) -> Value {
    let details = json!({"marcMappingDetails": details, "marcMappingOption": "MODIFY"});
    json!([match_035(json!([action(
        0,
        "MATCH",
        "MODIFY",
        "MARC_BIBLIOGRAPHIC",
        details
    )]))])
}

fn detail(order: i64, action: &str, tag: &str, subfields: &Value) -> Value {
    json!({"order": order, "action": action, "field": {"field": tag, "indicator1": "*",
        "indicator2": "*", "subfields": subfields}})
}

/// The fields of an instance's record, but for what changes each time.
async fn fields(client: &Client, instance: &str) -> (i64, Vec<String>) {
    let record = source(client, instance).await;
    let content = &record["parsedRecord"]["content"];
    let marc = octavo_marc::Record::from_json(content).expect("MARC");
    let lines = marc.to_string();
    let lines = lines.lines().filter(|line| {
        !["LDR", "005", "999"]
            .iter()
            .any(|tag| line.starts_with(tag))
    });
    let generation = record["generation"].as_i64().expect("a number");
    (generation, lines.skip(1).map(str::to_owned).collect())
}

async fn instance(client: &Client, id: &str) -> Value {
    let path = format!("/instance-storage/instances/{id}");
    client.get(&path).await.expect(200).json()
}

#[tokio::test]
async fn a_record_that_is_found_is_changed_and_its_instance_follows() {
    let library = library().await;
    let client = library.client().await;
    let (id, hrid) = created(&client, &[raw(STORED)]).await.remove(0);
    let steps = [
        (
            json!([
                detail(
                    0,
                    "ADD",
                    "590",
                    &json!([{"subfield": "a", "data": {"text": "Ours"}}])
                ),
                detail(
                    1,
                    "ADD",
                    "650",
                    &json!([{"subfield": "a", "data": {"text": "Added"}}])
                )
            ]),
            vec![
                "500   $aOld note$5X",
                "590   $aOurs",
                "650  0$aBridges",
                "650   $aAdded",
            ],
        ),
        (
            json!([
                detail(0, "DELETE", "500", &json!([{"subfield": "5"}])),
                detail(1, "DELETE", "590", &json!([{"subfield": "*"}]))
            ]),
            vec!["500   $aOld note", "650  0$aBridges", "650   $aAdded"],
        ),
        (
            json!([
                detail(
                    0,
                    "EDIT",
                    "500",
                    &json!([{"subfield": "a", "subaction": "REPLACE",
                       "data": {"find": "Old", "replaceWith": "New"}}])
                ),
                detail(
                    1,
                    "EDIT",
                    "245",
                    &json!([{"subfield": "a", "subaction": "INSERT",
                       "position": "AFTER_STRING", "data": {"text": " of stone"}}])
                )
            ]),
            vec!["500   $aNew note", "650  0$aBridges", "650   $aAdded"],
        ),
        (
            json!([detail(
                0,
                "MOVE",
                "500",
                &json!([{"subfield": "*", "subaction":
                "CREATE_NEW_FIELD", "data": {"marcField": {"field": "520", "indicator1": "",
                "indicator2": ""}}}])
            )]),
            vec!["520   $aNew note", "650  0$aBridges", "650   $aAdded"],
        ),
    ];
    for (at, (details, expected)) in steps.into_iter().enumerate() {
        let changed = done(&client, modify(&details), &[comes()]).await;
        let lines = log(&client, &changed).await;
        assert_eq!(changed["status"], "COMMITTED", "{lines:?}");
        assert_eq!(lines[0]["relatedInstanceInfo"]["idList"][0], *id);
        assert_eq!(lines[0]["relatedInstanceInfo"]["actionStatus"], "UPDATED");
        assert_eq!(lines[0]["sourceRecordActionStatus"], "UPDATED");
        let (generation, fields) = fields(&client, &id).await;
        assert_eq!(generation, at as i64 + 1);
        let title = ["245 10$aBridges", "245 10$aBridges of stone"][usize::from(at > 1)];
        let first = format!("001 {hrid}");
        let head = [first.as_str(), "035   $a(M)1", "035   $am1", title];
        let all = [&head[..], &expected[..], &["856 40$uhttp://a"]].concat();
        assert_eq!(fields, all, "{at}");
    }
    let now = instance(&client, &id).await;
    assert_eq!(now["hrid"], *hrid);
    assert_eq!(now["title"], "Bridges of stone");
    assert_eq!(now["notes"][0]["note"], "New note");
    assert_eq!(now["notes"].as_array().map(Vec::len), Some(1));
    assert_eq!(now["subjects"].as_array().map(Vec::len), Some(2));
    // What found it is not what it came as.
    let raw_record = &source(&client, &id).await["rawRecord"]["content"];
    assert_eq!(*raw_record, json!(raw(STORED)));
    let sql = "SELECT count(*) FROM tenant_diku.source_record WHERE jsonb->>'state' = 'ACTUAL'";
    let database = &library.platform.store.database;
    let rows = database.query(sql, &[]).await.expect("a count");
    assert_eq!(rows[0].get::<_, i64>(0), 1);
}

#[tokio::test]
async fn a_modification_that_is_refused_changes_nothing() {
    let library = library().await;
    let client = library.client().await;
    let (id, _) = created(&client, &[raw(STORED)]).await.remove(0);
    let before = (instance(&client, &id).await, fields(&client, &id).await);
    for (details, error) in [
        (
            json!([detail(0, "DELETE", "245", &json!([{"subfield": "*"}]))]),
            "title",
        ),
        (json!([detail(0, "TURN", "500", &json!([]))]), "TURN"),
        (
            json!([
                detail(
                    0,
                    "ADD",
                    "590",
                    &json!([{"subfield": "a", "data": {"text": "x"}}])
                ),
                detail(
                    1,
                    "EDIT",
                    "500",
                    &json!([{"subfield": "a", "subaction": "SHAKE"}])
                )
            ]),
            "SHAKE",
        ),
    ] {
        let refused = done(&client, modify(&details), &[comes()]).await;
        let lines = log(&client, &refused).await;
        assert_eq!(refused["status"], "ERROR", "{lines:?}");
        assert!(lines[0]["error"].to_string().contains(error), "{lines:?}");
        let after = (instance(&client, &id).await, fields(&client, &id).await);
        assert_eq!(after, before);
    }
}

#[tokio::test]
async fn what_comes_is_modified_before_it_is_laid_over() {
    let library = library().await;
    let client = library.client().await;
    let (id, _) = created(&client, &[raw(STORED)]).await.remove(0);
    let holdings = count(&library, "holdings_record").await;
    let details = json!({"marcMappingOption": "MODIFY", "marcMappingDetails": [
        detail(0, "DELETE", "952", &json!([{"subfield": "*"}]))]});
    let updated = json!({"mappingFields": [field("instance.catalogedDate", "###TODAY###")]});
    let tree = json!([match_035(json!([
        action(0, "MATCH", "MODIFY", "MARC_BIBLIOGRAPHIC", details),
        action(1, "MATCH", "UPDATE", "INSTANCE", updated),
    ]))]);
    let changed = done(&client, tree, &[comes()]).await;
    assert_eq!(
        changed["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &changed).await
    );
    assert_eq!(instance(&client, &id).await["title"], "What comes");
    let (generation, fields) = fields(&client, &id).await;
    assert_eq!(generation, 1);
    assert!(
        !fields.iter().any(|line| line.contains("Comes")),
        "{fields:?}"
    );
    assert!(
        !fields.iter().any(|line| line.contains("Old note")),
        "{fields:?}"
    );
    assert_eq!(count(&library, "holdings_record").await, holdings);
}

#[tokio::test]
async fn an_update_of_some_fields_leaves_the_others() {
    let library = library().await;
    let client = library.client().await;
    let (id, _) = created(&client, &[raw(STORED)]).await.remove(0);
    let named = json!({"order": 0, "action": "EDIT", "field": {"field": "500", "indicator1": "*",
        "indicator2": "*", "subfields": [{"subfield": "*"}]}});
    let details = json!({"marcMappingOption": "UPDATE", "marcMappingDetails": [named]});
    let tree = json!([match_035(json!([action(
        0,
        "MATCH",
        "UPDATE",
        "MARC_BIBLIOGRAPHIC",
        details
    )]))]);
    let came = raw("001 other\n035   $a(M)1\n245 10$aOther\n500   $aOne\n500   $aTwo");
    let changed = done(&client, tree, &[came]).await;
    assert_eq!(
        changed["status"],
        "COMMITTED",
        "{:?}",
        log(&client, &changed).await
    );
    let (_, fields) = fields(&client, &id).await;
    let notes = [
        "245 10$aBridges",
        "500   $aOne",
        "500   $aTwo",
        "650  0$aBridges",
    ];
    assert_eq!(fields[3..7], notes, "{fields:?}");
}
