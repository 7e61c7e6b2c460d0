//! Import jobs over HTTP, as FOLIO's clients drive them.

mod bytes;
mod create;
mod deleted;
mod deletions;
mod files;
mod holdings;
mod logs;
mod match_and_update;
mod matches;
mod modify;
mod parts;
mod resume;
mod several;
mod stock;
mod trees;
mod troubled;
mod uploads;

use std::time::{Duration, Instant};

use octavo_data_import::app::work::Imports;
use octavo_jobs::Workers;
use octavo_marc::{parse_text, write_iso2709};
use octavo_platform::Platform;
use octavo_records::Tenant;
use octavo_testkit::{Client, Library};
use serde_json::{Value, json};
use uuid::Uuid;

pub const JOBS: &str = "/change-manager/jobExecutions";
pub const CREATE_INSTANCES: &str = "e34d7b92-9b83-11eb-a8b3-0242ac130003";

/// A record in ISO 2709, from lines.
pub fn raw(lines: &str) -> String {
    let mut record = parse_text(lines).expect("a record");
    record.leader = octavo_marc::Leader::from_bytes(b"00000nam a2200000 a 4500");
    String::from_utf8(write_iso2709(&record).expect("it can be written")).expect("text")
}

/// A small record of its own.
pub fn book(number: usize) -> String {
    raw(&format!(
        "001 b{number}\n008 240101s2024    xx            000 0 eng d\n035   $a(X){number}\n245 10$aBook {number}"
    ))
}

/// Does one portion of a job that waits, as a process of its own; false when there is none.
pub async fn portion(platform: &Platform) -> bool {
    let (workers, tenant) = (Workers::default(), Tenant::new("diku").expect("an id"));
    let run = workers.run_at_most(&platform.store, &tenant, &Imports, 1);
    run.await.expect("the database answers") > 0
}

/// The administrator's id.
pub async fn user(client: &Client) -> Value {
    let users = client
        .get("/users?query=username==diku_admin")
        .await
        .expect(200)
        .json();
    users["users"][0]["id"].clone()
}

/// A new job without a profile.
pub async fn bare_job(client: &Client) -> String {
    let wanted = json!({"sourceType": "ONLINE", "files": [], "userId": user(client).await,
        "jobProfileInfo": {"id": CREATE_INSTANCES, "name": "x", "dataType": "MARC"}});
    let begun = client.post(JOBS, &wanted).await.expect(201).json();
    begun["parentJobExecutionId"]
        .as_str()
        .expect("an id")
        .to_owned()
}

/// A new job that creates instances.
pub async fn job(client: &Client) -> String {
    let id = bare_job(client).await;
    let info = json!({"id": CREATE_INSTANCES, "dataType": "MARC"});
    let _ = client
        .put(&format!("{JOBS}/{id}/jobProfile"), &info)
        .await
        .expect(200);
    id
}

/// A new job with a tree of its own below the job profile.
pub async fn job_with(client: &Client, children: Value) -> String {
    let id = bare_job(client).await;
    let mut document = client.get(&format!("{JOBS}/{id}")).await.expect(200).json();
    document["jobProfileSnapshotWrapper"] = json!({
        "id": Uuid::new_v4(), "profileId": CREATE_INSTANCES, "contentType": "JOB_PROFILE", "order": 0,
        "content": {"id": CREATE_INSTANCES, "name": "x", "dataType": "MARC"},
        "childSnapshotWrappers": children,
    });
    let _ = client
        .put(&format!("{JOBS}/{id}"), &document)
        .await
        .expect(200);
    id
}

/// An action with its mapping.
pub fn action(order: i64, react: &str, action: &str, entity: &str, details: Value) -> Value {
    let existing = if entity.starts_with("MARC") {
        "MARC_BIBLIOGRAPHIC"
    } else {
        entity
    };
    json!({
        "id": Uuid::new_v4(), "contentType": "ACTION_PROFILE", "order": order, "reactTo": react,
        "content": {"name": "a", "action": action, "folioRecord": entity},
        "childSnapshotWrappers": [{"id": Uuid::new_v4(), "contentType": "MAPPING_PROFILE", "order": 0,
            "content": {"name": "m", "incomingRecordType": "MARC_BIBLIOGRAPHIC",
                "existingRecordType": existing, "mappingDetails": details}}],
    })
}

/// The side of a match that is a MARC field: `035`, blanks or `ff`, `a`.
pub fn marc(tag: &str, indicators: &str, code: &str) -> Value {
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [
        {"label": "field", "value": tag},
        {"label": "indicator1", "value": indicators.get(..1).unwrap_or_default().trim()},
        {"label": "indicator2", "value": indicators.get(1..).unwrap_or_default().trim()},
        {"label": "recordSubfield", "value": code}]})
}

