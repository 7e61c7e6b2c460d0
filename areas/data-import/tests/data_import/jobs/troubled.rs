//! Jobs with records or portions that fail: the other records are imported.

use std::time::{Duration, Instant};

use octavo_testkit::Library;
use serde_json::{Value, json};
use uuid::Uuid;

use super::stock::{first, location};
use super::{
    JOBS, action, book, chunk, count, done, ended, job, log, match_035, portion, raw, send,
};
use octavo_server_testkit::library;

/// Lets the database do something when a table is written.
async fn when_written(library: &Library, table: &str, when: &str, what: &str) {
    let sql = format!(
        "CREATE FUNCTION tenant_diku.in_between() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN {what}; RETURN NEW; END $$; \
         CREATE TRIGGER in_between BEFORE INSERT ON tenant_diku.{table} {when} \
         EXECUTE FUNCTION tenant_diku.in_between()"
    );
    execute(library, &sql).await;
}

async fn execute(library: &Library, sql: &str) {
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a connection");
    transaction.batch_execute(sql).await.expect("a statement");
    transaction.commit().await.expect("it is kept");
}

fn none() -> Value {
    json!({"mappingFields": []})
}

fn match_detail(tag: &str, code: &str, existing: &str, property: &str, children: Value) -> Value {
    json!({
        "id": Uuid::new_v4(), "contentType": "MATCH_PROFILE", "order": 0,
        "content": {"name": property, "matchDetails": [{"incomingRecordType": "MARC_BIBLIOGRAPHIC",
            "existingRecordType": existing, "matchCriterion": "EXACTLY_MATCHES",
            "incomingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD", "fields": [
                {"label": "field", "value": tag}, {"label": "indicator1", "value": ""},
                {"label": "indicator2", "value": ""}, {"label": "recordSubfield", "value": code}]},
            "existingMatchExpression": {"dataValueType": "VALUE_FROM_RECORD",
                "fields": [{"label": "field", "value": property}]}}]},
        "childSnapshotWrappers": children,
    })
}

#[tokio::test]
async fn a_portion_keeps_no_savepoint_of_the_steps_behind_it() {
    let library = library().await;
    let client = library.client().await;
    execute(&library, "CREATE TABLE tenant_diku.level (locks bigint)").await;
    // Each savepoint that was written after holds a lock until it is released.
    let levels = "INSERT INTO tenant_diku.level SELECT count(*) FROM pg_locks \
                  WHERE pid = pg_backend_pid() AND locktype = 'transactionid'";
    when_written(&library, "import_journal", "FOR EACH STATEMENT", levels).await;
    let nowhere = json!({"mappingFields": [{"name": "p", "enabled": "true",
        "path": "holdings.permanentLocationId", "value": "\"ATTIC\"", "subfields": []}]});
    let tree = json!([match_035(json!([
        action(0, "MATCH", "UPDATE", "INSTANCE", none()),
        action(0, "NON_MATCH", "CREATE", "INSTANCE", none()),
        action(1, "NON_MATCH", "CREATE", "HOLDINGS", nowhere),
    ]))]);
    let records: Vec<String> = (0..5).chain(0..5).map(book).collect();
    let made = done(&client, tree, &records).await;
    let lines = log(&client, &made).await;
    assert_eq!(
        lines[9]["relatedInstanceInfo"]["actionStatus"], "UPDATED",
        "{lines:?}"
    );
    let database = &library.platform.store.database;
    let sql = "SELECT max(locks) FROM tenant_diku.level";
    let rows = database.query(sql, &[]).await.expect("levels");
    assert_eq!(rows[0].get::<_, Option<i64>>(0), Some(1));
}

