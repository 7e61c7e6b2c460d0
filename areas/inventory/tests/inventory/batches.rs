//! The `batch/synchronous` routes.

use serde_json::{Value, json};

use octavo_server_testkit::{allowing, start};

use super::{FOLIO, HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, error, id};

const ITEM_BATCH: &str = "/item-storage/batch/synchronous";
const HOLDINGS_BATCH: &str = "/holdings-storage/batch/synchronous";
const INSTANCE_BATCH: &str = "/instance-storage/batch/synchronous";

#[tokio::test]
async fn a_batch_of_each_kind_is_stored() {
    let shelf = Shelf::new().await;
    let instances = json!({"instances": [an_instance("One"), an_instance("Two")]});
    let answer = shelf
        .client
        .post(INSTANCE_BATCH, &instances)
        .await
        .expect(201);
    assert_eq!(answer.text, "");
    let found = shelf
        .client
        .query(INSTANCES, "title==Two")
        .await
        .expect(200)
        .json();
    let instance = &found["instances"][0];
    assert_eq!(instance["hrid"], "in00000000003");
    assert_eq!(instance["discoverySuppress"], false);
    let holdings = json!({"holdingsRecords": [{
        "id": NOWHERE, "instanceId": instance["id"], "sourceId": FOLIO,
        "permanentLocationId": shelf.stacks,
    }]});
    let _ = shelf
        .client
        .post(HOLDINGS_BATCH, &holdings)
        .await
        .expect(201);
    assert_eq!(
        shelf.read(HOLDINGS, NOWHERE).await["effectiveLocationId"],
        shelf.stacks
    );
    let mut item = shelf.an_item("1001");
    item["holdingsRecordId"] = json!(NOWHERE);
    let items = json!({"items": [item, shelf.an_item("1002")], "totalRecords": 2});
    let _ = shelf.client.post(ITEM_BATCH, &items).await.expect(201);
    let found = shelf
        .client
        .query(ITEMS, "barcode==1002")
        .await
        .expect(200)
        .json();
    assert_eq!(found["items"][0]["effectiveShelvingOrder"], "TG 3145 B7");
    assert_eq!(found["items"][0]["_version"], 1);
    let _ = shelf
        .client
        .post(ITEM_BATCH, &json!({"items": []}))
        .await
        .expect(201);
}

#[tokio::test]
async fn one_that_cannot_be_stored_keeps_the_others_out() {
    let shelf = Shelf::new().await;
    let refused = |second: Value, status: u16| {
        let items = json!({"items": [shelf.an_item("1001"), second]});
        let client = &shelf.client;
        async move { client.post(ITEM_BATCH, &items).await.expect(status) }
    };
    let mut item = shelf.an_item("1002");
    item["holdingsRecordId"] = json!(NOWHERE);
    assert_eq!(
        error(&refused(item, 422).await.json()).0,
        "Holdings record does not exist"
    );
    let answer = refused(shelf.an_item("1001"), 422).await.json();
    assert!(
        error(&answer)
            .0
            .ends_with("already exists in table item: 1001")
    );
    let answer = refused(json!({"barcode": "1002"}), 422).await.json();
    assert_eq!(error(&answer).1, "items[1].holdingsRecordId");
    let answer = shelf
        .client
        .query(&format!("{ITEMS}?limit=0"), "barcode==1001")
        .await
        .expect(200);
    assert_eq!(answer.json()["totalRecords"], 0);
    assert_eq!(
        error(
            &shelf
                .client
                .post(ITEM_BATCH, &json!({}))
                .await
                .expect(422)
                .json()
        )
        .1,
        "items"
    );
    let items: Vec<Value> = (0..10_001).map(|_| json!({})).collect();
    let _ = shelf
        .client
        .post(ITEM_BATCH, &json!({"items": items}))
        .await
        .expect(413);
    let path = format!("{ITEM_BATCH}?upsert=maybe");
    let _ = shelf
        .client
        .post(&path, &json!({"items": []}))
        .await
        .expect(400);
}

