//! `/hrid-settings-storage/hrid-settings`, and the ids that are made by them.

use serde_json::{Value, json};

use super::{HOLDINGS, INSTANCES, ITEMS, Shelf, an_instance, error, post};

const SETTINGS: &str = "/hrid-settings-storage/hrid-settings";
const BATCH: &str = "/item-storage/batch/synchronous";

fn settings(start: i64, zeroes: bool) -> Value {
    json!({
        "instances": {"prefix": "bib-", "startNumber": start},
        "holdings": {"startNumber": start},
        "items": {"prefix": "x.", "startNumber": start},
        "commonRetainLeadingZeroes": zeroes,
    })
}

#[tokio::test]
async fn settings_say_how_far_the_numbers_are() {
    let shelf = Shelf::new().await;
    let current = shelf.client.get(SETTINGS).await.expect(200).json();
    assert_eq!(current["instances"]["prefix"], "in");
    assert_eq!(current["instances"]["currentNumber"], 1);
    assert_eq!(current["holdings"]["currentNumber"], 1);
    assert_eq!(current["items"]["currentNumber"], 0);
    assert_eq!(current["commonRetainLeadingZeroes"], true);
}

#[tokio::test]
async fn other_settings_restart_the_numbers() {
    let shelf = Shelf::new().await;
    let _ = shelf
        .client
        .put(SETTINGS, &settings(500, false))
        .await
        .expect(204);
    let instance = post(&shelf.client, INSTANCES, an_instance("Tunnels")).await;
    assert_eq!(instance["hrid"], "bib-500");
    let item = shelf.item("1001").await;
    assert_eq!(item["hrid"], "x.500");
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    for property in ["id", "hrid"] {
        holdings
            .as_object_mut()
            .expect("an object")
            .remove(property);
    }
    assert_eq!(post(&shelf.client, HOLDINGS, holdings).await["hrid"], "500");
    let current = shelf.client.get(SETTINGS).await.expect(200).json();
    assert_eq!(current["id"], "a501f2a8-5b31-48b2-874d-2191e48db8cd");
    assert_eq!(current["items"]["startNumber"], 500);
    assert_eq!(current["items"]["currentNumber"], 500);

    let _ = shelf
        .client
        .put(SETTINGS, &settings(7, true))
        .await
        .expect(204);
    let items = json!({"items": [shelf.an_item("1002"), shelf.an_item("1003")]});
    let _ = shelf
        .client
        .post("/item-storage/batch/synchronous", &items)
        .await
        .expect(201);
    let found = shelf
        .client
        .query(ITEMS, "barcode==1003")
        .await
        .expect(200)
        .json();
    assert_eq!(found["items"][0]["hrid"], "x.00000000008");
}

#[tokio::test]
async fn impossible_settings_change_nothing() {
    let shelf = Shelf::new().await;
    let before = shelf.client.get(SETTINGS).await.expect(200).json();
    let mut long = settings(1, true);
    long["holdings"]["prefix"] = json!("much-too-long");
    let answer = shelf.client.put(SETTINGS, &long).await.expect(422).json();
    assert_eq!(error(&answer).1, "holdings.prefix");
    for start in [0, -1, 100_000_000_000] {
        let answer = shelf
            .client
            .put(SETTINGS, &settings(start, true))
            .await
            .expect(422)
            .json();
        assert_eq!(error(&answer).1, "instances.startNumber");
    }
    let _ = shelf.client.put(SETTINGS, &json!({})).await.expect(422);
    assert_eq!(shelf.client.get(SETTINGS).await.expect(200).json(), before);
}

/// The ids of items in the order of their barcodes.
async fn hrids(shelf: &Shelf) -> Vec<String> {
    let answer = shelf
        .client
        .query(
            &format!("{ITEMS}?limit=1000"),
            "cql.allRecords=1 sortBy barcode",
        )
        .await
        .expect(200)
        .json();
    let items = answer["items"].as_array().expect("items");
    items
        .iter()
        .map(|item| item["hrid"].as_str().expect("an hrid").to_owned())
        .collect()
}

#[tokio::test]
async fn numbers_that_clients_brought_are_passed_over() {
    let shelf = Shelf::new().await;
    let mut moved_in: Vec<Value> = (2..=40)
        .map(|number| {
            let mut item = shelf.an_item(&format!("old-{number:03}"));
            item["hrid"] = json!(format!("IT{number:011}"));
            item
        })
        .collect();
    // One without an id among them: it gets the one free number before theirs.
    moved_in.insert(5, shelf.an_item("new-001"));
    let _ = shelf
        .client
        .post(BATCH, &json!({"items": moved_in}))
        .await
        .expect(201);
    assert_eq!(shelf.item("new-002").await["hrid"], "it00000000041");
    let mut ahead = shelf.an_item("new-003");
    ahead["hrid"] = json!("it00000000043");
    let _ = post(&shelf.client, ITEMS, ahead).await;
    // The batch brings the next number itself.
    let mut own = shelf.an_item("new-006");
    own["hrid"] = json!("it00000000042");
    let items = json!({"items": [shelf.an_item("new-005"), own, shelf.an_item("new-004")]});
    let _ = shelf.client.post(BATCH, &items).await.expect(201);
    let given: Vec<String> = hrids(&shelf).await.into_iter().take(6).collect();
    assert_eq!(
        given,
        ["01", "41", "43", "45", "44", "42"].map(|number| format!("it000000000{number}"))
    );
}

