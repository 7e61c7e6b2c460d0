//! Batches, and concurrent writers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use octavo_postgres::{Database, DatabaseOptions};
use octavo_records::store::{
    Hold, Locking, Ready, delete_many, delete_referring, events_after, fetch_locked, fetch_many,
    insert_many, insert_ready, replace_many,
};
use octavo_records::{Stamp, StoreError, retried};
use serde_json::{Map, Value, json};
use tokio::sync::Barrier;
use uuid::Uuid;

use crate::shelf::{Shelf, titled};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Instances with these titles; their ids in ascending order.
async fn instances(shelf: &Shelf, titles: &[&str]) -> Vec<Uuid> {
    let mut ids = Vec::new();
    for title in titles {
        ids.push(shelf.put("instance", titled(title)).await);
    }
    ids.sort();
    ids
}

async fn versions(shelf: &Shelf) -> Vec<i64> {
    let sql = "SELECT (jsonb->>'_version')::bigint FROM tenant_diku.instance ORDER BY id";
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn what_refers_to_records_goes_before_them_with_its_events() {
    let shelf = Shelf::new().await;
    let (database, tenant) = (&shelf.store.database, &shelf.tenant);
    let ids = instances(&shelf, &["a", "b"]).await;
    let holdings = shelf.collection("holdings_record");
    let mut of_ids = Vec::new();
    for id in &ids {
        let record = json!({"instanceId": id});
        of_ids.push(shelf.put("holdings_record", record).await);
    }
    for id in [of_ids[0], of_ids[0], of_ids[1]] {
        let record = json!({"holdingsRecordId": id});
        let _ = shelf.put("item", record).await;
    }
    let instance = shelf.collection("instance");
    let refused = delete_many(database, tenant, &instance, &ids).await;
    assert!(matches!(refused, Err(StoreError::StillReferenced { .. })));
    let item = shelf.collection("item");
    for (referring, property, to) in [
        (&item, "holdingsRecordId", &of_ids),
        (&holdings, "instanceId", &ids),
    ] {
        delete_referring(database, tenant, referring, property, to)
            .await
            .unwrap();
    }
    delete_many(database, tenant, &instance, &ids)
        .await
        .unwrap();
    let again = delete_many(database, tenant, &instance, &ids).await;
    assert!(matches!(again, Err(StoreError::NotFound)));
    let events = events_after(database, tenant, 0, 100).await.unwrap();
    let deleted = events.iter().filter(|event| {
        let told: Value = serde_json::from_slice(&event.value).unwrap();
        told["type"] == "DELETE"
    });
    // Of three items and two instances; holdings have no topic here.
    assert_eq!(deleted.count(), 5);
}

#[tokio::test]
async fn a_batch_names_the_first_record_that_has_changed() {
    let shelf = Shelf::new().await;
    let ids = instances(&shelf, &["a", "b", "c"]).await;
    let collection = shelf.collection("instance");
    let sent = |versions: [Value; 3]| -> Vec<(Uuid, Map<String, Value>)> {
        // Backwards: the order of the batch, not that of the ids, decides which is first.
        ids.iter()
            .rev()
            .zip(versions)
            .map(|(id, version)| {
                let document = json!({"id": id, "title": "x", "_version": version});
                (*id, object(document))
            })
            .collect()
    };
    let replace = |documents: Vec<(Uuid, Map<String, Value>)>, locking| {
        let (shelf, collection) = (&shelf, &collection);
        async move {
            let transaction = shelf.store.database.transaction().await?;
            let stamp = Stamp::now(None);
            replace_many(
                &transaction,
                &shelf.tenant,
                collection,
                &documents,
                &stamp,
                locking,
            )
            .await?;
            transaction.commit().await?;
            Ok::<(), StoreError>(())
        }
    };
    for (versions, at, shown) in [
        ([json!(1), json!(7), json!(8)], 1, "7"),
        ([json!(1), json!(1), json!(null)], 0, "<NULL>"),
        ([json!(-1), json!(1), json!(1)], 2, "<NULL>"),
    ] {
        let refused = replace(sent(versions), Locking::Declared).await;
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(&ids[at].to_string()), "{refused}");
        assert!(
            refused.contains(&format!(
                "Stored _version is 1, _version of request is {shown}"
            )),
            "{refused}"
        );
    }
    assert_eq!(versions(&shelf).await, [1, 1, 1]);
    replace(sent([json!(1), json!(1), json!(1)]), Locking::Declared)
        .await
        .unwrap();
    replace(
        sent([json!(-1), json!(1), json!(null)]),
        Locking::Suppressed,
    )
    .await
    .unwrap();
    assert_eq!(versions(&shelf).await, [3, 3, 3]);
}