#[tokio::test]
async fn upsert_replaces_what_is_there() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let mut changed = item.clone();
    changed["volume"] = json!("v. 2");
    changed.as_object_mut().expect("an object").remove("hrid");
    let items = json!({"items": [changed, shelf.an_item("1002")]});
    let taken = shelf
        .client
        .post(ITEM_BATCH, &items)
        .await
        .expect(422)
        .json();
    assert!(
        error(&taken)
            .0
            .starts_with("id value already exists in table item")
    );
    let path = format!("{ITEM_BATCH}?upsert=true");
    let _ = shelf.client.post(&path, &items).await.expect(201);
    let stored = shelf.read(ITEMS, &id(&item)).await;
    assert_eq!(stored["effectiveShelvingOrder"], "TG 3145 B7 V 12");
    assert_eq!(
        (&stored["_version"], &stored["hrid"]),
        (&json!(2), &item["hrid"])
    );
    assert_eq!(
        stored["metadata"]["createdDate"],
        item["metadata"]["createdDate"]
    );
    let stale = shelf
        .client
        .post(&path, &json!({"items": [item]}))
        .await
        .expect(409);
    assert!(
        stale
            .text
            .contains("Stored _version is 2, _version of request is 1")
    );
    let twice = json!({"items": [stored, stored]});
    let _ = shelf.client.post(&path, &twice).await.expect(422);

    let mut instance = shelf.read(INSTANCES, &shelf.instance).await;
    instance["title"] = json!("Bridges of the south");
    let instances = json!({"instances": [instance]});
    let path = format!("{INSTANCE_BATCH}?upsert=true");
    let _ = shelf.client.post(&path, &instances).await.expect(201);
    assert_eq!(
        shelf.read(INSTANCES, &shelf.instance).await["title"],
        "Bridges of the south"
    );
}

#[tokio::test]
async fn items_follow_holdings_of_a_batch() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["temporaryLocationId"] = json!(shelf.display);
    let path = format!("{HOLDINGS_BATCH}?upsert=true");
    let body = json!({"holdingsRecords": [holdings]});
    let _ = shelf.client.post(&path, &body).await.expect(201);
    let item = shelf.read(ITEMS, &id(&item)).await;
    assert_eq!(item["effectiveLocationId"], shelf.display);
    assert_eq!(item["_version"], 2);
}

#[tokio::test]
async fn a_batch_without_locking_needs_the_operators_leave() {
    let path = format!("{ITEM_BATCH}-unsafe");
    let refused = Shelf::new().await;
    let items = json!({"items": [refused.an_item("1001")]});
    let answer = refused.client.post(&path, &items).await.expect(413);
    assert_eq!(
        answer.text,
        "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING environment variable doesn't allow to disable \
         optimistic locking"
    );
    let shelf = Shelf::of(start(|| allowing("9999-12-30T00:00:00Z")).await).await;
    let item = shelf.item("1001").await;
    let version = |number: i64| {
        let mut item = item.clone();
        item["_version"] = json!(number);
        item
    };
    for (round, sent) in [version(7), version(-1), version(1)]
        .into_iter()
        .enumerate()
    {
        let items = json!({"items": [sent, shelf.an_item(&format!("new-{round}"))]});
        let _ = shelf.client.post(&path, &items).await.expect(201);
    }
    assert_eq!(shelf.read(ITEMS, &id(&item)).await["_version"], 4);
    // The others go on guarding.
    let upsert = format!("{ITEM_BATCH}?upsert=true");
    let answer = shelf
        .client
        .post(&upsert, &json!({"items": [version(-1)]}))
        .await
        .expect(409);
    assert!(
        answer.text.contains("_version of request is <NULL>"),
        "{}",
        answer.text
    );
    let single = format!("{ITEMS}/{}", id(&item));
    let _ = shelf.client.put(&single, &version(-1)).await.expect(409);

    let mut instance = shelf.read(INSTANCES, &shelf.instance).await;
    instance["_version"] = json!(99);
    let _ = shelf
        .client
        .post(
            &format!("{INSTANCE_BATCH}-unsafe"),
            &json!({"instances": [instance]}),
        )
        .await
        .expect(201);
    let mut holdings = shelf.read(HOLDINGS, &shelf.holdings).await;
    holdings["_version"] = json!(99);
    let _ = shelf
        .client
        .post(
            &format!("{HOLDINGS_BATCH}-unsafe"),
            &json!({"holdingsRecords": [holdings]}),
        )
        .await
        .expect(201);
    let over = Shelf::of(start(|| allowing("2020-01-01T00:00:00Z")).await).await;
    let items = json!({"items": [over.an_item("1001")]});
    let _ = over.client.post(&path, &items).await.expect(413);
}

