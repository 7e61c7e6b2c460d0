//! `/source-storage/snapshots` and `/source-storage/records`

use serde_json::json;
use uuid::Uuid;

use super::{record, snapshot, text};
use octavo_server_testkit::library;

const RECORDS: &str = "/source-storage/records";

#[tokio::test]
async fn snapshots_are_known_by_their_job() {
    let library = library().await;
    let client = library.client().await;
    let id = Uuid::new_v4();
    let path = format!("/source-storage/snapshots/{id}");
    let missing = client.get(&path).await.expect(404);
    assert_eq!(
        missing.text,
        format!("Snapshot with id '{id}' was not found")
    );
    let body = json!({"jobExecutionId": id, "status": "NEW"});
    let stored = client
        .post("/source-storage/snapshots", &body)
        .await
        .expect(201)
        .json();
    assert_eq!(
        (stored.get("id"), stored.get("processingStartedDate")),
        (None, None)
    );
    // Who begins a run twice has begun it, one after the other or both at once.
    let again = client.post("/source-storage/snapshots", &body).await;
    assert_eq!(text(&again.expect(201).json(), "status"), "NEW");
    let new = json!({"jobExecutionId": Uuid::new_v4(), "status": "NEW"});
    let (one, other) = tokio::join!(
        client.post("/source-storage/snapshots", &new),
        client.post("/source-storage/snapshots", &new)
    );
    assert_eq!((one.status, other.status), (201, 201));

    let instance_id = Uuid::new_v4();
    let early = client
        .post(RECORDS, &record(id, instance_id, "Bridges"))
        .await
        .expect(400);
    assert!(
        early
            .text
            .contains("expected snapshot status is PARSING_IN_PROGRESS, actual - NEW")
    );
    let begun = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS"});
    let begun = client.put(&path, &begun).await.expect(200).json();
    let since = text(&begun, "processingStartedDate").to_owned();
    // The run continues: clients tell its new status alone.
    let on = json!({"jobExecutionId": id, "status": "PROCESSING_IN_PROGRESS"});
    let on = client.put(&path, &on).await.expect(200).json();
    assert_eq!(text(&on, "processingStartedDate"), since);
    let stored = client
        .post(RECORDS, &record(id, instance_id, "Bridges"))
        .await
        .expect(201)
        .json();
    let named = json!({"jobExecutionId": id, "status": "COMMITTED"});
    let named = client.post("/source-storage/snapshots", &named).await;
    let named = named.expect(201).json();
    assert_eq!(text(&named, "status"), "COMMITTED");
    assert_eq!(text(&named, "processingStartedDate"), since);
    // Begun once more, it has begun now, whatever the client says.
    let long_ago = "2020-01-01T00:00:00.000+00:00";
    let begun = json!({"jobExecutionId": id, "status": "PARSING_IN_PROGRESS",
                       "processingStartedDate": long_ago});
    let begun = client.put(&path, &begun).await.expect(200).json();
    assert!(text(&begun, "processingStartedDate") >= since.as_str());
    let listed = client
        .get("/source-storage/snapshots?status=PARSING_IN_PROGRESS")
        .await;
    assert_eq!(listed.expect(200).json()["totalRecords"], 1);

    let _ = client.delete(&path).await.expect(204);
    assert_eq!(
        client
            .get(&format!("{RECORDS}/{}", text(&stored, "id")))
            .await
            .status,
        404
    );
    assert_eq!(client.delete(&path).await.status, 404);
}

#[tokio::test]
async fn marc_is_read_formatted_and_tied_to_itself() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let stored = client
        .post(RECORDS, &record(snapshot_id, Uuid::new_v4(), "Bridges"))
        .await
        .expect(201)
        .json();
    let id = text(&stored, "id");
    assert_eq!(stored["parsedRecord"]["id"], id);
    assert_eq!(
        stored["parsedRecord"]["formattedContent"],
        format!(
            "LEADER 00000cam a2200000   4500\n001 in00000000042\n245 10$aBridges\n999 ff$s{id}\n"
        )
    );
    assert_eq!(
        (&stored["generation"], &stored["state"]),
        (&json!(0), &json!("ACTUAL"))
    );
    assert_eq!(stored["leaderRecordStatus"], "c");
    assert_eq!(
        client
            .get(&format!("{RECORDS}/{id}"))
            .await
            .expect(200)
            .json(),
        stored
    );

    let mut alone = record(snapshot_id, Uuid::new_v4(), "Bridges");
    alone["externalIdsHolder"] = json!({"instanceHrid": "in00000000042"});
    let refused = client.post(RECORDS, &alone).await.expect(400);
    assert!(
        refused.text.contains("external instance and hr id"),
        "{}",
        refused.text
    );
    let mut adrift = record(Uuid::new_v4(), Uuid::new_v4(), "Bridges");
    let refused = client.post(RECORDS, &adrift).await.expect(404);
    assert!(
        refused.text.starts_with("Snapshot with id"),
        "{}",
        refused.text
    );

    // A record that is not MARC is stored and reported as an error.
    adrift = record(snapshot_id, Uuid::new_v4(), "Bridges");
    adrift["recordType"] = json!("MARC_AUTHORITY");
    adrift["parsedRecord"]["content"] = json!({"fields": 7});
    let kept = client.post(RECORDS, &adrift).await.expect(201).json();
    assert_eq!(kept["errorRecord"]["content"], json!({"fields": 7}));
    assert_eq!(kept.get("parsedRecord"), None);
}

