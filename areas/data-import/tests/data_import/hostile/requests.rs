//! `POST /source-storage/records` with MARC in JSON.

use octavo_testkit::Client;
use serde_json::{Value, json};
use uuid::Uuid;

use octavo_server_testkit::library;

const RECORDS: &str = "/source-storage/records";

async fn snapshot(client: &Client) -> Uuid {
    let id = Uuid::new_v4();
    let body = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    let _ = client
        .post("/source-storage/snapshots", &body)
        .await
        .expect(201);
    id
}

fn sent(snapshot: Uuid, content: Value, raw: &str) -> Value {
    let id = Uuid::new_v4();
    json!({
        "id": id, "snapshotId": snapshot, "matchedId": id, "recordType": "MARC_BIB",
        "rawRecord": {"content": raw},
        "parsedRecord": {"content": content},
        "externalIdsHolder": {"instanceId": Uuid::new_v4(), "instanceHrid": "in7"},
    })
}

fn marc(fields: Value) -> Value {
    json!({"leader": "00000cam a2200000   4500", "fields": fields})
}

fn title(value: &str) -> Value {
    json!({"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": value}]}})
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!("end"), |inner, _| json!([inner]))
}

#[tokio::test]
async fn no_record_is_half_written_and_none_is_a_fault_of_ours() {
    let library = library().await;
    let client = library.client().await;
    let snapshot = snapshot(&client).await;
    let own = || json!({"001": "in7"});
    let escaped = |text: &str| json!(text);
    let with_nul = marc(json!([own(), title("a\u{0}b")]));
    let with_nul_in_tag = marc(json!([own(), {"2\u{0}5": "x"}]));
    let mut long = vec![own()];
    long.extend((0..5_000).map(|at| title(&format!("field {at}"))));
    let cases: Vec<(&str, Value)> = vec![
        ("not JSON", json!("{\"leader\"")),
        ("a number", json!(7)),
        ("an empty object", json!({})),
        ("no leader", json!({"fields": [own()]})),
        ("no fields", json!({"leader": "00000cam a2200000   4500"})),
        ("0 fields", marc(json!([]))),
        ("fields that are none", marc(json!({"001": "in7"}))),
        ("a field that is none", marc(json!([7]))),
        ("a tag that is none", marc(json!([own(), {"title": "x"}]))),
        (
            "two tags in one field",
            marc(json!([{"001": "in7", "003": "x"}])),
        ),
        (
            "an indicator of two",
            marc(json!([own(), {"245": {"ind1": "10", "subfields": []}}])),
        ),
        (
            "no subfields",
            marc(json!([own(), {"245": {"ind1": "1", "ind2": "0"}}])),
        ),
        (
            "a subfield that is a number",
            marc(json!([own(), {"245": {"subfields": [{"a": 7}]}}])),
        ),
        ("a short leader", json!({"leader": "x", "fields": [own()]})),
        (
            "a long leader",
            json!({"leader": "x".repeat(100_000), "fields": [own()]}),
        ),
        (
            "a leader of other characters",
            json!({"leader": "é".repeat(24), "fields": [own()]}),
        ),
        ("U+0000", with_nul.clone()),
        ("U+0000 in text", escaped(&with_nul.to_string())),
        ("U+0000 in a tag", with_nul_in_tag.clone()),
        (
            "U+0000 in a tag in text",
            escaped(&with_nul_in_tag.to_string()),
        ),
        (
            "control characters",
            marc(json!([
                own(),
                title("\u{1}\u{8}\u{1d}\u{1e}\u{1f}\u{7f}\u{85}")
            ])),
        ),
        (
            "half of a pair in text",
            escaped("{\"leader\":\"\\ud800\",\"fields\":[]}"),
        ),
        (
            "a field of 100,000 bytes",
            marc(json!([own(), title(&"n".repeat(100_000))])),
        ),
        ("5,000 fields", marc(Value::Array(long))),
        ("deep", nested(100)),
        ("deep text", escaped(&"[".repeat(100_000))),
    ];
    for (name, content) in cases {
        for raw in [
            "as it came",
            "<!DOCTYPE r [<!ENTITY out SYSTEM \"file:///etc/passwd\">]><r>&out;</r>",
        ] {
            let body = sent(snapshot, content.clone(), raw);
            let id = body["id"].as_str().expect("an id").to_owned();
            let answer = client.post(RECORDS, &body).await;
            let read = client.get(&format!("{RECORDS}/{id}")).await;
            if answer.status == 201 {
                let stored = read.expect(200).json();
                assert_eq!(
                    stored["rawRecord"]["content"], raw,
                    "{name}: kept as it came"
                );
                // It is either MARC or said to be none.
                let is_marc = stored["parsedRecord"]["content"]["fields"].is_array();
                let is_error = stored["errorRecord"]["description"].is_string();
                assert!(is_marc != is_error, "{name}: {stored}");
            } else {
                assert!(
                    (400..500).contains(&answer.status),
                    "{name}: {} {}",
                    answer.status,
                    answer.text
                );
                assert!(!answer.text.is_empty(), "{name} has its reason");
                assert_eq!(read.status, 404, "{name}: nothing is half written");
            }
        }
    }
    let raw = sent(snapshot, marc(json!([own()])), "a\u{0}b");
    let answer = client.post(RECORDS, &raw).await;
    assert!(
        (400..500).contains(&answer.status),
        "{} {}",
        answer.status,
        answer.text
    );
}

#[tokio::test]
async fn what_is_right_stays_as_it_was_sent() {
    let library = library().await;
    let client = library.client().await;
    let snapshot = snapshot(&client).await;
    let fields = json!([
        {"001": "in7"},
        {"650": {"ind1": " ", "ind2": "0", "subfields": [{"a": "Bridges"}, {"a": "Steel"}]}},
        {"651": {"ind1": " ", "ind2": "0", "subfields": [{"a": "Oslo"}]}},
        {"650": {"ind1": " ", "ind2": "7", "subfields": [{"b": "\u{1}tab\there"}, {"a": ""}]}},
        {"245": {"ind1": "1", "ind2": "0", "subfields": [{"a": "n".repeat(100_000)}]}},
    ]);
    let body = sent(snapshot, marc(fields.clone()), "raw");
    let stored = client.post(RECORDS, &body).await.expect(201).json();
    let kept = stored["parsedRecord"]["content"]["fields"]
        .as_array()
        .expect("fields")
        .clone();
    assert_eq!(kept[..5], fields.as_array().expect("fields")[..]);
}