#[tokio::test]
async fn two_batches_of_the_same_items_in_opposite_orders_are_both_stored() {
    let shelf = std::sync::Arc::new(Shelf::new().await);
    let mut items: Vec<Value> = Vec::new();
    for number in 0..40 {
        let mut item = shelf.item(&format!("{number:03}")).await;
        item["_version"] = json!(null);
        items.push(item);
    }
    let path = format!("{ITEM_BATCH}?upsert=true");
    let writers: Vec<_> = (0..4)
        .map(|writer| {
            let (shelf, path, mut ids) = (
                std::sync::Arc::clone(&shelf),
                path.clone(),
                items.iter().map(id).collect::<Vec<_>>(),
            );
            if writer % 2 == 1 {
                ids.reverse();
            }
            tokio::spawn(async move {
                let mut stored = 0;
                for _ in 0..5 {
                    let mut sent = Vec::new();
                    for id in &ids {
                        sent.push(shelf.read(ITEMS, id).await);
                    }
                    let answer = shelf.client.post(&path, &json!({"items": sent})).await;
                    // Another one may have been faster: that is said by its version, and nothing
                    // else is said.
                    match answer.status {
                        201 => stored += 1,
                        409 => assert!(answer.text.contains("(23F09)"), "{}", answer.text),
                        other => panic!("{other}: {}", answer.text),
                    }
                }
                stored
            })
        })
        .collect();
    let mut stored = 0;
    for writer in writers {
        stored += writer.await.expect("the writer ends");
    }
    for item in &items {
        let version = shelf.read(ITEMS, &id(item)).await["_version"].as_i64();
        assert_eq!(version, Some(1 + stored));
    }
    assert!(stored >= 5, "{stored}");
}

#[tokio::test]
async fn of_ten_thousand_records_none_is_stored_when_the_last_but_one_is_wrong() {
    let shelf = Shelf::new().await;
    let kept = [
        "item",
        "item_statistical_code",
        "audit_item",
        "outbox WHERE topic = 'inventory.item'",
    ];
    let counts = async || {
        let database = &shelf.library.platform.store.database;
        let mut counts = Vec::new();
        for table in kept {
            let sql = format!("SELECT count(*) FROM tenant_diku.{table}");
            let rows = database.query(&sql, &[]).await.expect("a count");
            counts.push(rows[0].get::<_, i64>(0));
        }
        counts
    };
    let before = counts().await;
    let all: Vec<Value> = (0..10_000)
        .map(|at| shelf.an_item(&format!("b{at:05}")))
        .collect();
    // Refused by the shape, by a rule and by the database.
    let wrong = [
        (
            "materialTypeId",
            json!("no id"),
            "items[9998].materialTypeId",
        ),
        ("holdingsRecordId", json!(NOWHERE), "holdingsRecordId"),
        ("materialTypeId", json!(NOWHERE), "item.materialtypeid"),
    ];
    for (property, value, key) in wrong {
        let mut items = all.clone();
        items[9_998][property] = value;
        let batch = json!({"items": items});
        let refused = shelf
            .client
            .post(ITEM_BATCH, &batch)
            .await
            .expect(422)
            .json();
        assert_eq!(refused["errors"].as_array().map(Vec::len), Some(1));
        assert_eq!(error(&refused).1, key);
        assert_eq!(counts().await, before, "{property}");
    }
    let _ = shelf
        .client
        .post(ITEM_BATCH, &json!({"items": all}))
        .await
        .expect(201);
    let after = counts().await;
    assert_eq!(after[0], before[0] + 10_000);
    assert_eq!(after[3], before[3] + 10_000);
    let found = shelf
        .client
        .query(ITEMS, "barcode==b09998")
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 1);
}
