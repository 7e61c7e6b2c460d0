//! Concurrent generations of one record, and records that are deleted meanwhile.

use futures_util::future::join_all;
use octavo_records::{Context, Stamp};
use octavo_source_records::app::{IdType, current_records, hold_record, store_generation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bib, field, snapshot, stored, text};
use octavo_server_testkit::library;

const RECORDS: &str = "/source-storage/records";

#[tokio::test]
async fn of_generations_written_at_once_one_is_current() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let new = |title: String| {
        let fields = json!([field("245", "10", "a", &title)]);
        bib(snapshot_id, instance_id, "in1", fields)
    };
    // None is there yet: all of them are the first.
    let writing = (0..12).map(|number| {
        let (client, record) = (client.clone(), new(format!("Volume {number}")));
        async move {
            match number % 3 {
                0 => {
                    let batch = json!({"records": [record], "totalRecords": 1});
                    let answer = client.post("/source-storage/batch/records", &batch).await;
                    answer.expect(201).json()["records"][0].clone()
                }
                _ => stored(&client, &record).await,
            }
        }
    });
    let hidden = format!("{RECORDS}/{instance_id}/suppress-from-discovery?idType=INSTANCE");
    let hiding = (0..4).map(|_| async {
        let status = client.put(&hidden, &json!({})).await.status;
        assert!(matches!(status, 200 | 404), "{status}");
    });
    let (written, _) = tokio::join!(join_all(writing), join_all(hiding));
    let mut generations: Vec<i64> = written
        .iter()
        .map(|one| one["generation"].as_i64().expect("a number"))
        .collect();
    generations.sort_unstable();
    assert_eq!(generations, (0..12).collect::<Vec<i64>>());
    let matched: Vec<&str> = written.iter().map(|one| text(one, "matchedId")).collect();
    assert!(matched.iter().all(|one| *one == matched[0]), "{matched:?}");
    let of = async |state: &str| {
        let path = format!("{RECORDS}?snapshotId={snapshot_id}&state={state}&limit=100");
        let page = client.get(&path).await.expect(200).json();
        page["records"].as_array().cloned().expect("a list")
    };
    let current = of("ACTUAL").await;
    assert_eq!((current.len(), of("OLD").await.len()), (1, 11));
    assert_eq!(current[0]["generation"], 11);
    // What searches see is the current one alone.
    let search = json!({"fieldsSearchExpression": "245.a ^= 'Volume'"});
    let path = "/source-storage/stream/marc-record-identifiers";
    let found = client.post(path, &search).await.expect(200).json();
    assert_eq!(found, json!({"records": [instance_id], "totalCount": 1}));
}

#[tokio::test]
async fn a_generation_put_while_the_next_one_is_stored_stays_an_old_one() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let new = |title: &str| {
        let fields = json!([field("245", "10", "a", title)]);
        bib(snapshot_id, instance_id, "in1", fields)
    };
    let mut current = stored(&client, &new("Volume 0")).await;
    for number in 1..=8 {
        let path = format!("{RECORDS}/{}", text(&current, "id"));
        let mut copy = current.clone();
        // Sent back without its state, or with the one it had when it was read.
        if number % 2 == 0 {
            copy.as_object_mut().expect("an object").remove("state");
        }
        let next = new(&format!("Volume {number}"));
        let (put, next) = tokio::join!(client.put(&path, &copy), stored(&client, &next));
        let _ = put.expect(200);
        // And once more, now that it is surely an old one.
        let put = client.put(&path, &copy).await.expect(200).json();
        assert_eq!(text(&put, "state"), "OLD");
        assert_eq!(put["generation"], current["generation"]);
        let list = format!("{RECORDS}?snapshotId={snapshot_id}&state=ACTUAL");
        let list = client.get(&list).await.expect(200).json();
        assert_eq!(list["totalRecords"], 1, "{number}");
        assert_eq!(list["records"][0]["id"], next["id"]);
        current = next;
    }
    // The current one stays current, and one that nobody has followed can be brought back.
    let path = format!("{RECORDS}/{}", text(&current, "id"));
    for (sent, state) in [
        (None, "ACTUAL"),
        (Some("OLD"), "OLD"),
        (Some("ACTUAL"), "ACTUAL"),
    ] {
        let mut copy = current.clone();
        match sent {
            Some(sent) => copy["state"] = json!(sent),
            None => drop(copy.as_object_mut().expect("an object").remove("state")),
        }
        let put = client.put(&path, &copy).await.expect(200).json();
        assert_eq!(text(&put, "state"), state);
    }
}

