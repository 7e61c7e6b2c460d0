//! `/source-storage/stream/records` and `/source-storage/stream/source-records`

use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, field, snapshot};
use octavo_server_testkit::library;

#[tokio::test]
async fn lists_of_any_length_are_lines_of_documents() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let records: Vec<Value> = (0..1_500)
        .map(|number| {
            let fields = json!([field(
                "245",
                "10",
                "a",
                &format!("Line\n{number} \"quoted\"")
            )]);
            let mut record = bib(snapshot_id, Uuid::new_v4(), &format!("in{number}"), fields);
            record["order"] = json!(number);
            record
        })
        .collect();
    let batch = json!({"records": records, "totalRecords": 1_500});
    let _ = client
        .post("/source-storage/batch/records", &batch)
        .await
        .expect(201);
    let lines = async |path: &str| -> Vec<Value> {
        let answer = client.get(path).await.expect(200);
        assert_eq!(answer.headers["content-type"], "application/stream+json");
        let lines = answer.text.lines();
        lines
            .map(|line| serde_json::from_str(line).expect("a document a line"))
            .collect()
    };
    let path = format!(
        "/source-storage/stream/records?snapshotId={snapshot_id}&orderBy=order,DESC&limit=2000"
    );
    let streamed = lines(&path).await;
    assert_eq!(streamed.len(), 1_500);
    assert_eq!(streamed[0]["order"], 1_499);
    let read = format!(
        "/source-storage/records/{}",
        streamed[7]["id"].as_str().expect("an id")
    );
    assert_eq!(client.get(&read).await.expect(200).json(), streamed[7]);

    let path = "/source-storage/stream/source-records?limit=2147483647";
    let streamed = lines(path).await;
    assert_eq!(streamed.len(), 1_500);
    assert!(streamed.iter().all(|one| one.get("rawRecord").is_none()));
    let ids: Vec<&str> = streamed
        .iter()
        .map(|one| one["recordId"].as_str().expect("an id"))
        .collect();
    assert!(ids.is_sorted());
    assert_eq!(
        lines("/source-storage/stream/source-records?offset=1497")
            .await
            .len(),
        3
    );
    assert_eq!(
        lines("/source-storage/stream/source-records").await.len(),
        10
    );
    let hrid = "/source-storage/stream/source-records?instanceHrid=in77";
    assert_eq!(lines(hrid).await.len(), 1);
    assert_eq!(
        lines("/source-storage/stream/records?state=OLD")
            .await
            .len(),
        0
    );
    assert_eq!(
        lines("/source-storage/stream/records?recordType=EDIFACT")
            .await
            .len(),
        0
    );
    for (wrong, message) in [
        ("records?recordType=MAP", "Unknown record type MAP"),
        ("records?state=LOST", "Unknown record state LOST"),
        ("records?snapshotId=7", "Invalid UUID 7"),
        ("source-records?orderBy=colour", "Invalid order by colour"),
        (
            "source-records?leaderRecordStatus=z",
            "'leaderRecordStatus' parameter is incorrect. parameter value {z} is not valid: \
             must match \"^[acdnposx]$\"",
        ),
    ] {
        let path = format!("/source-storage/stream/{wrong}");
        assert_eq!(client.get(&path).await.expect(400).text, message);
    }
}
