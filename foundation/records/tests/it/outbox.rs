//! The outbox: events in FOLIO's form, and that they describe every change of the records.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use octavo_records::store::{
    Difference, Event, Locking, emit_many, events_after, insert_many, replace_many,
};
use octavo_records::{Stamp, StoreError, retried};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::shelf::{Shelf, collections, titled};

async fn all_events(shelf: &Shelf) -> Vec<Event> {
    let mut all: Vec<Event> = Vec::new();
    loop {
        let after = all.last().map_or(0, |event| event.position);
        let next = events_after(&shelf.store.database, &shelf.tenant, after, 100)
            .await
            .unwrap();
        if next.is_empty() {
            return all;
        }
        all.extend(next);
    }
}

fn value(event: &Event) -> Value {
    serde_json::from_slice(&event.value).unwrap()
}

#[tokio::test]
async fn several_events_of_one_statement_keep_their_order() {
    let shelf = Shelf::new().await;
    let (database, tenant) = (&shelf.store.database, &shelf.tenant);
    emit_many(database, tenant, "TOLD", "Edit", &[])
        .await
        .unwrap();
    let events: Vec<(Uuid, Value)> = (0..20_u128)
        .map(|n| (Uuid::from_u128(100 - n), json!({"n": n.to_string()})))
        .collect();
    emit_many(database, tenant, "TOLD", "Edit", &events)
        .await
        .unwrap();
    let all = all_events(&shelf).await;
    let told: Vec<(Uuid, Value)> = all
        .iter()
        .map(|event| (event.key, value(event)["new"].clone()))
        .collect();
    assert_eq!(told, events);
    assert!(all.iter().all(|event| event.topic == "TOLD"));
}