#[tokio::test]
async fn a_generation_that_none_can_follow_is_refused() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let new = || bib(snapshot_id, Uuid::new_v4(), "in1", json!([]));
    let mut first = stored(&client, &new()).await;
    let path = format!("{RECORDS}/{}", text(&first, "id"));
    for number in [json!(i64::MAX), json!(2_147_483_648_i64), json!(-1)] {
        let mut wrong = new();
        wrong["generation"] = number.clone();
        first["generation"] = number;
        let refused = client.post(RECORDS, &wrong).await.expect(422).json();
        assert_eq!(
            refused["errors"][0]["message"],
            "must be between 0 and 2147483647"
        );
        let batch = json!({"records": [wrong], "totalRecords": 1});
        let answer = client.post("/source-storage/batch/records", &batch).await;
        assert_eq!(answer.status, 422);
        assert_eq!(client.put(&path, &first).await.status, 422);
    }
    let mut last = new();
    let matched = text(&first, "id").to_owned();
    last["generation"] = json!(i32::MAX);
    let own = json!({"999": {"ind1": "f", "ind2": "f", "subfields": [{"s": matched}]}});
    let fields = last["parsedRecord"]["content"]["fields"].as_array_mut();
    fields.expect("fields").push(own);
    let mut next = last.clone();
    let _ = stored(&client, &last).await;
    next["id"] = json!(Uuid::new_v4());
    next.as_object_mut()
        .expect("an object")
        .remove("generation");
    let next = stored(&client, &next).await;
    assert_eq!(next["generation"], i64::from(i32::MAX) + 1);
}

#[tokio::test]
async fn whoever_holds_a_record_stores_its_next_generation_undisturbed() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let new = |title: &str| {
        let fields = json!([field("245", "10", "a", title)]);
        bib(snapshot_id, instance_id, "in1", fields)
    };
    let first = stored(&client, &new("First")).await;
    let tenant = library.tenant();
    let context = Context {
        store: &library.platform.store,
        tenant: &tenant,
        stamp: Stamp::now(None),
    };
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    let held = hold_record(&context, &transaction, IdType::Instance, instance_id)
        .await
        .expect("a look-up")
        .expect("a record");
    assert_eq!(held.external_id(), Some(instance_id));
    assert_eq!(
        (held.generation(), held.matched_id()),
        (0, Some(held.id.into()))
    );
    // Another client waits meanwhile.
    let other = {
        let (client, record) = (client.clone(), new("Other"));
        tokio::spawn(async move { stored(&client, &record).await })
    };
    let next = store_generation(&context, &transaction, new("Second"))
        .await
        .expect("a generation");
    assert_eq!(next.generation, 1);
    let seen: Value = serde_json::from_slice(&next.json).expect("a document");
    assert_eq!(seen["matchedId"], first["id"]);
    assert!(!other.is_finished());
    transaction.commit().await.expect("it is committed");
    assert_eq!(other.await.expect("the other")["generation"], 2);
    let found = current_records(&context, database, IdType::Instance, &[instance_id], false)
        .await
        .expect("a look-up");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].generation(), 2);

    // Given up, nothing of it stays.
    let transaction = database.transaction().await.expect("a transaction");
    store_generation(&context, &transaction, new("Third"))
        .await
        .expect("a generation");
    transaction.rollback().await.expect("it is given up");
    let path = format!("{RECORDS}/{instance_id}/formatted?idType=INSTANCE");
    assert_eq!(client.get(&path).await.expect(200).json()["generation"], 2);
}

#[tokio::test]
async fn a_record_that_is_deleted_meanwhile_comes_back_with_its_next_generation() {
    let library = library().await;
    let client = library.client().await;
    let snapshot_id = snapshot(&client).await;
    let instance_id = Uuid::new_v4();
    let new = |title: &str| {
        let fields = json!([field("245", "10", "a", title)]);
        bib(snapshot_id, instance_id, "in1", fields)
    };
    let first = stored(&client, &new("First")).await;
    let path = format!("{RECORDS}/{}", text(&first, "id"));
    let _ = client.delete(&path).await.expect(204);
    let mut next = new("Second");
    let own = json!({"999": {"ind1": "f", "ind2": "f",
                             "subfields": [{"s": text(&first, "id")}]}});
    next["parsedRecord"]["content"]["fields"]
        .as_array_mut()
        .expect("fields")
        .push(own);
    let next = stored(&client, &next).await;
    assert_eq!(
        (&next["generation"], &next["matchedId"]),
        (&json!(1), &first["id"])
    );
    assert_eq!(client.get(&path).await.expect(200).json()["state"], "OLD");
    // The snapshot goes while a record of it is written: one comes wholly before the other.
    let gone = format!("/source-storage/snapshots/{snapshot_id}");
    let late = new("Late");
    let (deleted, written) = tokio::join!(client.delete(&gone), client.post(RECORDS, &late));
    assert!(
        matches!(deleted.status, 204 | 400 | 409),
        "{}",
        deleted.text
    );
    assert!(
        matches!(written.status, 201 | 400 | 404),
        "{}",
        written.text
    );
    for (id, kind) in [
        ("seven".to_owned(), "Invalid UUID seven"),
        (Uuid::from_u128(7).to_string(), "Record with"),
    ] {
        let answer = client.delete(&format!("{RECORDS}/{id}")).await;
        assert!(answer.text.starts_with(kind), "{}", answer.text);
    }
}