#[tokio::test]
async fn a_refused_item_and_a_replaced_one_take_no_number() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    for _ in 0..3 {
        let _ = shelf
            .client
            .post(ITEMS, &shelf.an_item("1001"))
            .await
            .expect(422);
    }
    let mut same_id = shelf.an_item("1002");
    same_id["id"] = item["id"].clone();
    let _ = shelf.client.post(ITEMS, &same_id).await.expect(422);
    let mut replaced = item.clone();
    replaced.as_object_mut().expect("an object").remove("hrid");
    let _ = shelf
        .client
        .post(
            &format!("{BATCH}?upsert=true"),
            &json!({"items": [replaced]}),
        )
        .await
        .expect(201);
    assert_eq!(shelf.item("1003").await["hrid"], "it00000000002");
}

#[tokio::test]
async fn many_desks_at_once_get_numbers_of_their_own_without_a_gap() {
    let shelf = std::sync::Arc::new(Shelf::new().await);
    // Settings that start again among numbers that are taken.
    for number in 0..10 {
        let _ = shelf.item(&format!("before-{number}")).await;
    }
    let _ = shelf
        .client
        .put(
            SETTINGS,
            &json!({
                "instances": {"prefix": "in", "startNumber": 1},
                "holdings": {"prefix": "ho", "startNumber": 1},
                "items": {"prefix": "it", "startNumber": 1},
            }),
        )
        .await
        .expect(204);
    let desks: Vec<_> = (0..6)
        .map(|desk| {
            let shelf = std::sync::Arc::clone(&shelf);
            tokio::spawn(async move {
                for number in 0..10 {
                    let _ = shelf.item(&format!("{desk}-{number}")).await;
                    let items: Vec<Value> = (0..3)
                        .map(|at| shelf.an_item(&format!("{desk}-{number}-{at}")))
                        .collect();
                    let answer = shelf.client.post(BATCH, &json!({"items": items})).await;
                    assert_eq!(answer.status, 201, "{}", answer.text);
                }
            })
        })
        .collect();
    for desk in desks {
        desk.await.expect("the items come");
    }
    let mut given = hrids(&shelf).await;
    given.sort();
    let expected: Vec<String> = (1..=250).map(|number| format!("it{number:011}")).collect();
    assert_eq!(given, expected);
}

#[tokio::test]
async fn a_client_and_the_numbering_that_meet_are_both_served() {
    let shelf = std::sync::Arc::new(Shelf::new().await);
    // The client brings the very numbers that come next, at the same time.
    let client = {
        let shelf = std::sync::Arc::clone(&shelf);
        tokio::spawn(async move {
            for number in 1..=60 {
                let mut item = shelf.an_item(&format!("own-{number}"));
                item["hrid"] = json!(format!("it{number:011}"));
                let answer = shelf.client.post(ITEMS, &item).await;
                // Its number may be taken already: then it is refused.
                assert!(matches!(answer.status, 201 | 422), "{}", answer.text);
            }
        })
    };
    for number in 1..=60 {
        let item = shelf.an_item(&format!("given-{number}"));
        let _ = shelf.client.post(ITEMS, &item).await.expect(201);
    }
    client.await.expect("the client ends");
}

/// A look-up in other words than the index's reads the whole table for each new record.
#[tokio::test]
async fn free_numbers_are_looked_up_in_the_words_of_the_declared_index() {
    let shelf = Shelf::new().await;
    let tables = octavo_records::Tables {
        tenant: &shelf.library.tenant(),
        catalog: &shelf.library.platform.store.catalog,
    };
    let database = &shelf.library.platform.store.database;
    for (table, function) in [
        ("instance", "instance_hrids"),
        ("holdings_record", "holdings_hrids"),
        ("item", "item_hrids"),
    ] {
        let key = octavo_records::expression::key(tables.index(table, "hrid"));
        let sql = format!(
            "SELECT prosrc FROM pg_proc WHERE oid = '{}.{function}'::regproc",
            tables.tenant.schema()
        );
        let rows = database.query(&sql, &[]).await.expect("the function");
        let source: String = rows[0].get("prosrc");
        let look_ups = source.matches(&format!("WHERE {key} = ")).count();
        assert_eq!(look_ups, 2, "{function}");
    }
}

#[tokio::test]
async fn batches_at_once_leave_no_number_out_that_nobody_brought() {
    let shelf = std::sync::Arc::new(Shelf::new().await);
    for number in 1..=20 {
        let mut item = shelf.an_item(&format!("own-{number}"));
        item["hrid"] = json!(format!("it{:011}", number * 3));
        let _ = shelf.client.post(ITEMS, &item).await.expect(201);
    }
    let batches: Vec<_> = (0..4)
        .map(|batch| {
            let shelf = std::sync::Arc::clone(&shelf);
            tokio::spawn(async move {
                let items: Vec<Value> = (0..50)
                    .map(|at| shelf.an_item(&format!("{batch}-{at}")))
                    .collect();
                let _ = shelf
                    .client
                    .post(BATCH, &json!({"items": items}))
                    .await
                    .expect(201);
            })
        })
        .collect();
    for batch in batches {
        batch.await.expect("the batch is stored");
    }
    let mut given = hrids(&shelf).await;
    given.sort();
    let expected: Vec<String> = (1..=220).map(|number| format!("it{number:011}")).collect();
    assert_eq!(given, expected);
}