#[tokio::test]
async fn a_portion_that_always_fails_lets_others_go_first_and_ends_its_job() {
    let library = library().await;
    let client = library.client().await;
    let before = count(&library, "instance").await;
    // As when the database runs out of locks: it is there, and does not do this.
    let fails = "IF NEW.jsonb->>'title' = 'Poison' THEN RAISE EXCEPTION 'out of shared memory' \
                 USING ERRCODE = '53200'; END IF";
    when_written(&library, "instance", "FOR EACH ROW", fails).await;
    let troubled = job(&client).await;
    let poison = raw("001 p\n245 10$aPoison");
    send(&client, &troubled, &[book(1), book(2), poison, book(3)]).await;
    let other = job(&client).await;
    send(&client, &other, &[book(9)]).await;
    assert_eq!(ended(&client, &other).await["status"], "COMMITTED");
    let path = format!("{JOBS}/{troubled}");
    let document = client.get(&path).await.expect(200).json();
    assert_eq!(document["status"], "PARSING_IN_PROGRESS");
    let started = Instant::now();
    let ended = loop {
        let now = "UPDATE tenant_diku.octavo_job_attempt SET not_before = NULL";
        execute(&library, now).await;
        let _ = portion(&library.platform).await;
        let document = client.get(&path).await.expect(200).json();
        if document["status"] != "PARSING_IN_PROGRESS" {
            break document;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{document}");
    };
    assert_eq!(
        (&ended["status"], &ended["errorStatus"]),
        (&json!("ERROR"), &json!("FILE_PROCESSING_ERROR"))
    );
    // The portions became so small that those before it were done.
    assert_eq!(count(&library, "instance").await, before + 3);
    let lines = log(&client, &ended).await;
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(lines[2]["sourceRecordOrder"], "2");
    let error = lines[2]["error"].as_str().unwrap_or_default();
    assert!(error.contains("given up"), "{lines:?}");
    assert_eq!(count(&library, "octavo_job_attempt").await, 0);
}

#[tokio::test]
async fn a_match_that_no_index_serves_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let update = json!([action(0, "MATCH", "UPDATE", "INSTANCE", none())]);
    let tree = json!([match_detail(
        "001",
        "",
        "INSTANCE",
        "instance.catalogedDate",
        update
    )]);
    let done = done(&client, tree, &[book(1)]).await;
    assert_eq!(done["status"], "ERROR");
    let lines = log(&client, &done).await;
    assert!(
        lines[0].to_string().contains("no index serves"),
        "{lines:?}"
    );
}

#[tokio::test]
async fn edits_that_let_a_record_grow_without_end_are_refused() {
    let library = library().await;
    let client = library.client().await;
    let double = |order: usize| {
        json!({"order": order, "action": "EDIT", "field": {"field": "245", "indicator1": "*",
            "indicator2": "*", "subfields": [{"subfield": "a", "subaction": "REPLACE",
            "data": {"find": "o", "replaceWith": "oo"}}]}})
    };
    let details: Vec<Value> = (0..40).map(double).collect();
    let edits = json!({"marcMappingDetails": details, "marcMappingOption": "MODIFY"});
    let tree = json!([
        action(0, "MATCH", "MODIFY", "MARC_BIBLIOGRAPHIC", edits),
        action(1, "MATCH", "CREATE", "INSTANCE", none()),
    ]);
    let made = done(&client, tree, &[book(1)]).await;
    assert_eq!(made["status"], "ERROR");
    let lines = log(&client, &made).await;
    let error = lines[0]["error"].as_str().unwrap_or_default();
    assert!(error.contains("larger than"), "{lines:?}");
}

