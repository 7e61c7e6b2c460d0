//! Formatted records and source records: the same documents, asked for and shown in other ways.

use serde_json::json;
use uuid::Uuid;

use super::{record, snapshot, text};
use octavo_server_testkit::library;

const SOURCE_RECORDS: &str = "/source-storage/source-records";

#[tokio::test]
async fn an_instance_leads_to_its_formatted_record() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let mut newest = json!(null);
    for title in ["First", "Second"] {
        let stored = record(snapshot_id, instance_id, title);
        newest = client
            .post("/source-storage/records", &stored)
            .await
            .expect(201)
            .json();
    }
    let matched = text(&newest, "matchedId");
    for path in [
        // As the published load-items plan asks.
        format!("/source-storage/formattedRecords/{instance_id}?identifier=INSTANCE"),
        format!("/source-storage/records/{instance_id}/formatted?idType=INSTANCE"),
        format!("/source-storage/records/{instance_id}/formatted?idType=EXTERNAL"),
        format!("/source-storage/records/{matched}/formatted"),
        format!(
            "/source-storage/records/{}/formatted?idType=SRS_RECORD",
            text(&newest, "id")
        ),
    ] {
        assert_eq!(client.get(&path).await.expect(200).json(), newest, "{path}");
    }
    let path = format!("/source-storage/records/{instance_id}/formatted");
    let missing = client
        .get(&format!("{path}?idType=HOLDINGS"))
        .await
        .expect(404);
    let expected = format!("Couldn't find record with id type HOLDINGS and id {instance_id}");
    assert_eq!(missing.text, expected);
    let unknown = client
        .get(&format!("{path}?idType=SHELF"))
        .await
        .expect(400);
    assert_eq!(unknown.text, "Unknown id type SHELF");
}

#[tokio::test]
async fn source_records_are_the_parsed_part_of_what_is_current() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let (one, other) = (Uuid::new_v4(), Uuid::new_v4());
    let mut newest = json!(null);
    for (instance_id, title) in [(other, "Roads"), (one, "First"), (one, "Second")] {
        let stored = record(snapshot_id, instance_id, title);
        newest = client
            .post("/source-storage/records", &stored)
            .await
            .expect(201)
            .json();
    }
    let matched = text(&newest, "matchedId");
    let found = client
        .get(&format!("{SOURCE_RECORDS}/{one}?idType=INSTANCE"))
        .await;
    let found = found.expect(200).json();
    assert_eq!(found["recordId"], matched);
    assert_eq!(
        (&found["deleted"], &found["generation"]),
        (&json!(false), &json!(1))
    );
    assert_eq!(found.get("rawRecord"), None);
    assert_eq!(
        found["parsedRecord"]["content"],
        newest["parsedRecord"]["content"]
    );
    assert_eq!(found["parsedRecord"].get("formattedContent"), None);
    let old = client
        .get(&format!("{SOURCE_RECORDS}/{matched}?state=OLD"))
        .await
        .expect(200)
        .json();
    assert_eq!(old["generation"], 0);

    let total = async |parameters: &str| {
        let page = client
            .get(&format!("{SOURCE_RECORDS}?{parameters}"))
            .await
            .expect(200)
            .json();
        let records = page["sourceRecords"].as_array().expect("a list").len();
        assert_eq!(page["totalRecords"], records, "{parameters}");
        records
    };
    assert_eq!(total("").await, 2);
    assert_eq!(total(&format!("instanceId={one}")).await, 1);
    assert_eq!(
        total(&format!("externalId={one}&snapshotId={snapshot_id}")).await,
        1
    );
    assert_eq!(total(&format!("recordId={matched}&state=OLD")).await, 1);
    assert_eq!(
        total("instanceHrid=in00000000042&leaderRecordStatus=c").await,
        2
    );
    assert_eq!(total("recordType=MARC_HOLDING").await, 0);
    assert_eq!(total("suppressFromDiscovery=true").await, 0);
    assert_eq!(
        total("updatedAfter=2020-01-01T00:00:00Z&updatedBefore=2020-01-02T00:00:00Z").await,
        0
    );
    assert_eq!(
        total("updatedAfter=2020-01-01T00:00:00Z&orderBy=updatedDate,DESC").await,
        2
    );
    let _ = client
        .delete(&format!("/source-storage/records/{other}?idType=INSTANCE"))
        .await
        .expect(204);
    assert_eq!((total("").await, total("deleted=true").await), (1, 2));

    let asked = client
        .post(
            &format!("{SOURCE_RECORDS}?idType=INSTANCE"),
            &json!([one, other]),
        )
        .await;
    let asked = asked.expect(200).json();
    assert_eq!(
        (&asked["totalRecords"], &asked["sourceRecords"][0]),
        (&json!(1), &found)
    );
    for (wrong, message) in [
        ("recordType=MAP", "Unknown record type MAP"),
        ("state=LOST", "Unknown record state LOST"),
        ("instanceId=7", "Invalid UUID 7"),
        ("orderBy=colour", "Invalid order by colour"),
    ] {
        let answer = client
            .get(&format!("{SOURCE_RECORDS}?{wrong}"))
            .await
            .expect(400);
        assert_eq!(answer.text, message);
    }
}