#[tokio::test]
async fn events_have_folios_form() {
    let mut declared = collections();
    for collection in &mut declared {
        if collection.table == "item" {
            *collection = collection
                .clone()
                .events_telling("instanceId", "holdingsRecordId");
        }
    }
    let shelf = Shelf::with(declared).await;
    let before = Stamp::now(None).at.as_millisecond();
    let instance = shelf.put("instance", titled("Emma")).await;
    let holdings = json!({"instanceId": instance});
    let holdings = shelf.put("holdings_record", holdings).await;
    let item = shelf
        .put("item", json!({"holdingsRecordId": holdings}))
        .await;
    let items = shelf.collection("item");
    let record = json!({"holdingsRecordId": holdings, "barcode": "1", "_version": 1});
    shelf
        .store
        .replace(&shelf.tenant, &items, item, record, &Stamp::now(None))
        .await
        .unwrap();
    shelf
        .store
        .delete(&shelf.tenant, &items, item)
        .await
        .unwrap();
    // Holdings have no topic here, and a refused write leaves no event.
    let taken = shelf.try_put("instance", json!({"id": instance, "title": "Emma"}));
    assert!(taken.await.is_err());

    let events = all_events(&shelf).await;
    let told: Vec<(&str, Uuid)> = events
        .iter()
        .map(|event| (event.topic.as_str(), event.key))
        .collect();
    assert_eq!(
        told,
        [
            ("inventory.instance", instance),
            ("inventory.item", item),
            ("inventory.item", item),
            ("inventory.item", item)
        ]
    );
    let values: Vec<Value> = events.iter().map(value).collect();
    let kinds: Vec<&str> = values
        .iter()
        .map(|one| one["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["CREATE", "CREATE", "UPDATE", "DELETE"]);
    let names = |value: &Value| -> Vec<String> {
        let mut names: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
        names.sort();
        names
    };
    assert_eq!(
        names(&values[0]),
        ["eventId", "eventTs", "new", "tenant", "type"]
    );
    assert_eq!(
        names(&values[2]),
        ["eventId", "eventTs", "new", "old", "tenant", "type"]
    );
    assert_eq!(
        names(&values[3]),
        ["eventId", "eventTs", "old", "tenant", "type"]
    );
    for value in &values {
        assert_eq!(value["tenant"], "diku");
        assert!(Uuid::try_parse(value["eventId"].as_str().unwrap()).is_ok());
        let at = value["eventTs"].as_i64().unwrap();
        assert!((before - 1_000..before + 60_000).contains(&at), "{at}");
    }
    assert_eq!(values[0]["new"]["title"], "Emma");
    for (at, part) in [(1, "new"), (2, "old"), (2, "new"), (3, "old")] {
        assert_eq!(
            values[at][part]["instanceId"],
            json!(instance),
            "{at} {part}"
        );
    }
    assert_eq!(values[2]["new"]["barcode"], "1");
    assert!(values[2]["old"].get("barcode").is_none());
}

/// A write of instances. Numbers choose among the existing records, or a title.
#[derive(Debug, Clone)]
enum Write {
    Create(u8),
    CreateMany(Vec<u8>),
    Replace(usize, u8, bool),
    ReplaceMany(usize, u8, bool),
    Delete(usize),
    DeleteTitled(u8),
    DeleteAll,
}

fn write() -> impl Strategy<Value = Write> {
    prop_oneof![
        4 => any::<u8>().prop_map(Write::Create),
        2 => prop::collection::vec(any::<u8>(), 0..6).prop_map(Write::CreateMany),
        4 => (any::<usize>(), any::<u8>(), any::<bool>())
            .prop_map(|(which, title, stale)| Write::Replace(which, title, stale)),
        2 => (any::<usize>(), any::<u8>(), any::<bool>())
            .prop_map(|(which, title, forced)| Write::ReplaceMany(which, title, forced)),
        2 => any::<usize>().prop_map(Write::Delete),
        1 => any::<u8>().prop_map(Write::DeleteTitled),
        1 => Just(Write::DeleteAll),
    ]
}

/// Few titles and numbers, so that some are taken and some queries match several.
fn document(number: u8) -> Map<String, Value> {
    let mut document = Map::new();
    document.insert("title".to_owned(), json!(format!("title {}", number % 7)));
    if number.is_multiple_of(3) {
        document.insert("hrid".to_owned(), json!(format!("in{}", number % 20)));
    }
    document
}

async fn table(shelf: &Shelf) -> BTreeMap<Uuid, Value> {
    let rows = shelf
        .store
        .database
        .query("SELECT id, jsonb FROM tenant_diku.instance", &[])
        .await
        .unwrap();
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// Performs the write; a refusal is accepted.
async fn perform(shelf: &Shelf, write: &Write) -> Result<(), StoreError> {
    let (store, tenant) = (&shelf.store, &shelf.tenant);
    let instances = shelf.collection("instance");
    let stamp = Stamp::now(None);
    let there: Vec<(Uuid, Value)> = table(shelf).await.into_iter().collect();
    let some = |which: usize| there.get(which % there.len().max(1));
    match write {
        Write::Create(number) => {
            let document = Value::Object(document(*number));
            store.create(tenant, &instances, document, &stamp).await?;
        }
        Write::CreateMany(numbers) => {
            let documents: Vec<_> = numbers.iter().map(|number| document(*number)).collect();
            retried(|| async {
                insert_many(
                    &store.database,
                    tenant,
                    &instances,
                    documents.clone(),
                    &stamp,
                )
                .await
            })
            .await?;
        }
        Write::Replace(which, number, stale) => {
            let Some((id, old)) = some(*which) else {
                return Ok(());
            };
            let mut document = document(*number);
            let version = old["_version"].as_i64().unwrap() - i64::from(*stale);
            document.insert("_version".to_owned(), json!(version));
            let document = Value::Object(document);
            store
                .replace(tenant, &instances, *id, document, &stamp)
                .await?;
        }
        Write::ReplaceMany(which, number, forced) => {
            let chosen = there.iter().skip(which % there.len().max(1)).take(4);
            let documents: Vec<(Uuid, Map<String, Value>)> = chosen
                .map(|(id, old)| {
                    let mut document = document(number.wrapping_mul(3).wrapping_add(1));
                    document.insert("id".to_owned(), json!(id));
                    document.insert("_version".to_owned(), old["_version"].clone());
                    (*id, document)
                })
                .collect();
            let locking = match forced {
                true => Locking::Suppressed,
                false => Locking::Declared,
            };
            let transaction = store.database.transaction().await?;
            replace_many(
                &transaction,
                tenant,
                &instances,
                &documents,
                &stamp,
                locking,
            )
            .await?;
            transaction.commit().await?;
        }
        Write::Delete(which) => {
            if let Some((id, _)) = some(*which) {
                store.delete(tenant, &instances, *id).await?;
            }
        }
        Write::DeleteTitled(number) => {
            let query = format!("title==\"title {}\"", number % 7);
            store.delete_matching(tenant, &instances, &query).await?;
        }
        Write::DeleteAll => {
            store
                .delete_matching(tenant, &instances, "cql.allRecords=1")
                .await?;
        }
    }
    Ok(())
}

/// The records that a consumer of the events has.
async fn replayed(shelf: &Shelf) -> BTreeMap<Uuid, Value> {
    let mut records = BTreeMap::new();
    for event in all_events(shelf).await {
        let value = value(&event);
        let (old, new) = (value.get("old"), value.get("new"));
        match value["type"].as_str().unwrap() {
            "CREATE" => {
                let before = records.insert(event.key, new.unwrap().clone());
                assert_eq!(before, None, "{value}");
            }
            "UPDATE" => {
                let before = records.insert(event.key, new.unwrap().clone());
                assert_eq!(before.as_ref(), old, "{value}");
            }
            "DELETE" => {
                assert_eq!(records.remove(&event.key).as_ref(), old, "{value}");
            }
            "DELETE_ALL" => {
                assert_eq!(event.key, Uuid::nil());
                records.clear();
            }
            other => panic!("{other}"),
        }
    }
    records
}

#[test]
fn who_follows_the_events_has_what_the_table_has() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let shelf = runtime.block_on(Shelf::new());
    let config = Config {
        cases: 12,
        failure_persistence: None,
        ..Config::default()
    };
    // Writes of one group run concurrently.
    let groups = prop::collection::vec(prop::collection::vec(write(), 1..5), 1..12);
    TestRunner::new(config)
        .run(&groups, |groups| {
            runtime.block_on(async {
                for group in &groups {
                    for outcome in join_all(group.iter().map(|one| perform(&shelf, one))).await {
                        match outcome {
                            Ok(())
                            | Err(
                                StoreError::Duplicate { .. }
                                | StoreError::VersionConflict { .. }
                                | StoreError::NotFound,
                            ) => {}
                            Err(other) => panic!("{other}"),
                        }
                    }
                }
                assert_eq!(replayed(&shelf).await, table(&shelf).await);
            });
            Ok(())
        })
        .unwrap();
    runtime.block_on(async { drop(shelf) });
}

#[tokio::test]
async fn an_event_that_keeps_a_difference_tells_both_records() {
    let shelf = Shelf::with(collections()).await;
    let map = |value: Value| match value {
        Value::Object(map) => map,
        other => panic!("no object: {other}"),
    };
    let old = json!({"id": "1", "status": {"name": "Available"}, "note": null, "gone": [1]});
    let new = json!({"id": "1", "status": {"name": "Checked out"}, "note": null, "came": true});
    let Difference { was, came } = Difference::between(&map(old.clone()), &map(new.clone()));
    assert!(was.get("note").is_none(), "what stays is not kept twice");
    let sql = "INSERT INTO tenant_diku.outbox (topic, key, type, new, was, came) \
               VALUES ('inventory.item', gen_random_uuid(), 'UPDATE', $1, $2, $3)";
    let database = &shelf.store.database;
    database.execute(sql, &[&new, &was, &came]).await.unwrap();
    // Nothing but properties that are otherwise.
    let Difference { was, came } = Difference::between(&map(old.clone()), &map(old.clone()));
    database.execute(sql, &[&old, &was, &came]).await.unwrap();
    let told: Vec<(Value, Value)> = all_events(&shelf)
        .await
        .iter()
        .map(|event| (value(event)["old"].clone(), value(event)["new"].clone()))
        .collect();
    assert_eq!(told, [(old.clone(), new), (old.clone(), old)]);
}