#[tokio::test]
async fn one_generation_is_current() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let first = client
        .post(RECORDS, &record(snapshot_id, instance_id, "First"))
        .await;
    let first = first.expect(201).json();
    // Two desks at once: a record of the same instance is a generation of the same record.
    let (second, third) = (
        record(snapshot_id, instance_id, "Second"),
        record(snapshot_id, instance_id, "Third"),
    );
    let (second, third) = tokio::join!(client.post(RECORDS, &second), client.post(RECORDS, &third));
    let mut generations: Vec<(i64, String)> = Vec::new();
    for later in [second.expect(201).json(), third.expect(201).json()] {
        assert_eq!(later["matchedId"], first["id"]);
        let generation = later["generation"].as_i64().expect("a number");
        generations.push((generation, text(&later, "id").to_owned()));
    }
    generations.sort();
    assert_eq!((generations[0].0, generations[1].0), (1, 2));
    let state = async |id: &str| {
        text(
            &client
                .get(&format!("{RECORDS}/{id}"))
                .await
                .expect(200)
                .json(),
            "state",
        )
        .to_owned()
    };
    assert_eq!(state(text(&first, "id")).await, "OLD");
    assert_eq!(state(&generations[0].1).await, "OLD");
    assert_eq!(state(&generations[1].1).await, "ACTUAL");
    let path = format!("{RECORDS}?snapshotId={snapshot_id}&state=OLD&orderBy=generation,DESC");
    let listed = client.get(&path).await.expect(200).json();
    assert_eq!(listed["totalRecords"], 2);
    assert_eq!(listed["records"][1]["id"], first["id"]);

    let matched = text(&first, "id");
    let fourth = record(snapshot_id, instance_id, "Fourth");
    let path = format!("{RECORDS}/{matched}/generation");
    assert_eq!(client.put(&path, &fourth).await.status, 400);
    let mut fourth = fourth;
    let own = json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"s": matched}]}});
    fourth["parsedRecord"]["content"]["fields"]
        .as_array_mut()
        .expect("fields")
        .push(own);
    let fourth = client.put(&path, &fourth).await.expect(200).json();
    assert_eq!(fourth["generation"], 3);
    assert_eq!(state(&generations[1].1).await, "OLD");
}

#[tokio::test]
async fn a_record_is_replaced_hidden_deleted_and_brought_back() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let stored = client
        .post(RECORDS, &record(snapshot_id, instance_id, "Bridges"))
        .await;
    let mut changed = stored.expect(201).json();
    let path = format!("{RECORDS}/{}", text(&changed, "id"));
    changed["parsedRecord"]["content"]["fields"][1]["245"]["subfields"][0]["a"] = json!("Roads");
    let replaced = client.put(&path, &changed).await.expect(200).json();
    assert!(text(&replaced["parsedRecord"], "formattedContent").contains("245 10$aRoads\n"));
    assert_eq!(replaced["generation"], 0);

    let hide =
        format!("{RECORDS}/{instance_id}/suppress-from-discovery?idType=INSTANCE&suppress=true");
    let _ = client.put(&hide, &json!({})).await.expect(200);
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["additionalInfo"]["suppressDiscovery"], true);

    let _ = client.delete(&path).await.expect(204);
    let gone = client.get(&path).await.expect(200).json();
    assert_eq!(
        (text(&gone, "state"), text(&gone, "leaderRecordStatus")),
        ("DELETED", "d")
    );
    let content = &gone["parsedRecord"]["content"];
    assert_eq!(text(content, "leader").as_bytes()[5], b'd');
    assert!(content["fields"][1]["005"].is_string());
    let back = format!("{RECORDS}/{instance_id}/un-delete?idType=INSTANCE");
    let _ = client.post(&back, &json!({})).await.expect(204);
    assert_eq!(
        text(&client.get(&path).await.expect(200).json(), "state"),
        "ACTUAL"
    );
    let nothing = format!("{RECORDS}/{}", Uuid::new_v4());
    assert_eq!(client.delete(&nothing).await.status, 404);
    assert_eq!(client.put(&nothing, &changed).await.status, 404);
}
