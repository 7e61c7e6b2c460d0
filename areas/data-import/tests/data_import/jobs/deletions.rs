//! Authorities that imports delete, with FOLIO's default profiles and with others.

use octavo_marc::{Leader, parse_text, write_iso2709};
use octavo_testkit::Client;
use serde_json::{Value, json};

use super::{JOBS, action, bare_job, book, done, ended, log, send};
use octavo_server_testkit::library;

const CREATE_AUTHORITIES: &str = "6eefa4c6-bbf7-4845-ad82-de7fc5abd0e3";
const DELETE_AUTHORITIES: &str = "1a338fcd-3efc-4a03-b007-394eeb0d5fb9";

/// An authority record, from lines.
fn authority(lines: &str) -> String {
    let mut record = parse_text(lines).expect("a record");
    record.leader = Leader::from_bytes(b"00000nz  a2200000n  4500");
    String::from_utf8(write_iso2709(&record).expect("it can be written")).expect("text")
}

/// A job by one of the default profiles, as it ended.
async fn by_profile(client: &Client, profile: &str, records: &[String]) -> Value {
    let id = bare_job(client).await;
    let info = json!({"id": profile, "dataType": "MARC"});
    let _ = client
        .put(&format!("{JOBS}/{id}/jobProfile"), &info)
        .await
        .expect(200);
    send(client, &id, records).await;
    ended(client, &id).await
}

/// Two authorities; their ids and those that the generations of their MARC records share.
async fn two_authorities(client: &Client) -> Vec<(String, String)> {
    let records = [
        "010   $azz 1\n100 1 $aHolm, Ida",
        "010   $azz 2\n100 1 $aHolm, Per",
    ];
    let records = records.map(authority);
    let made = by_profile(client, CREATE_AUTHORITIES, &records).await;
    assert_eq!(
        made["status"],
        "COMMITTED",
        "{:?}",
        log(client, &made).await
    );
    let mut ids = Vec::new();
    for line in log(client, &made).await {
        let id = line["relatedAuthorityInfo"]["idList"][0].as_str();
        let id = id.expect("an id").to_owned();
        let path = format!("/source-storage/source-records/{id}?idType=AUTHORITY");
        let record = client.get(&path).await.expect(200).json();
        let matched = record["parsedRecord"]["content"]["fields"]
            .as_array()
            .and_then(|fields| {
                fields
                    .iter()
                    .find_map(|field| field["999"]["subfields"].as_array())
            })
            .and_then(|all| all.iter().find_map(|one| one["s"].as_str()))
            .expect("999 ff $s")
            .to_owned();
        ids.push((id, matched));
    }
    ids
}

fn marked(matched: &str) -> String {
    authority(&format!(
        "010   $azz 1\n100 1 $aHolm, Ida\n999 ff$s{matched}"
    ))
}

/// A deletion needs no mapping.
fn deletion(entity: &str) -> Value {
    let mut action = action(0, "MATCH", "DELETE", entity, json!({}));
    action["childSnapshotWrappers"] = json!([]);
    action
}

async fn journal(client: &Client, job: &Value, action: &str) -> Vec<Value> {
    let id = job["id"].as_str().expect("an id");
    let path = format!("/metadata-provider/journalRecords/{id}");
    let all = client.get(&path).await.expect(200).json();
    let all = all["journalRecords"].as_array().expect("a list").clone();
    all.into_iter()
        .filter(|one| one["actionType"] == action)
        .collect()
}