/// The side that is a property of what is there: `instance.hrid`.
pub fn property(path: &str) -> Value {
    json!({"dataValueType": "VALUE_FROM_RECORD", "fields": [{"label": "field", "value": path}]})
}

/// A match of incoming with existing records, and the action for matches.
pub fn match_by(
    existing: &str,
    incoming: &Value,
    criterion: &str,
    there: &Value,
    children: Value,
) -> Value {
    json!({
        "id": Uuid::new_v4(), "contentType": "MATCH_PROFILE", "order": 0, "reactTo": "MATCH",
        "content": {"name": "match", "incomingRecordType": "MARC_BIBLIOGRAPHIC",
            "existingRecordType": existing, "matchDetails": [{
                "incomingRecordType": "MARC_BIBLIOGRAPHIC", "existingRecordType": existing,
                "matchCriterion": criterion, "incomingMatchExpression": incoming,
                "existingMatchExpression": there}]},
        "childSnapshotWrappers": children,
    })
}

/// A match of 035$a with 035$a of MARC records, and what is done then.
pub fn match_035(children: Value) -> Value {
    let side = marc("035", "", "a");
    match_by(
        "MARC_BIBLIOGRAPHIC",
        &side,
        "EXACTLY_MATCHES",
        &side,
        children,
    )
}

/// A chunk of records; `last` with how many there are in all.
pub fn chunk(records: &[String], first: usize, total: usize, last: bool) -> Value {
    let list: Vec<Value> = records
        .iter()
        .zip(first..)
        .map(|(record, order)| json!({"record": record, "order": order}))
        .collect();
    json!({
        "id": Uuid::new_v4(), "initialRecords": list,
        "recordsMetadata": {"last": last, "counter": first + records.len(), "total": total,
            "contentType": "MARC_RAW"},
    })
}

/// Sends records in one chunk and the empty last one, as FOLIO's clients do.
pub async fn send(client: &Client, job: &str, records: &[String]) {
    let path = format!("{JOBS}/{job}/records");
    let total = records.len();
    let _ = client
        .post(&path, &chunk(records, 0, total, false))
        .await
        .expect(204);
    let _ = client
        .post(&path, &chunk(&[], total, total, true))
        .await
        .expect(204);
}

/// Waits until a job has ended; returns it.
pub async fn ended(client: &Client, job: &str) -> Value {
    let started = Instant::now();
    loop {
        let document = client
            .get(&format!("{JOBS}/{job}"))
            .await
            .expect(200)
            .json();
        let status = document["status"].as_str().unwrap_or_default().to_owned();
        if ["COMMITTED", "ERROR", "CANCELLED", "DISCARDED"].contains(&status.as_str()) {
            return document;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{document}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A job that does these records by this tree; returns it as it ended.
pub async fn done(client: &Client, children: Value, records: &[String]) -> Value {
    let id = job_with(client, children).await;
    send(client, &id, records).await;
    ended(client, &id).await
}

/// Instances of these records, created; their ids and numbers.
pub async fn created(client: &Client, records: &[String]) -> Vec<(String, String)> {
    let none = json!({"mappingFields": []});
    let tree = json!([action(0, "MATCH", "CREATE", "INSTANCE", none)]);
    let made = done(client, tree, records).await;
    let lines = log(client, &made).await;
    assert_eq!(made["status"], "COMMITTED", "{lines:?}");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let of = |line: &Value| {
        let instance = &line["relatedInstanceInfo"];
        (text(&instance["idList"][0]), text(&instance["hridList"][0]))
    };
    lines.iter().map(of).collect()
}

/// The current record of an instance.
pub async fn source(client: &Client, instance: &str) -> Value {
    let path = format!("/source-storage/records/{instance}/formatted?idType=INSTANCE");
    client.get(&path).await.expect(200).json()
}

/// The lines of a job's log.
pub async fn log(client: &Client, job: &Value) -> Vec<Value> {
    let id = job["id"].as_str().expect("an id");
    let path = format!("/metadata-provider/jobLogEntries/{id}?limit=1000");
    let log = client.get(&path).await.expect(200).json();
    log["entries"].as_array().expect("a list").clone()
}

/// How many records a table has.
pub async fn count(library: &Library, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM tenant_diku.{table}");
    let rows = library
        .platform
        .store
        .database
        .query(&sql, &[])
        .await
        .expect("a count");
    rows[0].get(0)
}