#[tokio::test]
async fn seeds_leave_what_is_there_and_come_all_or_none() {
    let shelf = Shelf::new().await;
    let there = shelf.put("instance", titled("Emma")).await;
    let (instance, types) = (
        shelf.collection("instance"),
        shelf.collection("material_type"),
    );
    let new = Uuid::new_v4();
    let titles = vec![
        object(json!({"id": there, "title": "Another"})),
        object(json!({"id": new, "title": "Persuasion"})),
    ];
    let book = object(json!({"id": Uuid::new_v4(), "name": "book"}));
    let seeds = vec![(&*instance, titles.clone()), (&*types, vec![book])];
    shelf.store.seed(&shelf.tenant, seeds).await.unwrap();
    let titles_there = || shelf.find("instance", "cql.allRecords=1 sortBy title", "title");
    assert_eq!(titles_there().await, ["Emma", "Persuasion"]);
    assert_eq!(versions(&shelf).await, [1, 1]);
    // Only what came has an event.
    let sql = "SELECT count(*) FROM tenant_diku.outbox WHERE new->>'title' = 'Another'";
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>("count"), 0);
    let sql = "SELECT new->>'id' AS id FROM tenant_diku.outbox ORDER BY position DESC LIMIT 1";
    let rows = shelf.store.database.query(sql, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, String>("id"), new.to_string());
    // A name that another has stands in the way of everything.
    let late = object(json!({"id": Uuid::new_v4(), "title": "Sanditon"}));
    let taken = object(json!({"id": Uuid::new_v4(), "name": "Book"}));
    let seeds = vec![(&*instance, vec![late]), (&*types, vec![taken])];
    let refused = shelf.store.seed(&shelf.tenant, seeds).await.unwrap_err();
    assert!(
        matches!(refused, StoreError::Duplicate { .. }),
        "{refused:?}"
    );
    assert_eq!(titles_there().await, ["Emma", "Persuasion"]);
}