#[tokio::test]
async fn an_authority_is_deleted_with_its_marc_record() {
    let library = library().await;
    let client = library.client().await;
    let made = two_authorities(&client).await;
    let [(gone, matched), (stays, _)] = &made[..] else {
        panic!("{made:?}")
    };
    // The same record twice: the second finds nothing any more.
    let records = [marked(matched), marked(matched)];
    let job = by_profile(&client, DELETE_AUTHORITIES, &records).await;
    let lines = log(&client, &job).await;
    assert_eq!(job["status"], "COMMITTED", "{lines:?}");
    let path = |id: &str| format!("/authority-storage/authorities/{id}");
    assert_eq!(client.get(&path(gone)).await.status, 404);
    let _ = client.get(&path(stays)).await.expect(200);
    let record = format!("/source-storage/records/{gone}/formatted?idType=AUTHORITY");
    let record = client.get(&record).await.expect(200).json();
    assert_eq!(
        (&record["state"], &record["deleted"]),
        (&json!("DELETED"), &json!(true))
    );
    let deleted = journal(&client, &job, "DELETE").await;
    let [entry] = &deleted[..] else {
        panic!("{deleted:?}")
    };
    assert_eq!(entry["entityType"], "MARC_AUTHORITY");
    assert_eq!(entry["entityId"], **matched);
    assert_eq!(entry["actionStatus"], "COMPLETED");
    // FOLIO's log has no word for a deletion.
    assert_eq!(lines[0]["sourceRecordActionStatus"], Value::Null);
    assert_eq!(lines[0]["sourceRecordId"], **matched);
    assert_eq!(lines[1]["sourceRecordActionStatus"], "DISCARDED");
    // Deleted for good: the archive has it, and a second job finds nothing.
    let archive = "/authority-storage/authorities?deleted=true";
    let archive = client.get(archive).await.expect(200).json();
    assert_eq!(archive["authorities"][0]["id"], **gone);
    let again = by_profile(&client, DELETE_AUTHORITIES, &[marked(matched)]).await;
    assert!(journal(&client, &again, "DELETE").await.is_empty());
}

#[tokio::test]
async fn a_deletion_without_a_match_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let made = two_authorities(&client).await;
    let tree = json!([deletion("MARC_AUTHORITY")]);
    let job = done(&client, tree.clone(), &[marked(&made[0].1)]).await;
    let lines = log(&client, &job).await;
    assert_eq!(job["status"], "ERROR", "{lines:?}");
    assert_eq!(
        lines[0]["error"],
        "Failed to handle event payload, cause event payload context does not contain required data \
         to modify MARC record"
    );
    // A bibliographic record deletes nothing, and other records cannot be deleted.
    let job = done(&client, tree, &[book(1)]).await;
    let lines = log(&client, &job).await;
    let error = lines[0]["error"].as_str().expect("a text");
    assert!(
        error.contains("does not support 'MARC_BIB' record type"),
        "{error}"
    );
    let job = done(&client, json!([deletion("INSTANCE")]), &[book(2)]).await;
    assert_eq!(job["status"], "ERROR");
    let refused = journal(&client, &job, "DELETE").await;
    let error = refused[0]["error"].as_str().expect("a text");
    assert!(error.contains("is not carried out"), "{error}");
    let path = "/authority-storage/authorities?query=naturalId==zz1 or naturalId==zz2";
    let left = client.get(path).await.expect(200).json();
    assert_eq!(left["totalRecords"], 2);
}

#[tokio::test]
async fn an_update_of_an_authority_takes_over_the_fields_that_its_profile_names() {
    let library = library().await;
    let client = library.client().await;
    let made = two_authorities(&client).await;
    let (id, matched) = &made[0];
    let field = json!({"field": "100", "indicator1": "*", "indicator2": "*",
        "subfields": [{"subfield": "*"}]});
    let details = json!({"marcMappingOption": "UPDATE",
        "marcMappingDetails": [{"order": 0, "field": field}]});
    let side = super::marc("999", "ff", "s");
    let mut update = action(0, "MATCH", "UPDATE", "MARC_AUTHORITY", details);
    let mapping = &mut update["childSnapshotWrappers"][0]["content"];
    mapping["incomingRecordType"] = json!("MARC_AUTHORITY");
    mapping["existingRecordType"] = json!("MARC_AUTHORITY");
    let tree = json!([super::match_by(
        "MARC_AUTHORITY",
        &side,
        "EXACTLY_MATCHES",
        &side,
        json!([update])
    )]);
    let came = authority(&format!(
        "010   $azz 9\n100 1 $aHolm, Ida,$d1901-1980\n999 ff$s{matched}"
    ));
    let job = done(&client, tree, &[came]).await;
    assert_eq!(job["status"], "COMMITTED", "{:?}", log(&client, &job).await);
    let path = format!("/authority-storage/authorities/{id}");
    let authority = client.get(&path).await.expect(200).json();
    assert_eq!(authority["personalName"], "Holm, Ida, 1901-1980");
    assert_eq!(authority["naturalId"], "zz1");
}
