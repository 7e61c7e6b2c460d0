//! Requests that name as many ids as one may: each is one list to bind, whatever the ids are of.

use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, snapshot, stored, text};
use octavo_server_testkit::library;

/// Ids that nothing has, and these after them.
fn among_others(count: u128, ids: &[&Value]) -> Vec<Value> {
    let others = (1..=count).map(|number| json!(Uuid::from_u128(number)));
    others.chain(ids.iter().map(|id| (*id).clone())).collect()
}

#[tokio::test]
async fn as_many_ids_as_may_be_named_are_looked_up_at_once() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let new = |hrid: &str| bib(snapshot_id, Uuid::new_v4(), hrid, json!([]));
    let one = stored(&client, &new("in1")).await;
    let other = stored(&client, &new("in2")).await;
    let instance = |record: &Value| record["externalIdsHolder"]["instanceId"].clone();
    let described = [instance(&one), instance(&other)];

    let path = "/source-storage/source-records";
    for (kind, ids) in [
        ("EXTERNAL", [&described[0], &described[1]]),
        ("INSTANCE", [&described[0], &described[1]]),
        ("RECORD", [&one["matchedId"], &other["matchedId"]]),
        ("SRS_RECORD", [&one["id"], &other["id"]]),
    ] {
        let asked = json!(among_others(32_765, &ids));
        let found = client.post(&format!("{path}?idType={kind}"), &asked).await;
        let found = found.expect(200).json();
        assert_eq!(found["totalRecords"], 2, "{kind}");
    }
    let too_many = json!(among_others(32_768, &[]));
    let refused = client.post(path, &too_many).await.expect(400);
    assert_eq!(refused.text, "The number of IDs should not exceed 32767");

    let ids = among_others(4_998, &[&described[0], &described[1]]);
    let asked = json!({"conditions": {"idType": "EXTERNAL", "ids": ids}, "data": [],
                       "recordType": "MARC_BIB"});
    let path = "/source-storage/batch/parsed-records/fetch";
    let found = client.post(path, &asked).await.expect(200).json();
    assert_eq!(found["totalRecords"], 2);
}

#[tokio::test]
async fn as_many_control_numbers_as_may_be_named_are_matched_at_once() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    // Longer than what an index keeps of it, and of letters that only the database can fold.
    let long = "x".repeat(700);
    let known = ["in1", "ÉÇOLE1", &format!("{long}a"), &format!("{long}b")];
    let mut records = Vec::new();
    for hrid in known {
        let record = bib(snapshot_id, Uuid::new_v4(), hrid, json!([]));
        records.push(stored(&client, &record).await);
    }
    let path = "/source-storage/records/matching";
    let matched = async |values: Vec<String>| {
        let asked = json!({"recordType": "MARC_BIB",
                           "filters": [{"field": "001", "values": values}]});
        let found = client.post(path, &asked).await.expect(200).json();
        let found = found["identifiers"].as_array().cloned().expect("a list");
        let mut ids: Vec<String> = found
            .iter()
            .map(|one| text(one, "recordId").to_owned())
            .collect();
        ids.sort_unstable();
        ids
    };
    let others = || (0..4_000).map(|number| format!("nö{number}"));
    let id = |at: usize| text(&records[at], "id").to_owned();
    for (asked, at) in [
        ("IN1", vec![0]),
        ("ÉÇOLE1", vec![1]),
        (known[2], vec![2]),
        (&long, vec![]),
    ] {
        let expected: Vec<String> = at.into_iter().map(id).collect();
        let found = matched(others().chain([asked.to_owned()]).collect()).await;
        assert_eq!(found, expected, "{asked}");
    }
}