#[tokio::test]
async fn batches_of_the_same_records_in_opposite_orders_all_succeed() {
    let shelf = Arc::new(Shelf::new().await);
    let titles: Vec<String> = (0..50).map(|number| number.to_string()).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let ids = instances(&shelf, &titles).await;
    let start = Arc::new(Barrier::new(4));
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (shelf, start, mut ids) = (Arc::clone(&shelf), Arc::clone(&start), ids.clone());
            if writer % 2 == 1 {
                ids.reverse();
            }
            tokio::spawn(async move {
                start.wait().await;
                for _ in 0..10 {
                    upsert(&shelf, &ids).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(versions(&shelf).await, [41; 50]);
}

/// Replaces the records with their present versions, as a batch does.
async fn upsert(shelf: &Shelf, ids: &[Uuid]) -> Result<(), StoreError> {
    let collection = shelf.collection("instance");
    retried(|| async {
        let transaction = shelf.store.database.transaction().await?;
        let (tenant, hold) = (&shelf.tenant, Hold::Exclusive);
        let old = fetch_many(&transaction, tenant, &collection, ids, hold).await?;
        let documents: Vec<_> = ids
            .iter()
            .map(|id| (*id, object(old[id].clone())))
            .collect();
        let (stamp, locking) = (Stamp::now(None), Locking::Declared);
        replace_many(
            &transaction,
            tenant,
            &collection,
            &documents,
            &stamp,
            locking,
        )
        .await?;
        transaction.commit().await?;
        Ok(())
    })
    .await
}

#[tokio::test]
async fn new_records_in_opposite_orders_are_stored_once_and_refused_once() {
    let shelf = Arc::new(Shelf::new().await);
    let start = Arc::new(Barrier::new(2));
    let writers: Vec<_> = (0..2)
        .map(|writer| {
            let (shelf, start) = (Arc::clone(&shelf), Arc::clone(&start));
            tokio::spawn(async move {
                let mut documents: Vec<_> = (0..500)
                    .map(|number| object(json!({"name": format!("{number:03}")})))
                    .collect();
                if writer == 1 {
                    documents.reverse();
                }
                let collection = shelf.collection("material_type");
                start.wait().await;
                let (database, stamp) = (&shelf.store.database, Stamp::now(None));
                insert_many(database, &shelf.tenant, &collection, documents, &stamp).await
            })
        })
        .collect();
    let mut stored = 0;
    for writer in writers {
        match writer.await.unwrap() {
            Ok(count) => stored += count,
            Err(StoreError::Duplicate { status, .. }) => assert_eq!(status, 422),
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!(stored, 500);
}

#[tokio::test]
async fn a_transaction_that_was_given_up_for_another_is_done_again() {
    let shelf = Arc::new(Shelf::new().await);
    let ids = instances(&shelf, &["a", "b"]).await;
    let (met, attempts) = (Arc::new(Barrier::new(2)), Arc::new(AtomicUsize::new(0)));
    let writers: Vec<_> = [[ids[0], ids[1]], [ids[1], ids[0]]]
        .into_iter()
        .map(|order| {
            let (shelf, met, attempts) =
                (Arc::clone(&shelf), Arc::clone(&met), Arc::clone(&attempts));
            tokio::spawn(async move {
                let collection = shelf.collection("instance");
                let first = AtomicUsize::new(0);
                retried(|| async {
                    attempts.fetch_add(1, Ordering::Relaxed);
                    let transaction = shelf.store.database.transaction().await?;
                    let hold = |id| fetch_locked(&transaction, &shelf.tenant, &collection, id);
                    hold(order[0]).await?;
                    // Both hold one lock and want the other's: PostgreSQL has to abort one.
                    if first.fetch_add(1, Ordering::Relaxed) == 0 {
                        met.wait().await;
                    }
                    hold(order[1]).await?;
                    transaction.commit().await?;
                    Ok::<(), StoreError>(())
                })
                .await
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap().unwrap();
    }
    // On a busy machine the two may collide once more.
    assert!(attempts.load(Ordering::Relaxed) >= 3);
}

#[tokio::test]
async fn a_statement_that_was_given_up_for_another_is_run_again() {
    let shelf = Arc::new(Shelf::new().await);
    let ids = instances(&shelf, &["a", "b"]).await;
    let collection = shelf.collection("instance");
    // A store of its own, standing for another process.
    let options = DatabaseOptions::new(shelf.database.superuser_config());
    let elsewhere = Database::connect(options).await.unwrap();
    let other = elsewhere.transaction().await.unwrap();
    // The other one waits longer, so that the statement is aborted; only a superuser may set this.
    let patient = "SET LOCAL deadlock_timeout = '60s'";
    other.batch_execute(patient).await.unwrap();
    fetch_locked(&other, &shelf.tenant, &collection, ids[1])
        .await
        .unwrap();
    let statement = {
        let (shelf, ids) = (Arc::clone(&shelf), ids.clone());
        tokio::spawn(async move {
            let collection = shelf.collection("instance");
            let documents: Vec<_> = ids
                .iter()
                .map(|id| (*id, object(json!({"id": id, "title": "x", "_version": 1}))))
                .collect();
            let (database, stamp) = (&shelf.store.database, Stamp::now(None));
            let locking = Locking::Declared;
            replace_many(
                database,
                &shelf.tenant,
                &collection,
                &documents,
                &stamp,
                locking,
            )
            .await
        })
    };
    let waits = "SELECT count(*) FROM pg_locks WHERE NOT granted";
    while other.query(waits, &[]).await.unwrap()[0].get::<_, i64>(0) == 0 {
        tokio::task::yield_now().await;
    }
    fetch_locked(&other, &shelf.tenant, &collection, ids[0])
        .await
        .unwrap();
    other.commit().await.unwrap();
    statement.await.unwrap().unwrap();
    assert_eq!(versions(&shelf).await, [2, 2]);
    let deadlocks = "SELECT count(*) FROM tenant_diku.outbox WHERE type = 'UPDATE'";
    let rows = shelf.store.database.query(deadlocks, &[]).await.unwrap();
    assert_eq!(rows[0].get::<_, i64>(0), 2);
}

#[tokio::test]
async fn ready_records_are_stored_as_they_are_with_their_events_or_not_at_all() {
    let shelf = Shelf::new().await;
    let collection = shelf.collection("instance");
    let ready = |title: &str| {
        let id = Uuid::new_v4();
        let body = json!({"id": id, "title": title, "_version": 1}).to_string();
        Ready {
            id,
            body: body.into_bytes(),
        }
    };
    let (a, b) = (ready("a"), ready("b"));
    let database = &shelf.store.database;
    insert_ready(database, &shelf.tenant, &collection, &[&a, &b])
        .await
        .unwrap();
    let stored = fetch_locked(database, &shelf.tenant, &collection, b.id).await;
    assert_eq!(stored.unwrap().unwrap()["title"], "b");
    let events = events_after(database, &shelf.tenant, 0, 10).await.unwrap();
    let mut keys: Vec<Uuid> = events.iter().map(|event| event.key).collect();
    keys.sort();
    let mut ids = vec![a.id, b.id];
    ids.sort();
    assert_eq!(keys, ids);

    let taken = insert_ready(database, &shelf.tenant, &collection, &[&ready("c"), &a]).await;
    assert!(
        matches!(taken, Err(StoreError::Duplicate { .. })),
        "{taken:?}"
    );
    assert_eq!(versions(&shelf).await, [1, 1]);
    insert_ready(database, &shelf.tenant, &collection, &[])
        .await
        .unwrap();
}