/// A chunk of MARC in JSON.
fn in_json(titles: &[&str]) -> Value {
    let records: Vec<String> = titles
        .iter()
        .map(|title| {
            json!({"leader": "00000nam a2200000 a 4500", "fields": [
                {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": title}]}}]})
            .to_string()
        })
        .collect();
    let mut chunk = chunk(&records, 0, records.len(), true);
    chunk["recordsMetadata"]["contentType"] = json!("MARC_JSON");
    chunk
}

#[tokio::test]
async fn a_record_that_cannot_be_stored_costs_no_other() {
    let library = library().await;
    let client = library.client().await;
    let path = |job: &str| format!("{JOBS}/{job}/records");
    let with_nul = job(&client).await;
    let sent = in_json(&["Plain", "With\u{0}out"]);
    let _ = client.post(&path(&with_nul), &sent).await.expect(204);
    let made = ended(&client, &with_nul).await;
    let lines = log(&client, &made).await;
    assert_eq!(made["status"], "COMMITTED", "{lines:?}");
    assert_eq!(lines[1]["sourceRecordTitle"], "With\u{FFFD}out");
    // Whatever else the database may not take.
    let refuses = "IF NEW.parsed::text LIKE '%Unheard%' THEN RAISE EXCEPTION 'no such character' \
                   USING ERRCODE = '22P05'; END IF";
    when_written(&library, "import_incoming", "FOR EACH ROW", refuses).await;
    let other = job(&client).await;
    let sent = in_json(&["Before", "Unheard", "Behind"]);
    let _ = client.post(&path(&other), &sent).await.expect(204);
    let made = ended(&client, &other).await;
    let lines = log(&client, &made).await;
    assert_eq!(
        (&made["status"], lines.len()),
        (&json!("ERROR"), 3),
        "{lines:?}"
    );
    for (line, state) in lines.iter().zip(["CREATED", "DISCARDED", "CREATED"]) {
        assert_eq!(line["sourceRecordActionStatus"], state, "{lines:?}");
    }
    assert_eq!(lines[1]["error"], "no such character");
}

#[tokio::test]
async fn items_are_found_however_many_their_holdings_have() {
    let library = library().await;
    let client = library.client().await;
    let place = location(&client).await;
    let material = first(&client, "/material-types", "mtypes").await;
    let loan = client
        .post("/loan-types", &json!({"name": "For this"}))
        .await
        .expect(201)
        .json();
    let create = json!([action(0, "MATCH", "CREATE", "INSTANCE", none())]);
    let made = done(&client, create, &[book(1)]).await;
    let lines = log(&client, &made).await;
    let source = first(&client, "/holdings-sources", "holdingsRecordsSources").await;
    let holdings = json!({"hrid": "ho-many", "permanentLocationId": place["id"],
        "sourceId": source["id"],
        "instanceId": lines[0]["relatedInstanceInfo"]["idList"][0]});
    let holdings = client
        .post("/holdings-storage/holdings", &holdings)
        .await
        .expect(201)
        .json();
    let items: Vec<Value> = (0..250)
        .map(|at| {
            json!({"hrid": format!("it-many-{at:03}"), "barcode": format!("B {at}"),
                "status": {"name": "Available"}, "holdingsRecordId": holdings["id"],
                "materialTypeId": material["id"], "permanentLoanTypeId": loan["id"],
                "notes": [{"note": format!("N-{}", at / 225), "staffOnly": true}]})
        })
        .collect();
    let _ = client
        .post("/item-storage/batch/synchronous", &json!({"items": items}))
        .await
        .expect(201);
    let change = || {
        let copy = json!({"mappingFields": [{"name": "copyNumber", "enabled": "true",
            "path": "item.copyNumber", "value": "945$c", "subfields": []}]});
        json!([action(0, "MATCH", "UPDATE", "ITEM", copy)])
    };
    let tree = |property: &str| {
        let item = match_detail("945", "b", "ITEM", property, change());
        json!([match_detail(
            "001",
            "",
            "HOLDINGS",
            "holdings.hrid",
            json!([item])
        )])
    };
    let record = |value: &str| raw(&format!("001 ho-many\n245 10$ax\n945   $b{value}$cc. 2"));
    let records = [record("B 249"), record("B 250"), record("B 24")];
    let found = done(&client, tree("item.barcode"), &records).await;
    let lines = log(&client, &found).await;
    let states: Vec<&Value> = lines
        .iter()
        .map(|line| &line["relatedItemInfo"][0]["actionStatus"])
        .collect();
    assert_eq!(states, ["UPDATED", "DISCARDED", "UPDATED"], "{lines:?}");
    let item = client
        .get("/item-storage/items?query=hrid==it-many-249")
        .await
        .expect(200)
        .json();
    assert_eq!(item["items"][0]["copyNumber"], "c. 2");
    // Where several fit there are several, be they 25 or 225.
    for value in ["N-1", "N-0"] {
        let found = done(&client, tree("item.notes[].note"), &[record(value)]).await;
        let lines = log(&client, &found).await;
        assert!(lines[0].to_string().contains("Found multiple"), "{lines:?}");
    }
}
