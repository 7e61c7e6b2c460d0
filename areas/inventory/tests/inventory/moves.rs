//! `/inventory/items/move` and `/inventory/holdings/move`.

use std::sync::Arc;

use serde_json::{Value, json};
use uuid::Uuid;

use super::statements::counted;
use super::{HOLDINGS, INSTANCES, ITEMS, NOWHERE, Shelf, an_instance, error, id, post};
use octavo_server_testkit::library;
use octavo_server_testkit::stock::{Stock, check_out};

const MOVE_ITEMS: &str = "/inventory/items/move";
const MOVE_HOLDINGS: &str = "/inventory/holdings/move";

impl Shelf {
    /// More holdings of the shelf's instance, in the display, with another call number.
    async fn more_holdings(&self) -> String {
        let mut holdings = self.read(HOLDINGS, &self.holdings).await;
        for property in ["id", "hrid", "_version", "metadata"] {
            holdings
                .as_object_mut()
                .expect("an object")
                .remove(property);
        }
        holdings["permanentLocationId"] = json!(self.display);
        holdings["callNumber"] = json!("Z699 .M6");
        id(&post(&self.client, HOLDINGS, holdings).await)
    }

    async fn move_items(&self, to: &str, ids: &[&str]) -> Value {
        let body = json!({"toHoldingsRecordId": to, "itemIds": ids});
        self.client.post(MOVE_ITEMS, &body).await.expect(200).json()
    }
}

#[tokio::test]
async fn items_get_what_their_new_holdings_have() {
    let shelf = Shelf::new().await;
    let to = shelf.more_holdings().await;
    let (first, second) = (shelf.item("1").await, shelf.item("2").await);
    let ids = [&id(&first), "nonsense", NOWHERE, &id(&second)];
    let answer = shelf.move_items(&to, &ids).await;
    assert_eq!(answer, json!({"nonUpdatedIds": ["nonsense", NOWHERE]}));
    for item in [&first, &second] {
        let moved = shelf.read(ITEMS, &id(item)).await;
        assert_eq!(moved["holdingsRecordId"], json!(to));
        assert_eq!(moved["effectiveLocationId"], json!(shelf.display));
        let call_number = &moved["effectiveCallNumberComponents"]["callNumber"];
        assert_eq!(call_number, "Z699 .M6");
        assert_ne!(
            moved["effectiveShelvingOrder"],
            item["effectiveShelvingOrder"]
        );
        assert_eq!(moved["status"], item["status"]);
        assert_eq!(moved["_version"], 2);
    }
    // Those that are there stay as they are.
    let answer = shelf.move_items(&to, &[&id(&first), &id(&first)]).await;
    assert_eq!(answer, json!({"nonUpdatedIds": []}));
    assert_eq!(shelf.read(ITEMS, &id(&first)).await["_version"], 2);
    let database = &shelf.library.platform.store.database;
    let sql = "SELECT value FROM tenant_diku.outbox_event WHERE value->>'type' = 'UPDATE'";
    let rows = database.query(sql, &[]).await.expect("the outbox");
    let events: Vec<Value> = rows.iter().map(|row| row.get(0)).collect();
    assert_eq!(events.len(), 2);
    assert!(
        events
            .iter()
            .all(|one| one["new"]["holdingsRecordId"] == json!(to))
    );
    let from = json!(shelf.holdings);
    assert!(
        events
            .iter()
            .all(|one| one["old"]["holdingsRecordId"] == from)
    );
}

#[tokio::test]
async fn holdings_get_another_instance_and_keep_their_items() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1").await;
    let other = id(&post(&shelf.client, INSTANCES, an_instance("Tunnels")).await);
    let body = json!({"toInstanceId": other, "holdingsRecordIds": [shelf.holdings, NOWHERE]});
    let answer = shelf.client.post(MOVE_HOLDINGS, &body).await.expect(200);
    assert_eq!(answer.json(), json!({"nonUpdatedIds": [NOWHERE]}));
    let moved = shelf.read(HOLDINGS, &shelf.holdings).await;
    assert_eq!(
        (&moved["instanceId"], &moved["_version"]),
        (&json!(other), &json!(2))
    );
    assert_eq!(shelf.read(ITEMS, &id(&item)).await, item);
    let shown = shelf.read("/inventory/items", &id(&item)).await;
    assert_eq!(shown["title"], "Tunnels");
}

#[tokio::test]
async fn a_move_names_records_and_where_they_go() {
    let shelf = Shelf::new().await;
    for (path, to, list, nothing, missing) in [
        (
            MOVE_ITEMS,
            "toHoldingsRecordId",
            "itemIds",
            "Item ids aren't specified",
            "Holding",
        ),
        (
            MOVE_HOLDINGS,
            "toInstanceId",
            "holdingsRecordIds",
            "Holdings record ids aren't specified",
            "Instance",
        ),
    ] {
        let refused = async |body: Value| {
            let answer = shelf.client.post(path, &body).await.expect(422);
            error(&answer.json())
        };
        let required = (format!("{to} is a required field"), to.to_owned());
        assert_eq!(refused(json!({list: [NOWHERE]})).await, required);
        assert_eq!(refused(json!({to: " ", list: [NOWHERE]})).await, required);
        let none = (nothing.to_owned(), list.to_owned());
        assert_eq!(refused(json!({to: NOWHERE})).await, none);
        assert_eq!(refused(json!({to: NOWHERE, list: []})).await, none);
        assert_eq!(refused(json!({to: NOWHERE, list: [7]})).await.1, list);
        assert_eq!(refused(json!({to: 7, list: [NOWHERE]})).await.1, to);
        let _ = refused(json!([])).await;
        for nowhere in [NOWHERE, "nonsense"] {
            let body = json!({to: nowhere, list: [NOWHERE]});
            let answer = shelf.client.post(path, &body).await.expect(422);
            assert_eq!(
                answer.text,
                format!("{missing} with id={nowhere} not found")
            );
        }
        let request = shelf.client.request(reqwest::Method::POST, path);
        let _ = shelf.client.send(request.body("{")).await.expect(400);
        let many: Vec<String> = (0..=50_000_u128)
            .map(|number| Uuid::from_u128(number).to_string())
            .collect();
        let body = json!({to: NOWHERE, list: many});
        let _ = shelf.client.post(path, &body).await.expect(413);
    }
}

#[tokio::test]
async fn ten_thousand_holdings_move_in_a_few_statements() {
    let shelf = Shelf::new().await;
    let fill = format!(
        "INSERT INTO tenant_diku.holdings_record (id, jsonb)
         SELECT id, jsonb || jsonb_build_object('id', id, 'hrid', 'x' || n)
         FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 10000) AS n) AS made,
           (SELECT jsonb FROM tenant_diku.holdings_record WHERE id = '{}') AS like_this",
        shelf.holdings
    );
    let database = &shelf.library.platform.store.database;
    assert_eq!(
        database.execute(&fill, &[]).await.expect("holdings"),
        10_000
    );
    let sql = "SELECT id FROM tenant_diku.holdings_record WHERE jsonb->>'hrid' LIKE 'x%'";
    let rows = database.query(sql, &[]).await.expect("their ids");
    let ids: Vec<Uuid> = rows.iter().map(|row| row.get(0)).collect();
    let other = id(&post(&shelf.client, INSTANCES, an_instance("Tunnels")).await);
    let body = json!({"toInstanceId": other, "holdingsRecordIds": ids});
    let answer = counted(
        &shelf.client,
        reqwest::Method::POST,
        MOVE_HOLDINGS,
        Some(&body),
    )
    .await;
    assert_eq!(answer.0.json(), json!({"nonUpdatedIds": []}));
    // The instance, the lines of orders that are held, and ten portions that are read, written and followed.
    assert_eq!(answer.1, 32, "statements");
    let there = format!("instanceId=={other}");
    let path = format!("{HOLDINGS}?limit=0&totalRecords=exact");
    let list = shelf.client.query(&path, &there).await.expect(200).json();
    assert_eq!(list["totalRecords"], 10_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_moves_of_the_same_items_one_is_the_later() {
    let shelf = Arc::new(Shelf::new().await);
    let targets = [shelf.more_holdings().await, shelf.more_holdings().await];
    let mut ids = Vec::new();
    for number in 0..40 {
        ids.push(id(&shelf.item(&format!("{number}")).await));
    }
    for round in 0..10 {
        let movers = targets.iter().enumerate().map(|(number, target)| {
            let (shelf, target, mut ids) = (Arc::clone(&shelf), target.clone(), ids.clone());
            if number == 1 {
                ids.reverse();
            }
            tokio::spawn(async move {
                let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
                shelf.move_items(&target, &ids).await
            })
        });
        for mover in movers.collect::<Vec<_>>() {
            let answer = mover.await.expect("the move ends");
            assert_eq!(answer, json!({"nonUpdatedIds": []}), "{round}");
        }
        let mut found = Vec::new();
        for id in &ids {
            let item = shelf.read(ITEMS, id).await;
            found.push(item["holdingsRecordId"].clone());
        }
        found.dedup();
        assert_eq!(found.len(), 1, "{round}: {found:?}");
        assert!(targets.iter().any(|one| found[0] == json!(one)), "{round}");
        let _ = shelf
            .move_items(
                &shelf.holdings,
                &ids.iter().map(String::as_str).collect::<Vec<_>>(),
            )
            .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_item_that_is_lent_while_it_moves_is_lent_and_moved() {
    let library = library().await;
    let stock = Stock::new(library.client().await).await;
    let client = &stock.client;
    let _ = stock.patron("p").await;
    let mut holdings = client
        .get(&format!("{HOLDINGS}/{}", stock.holdings))
        .await
        .expect(200)
        .json();
    for property in ["id", "hrid", "_version", "metadata"] {
        holdings
            .as_object_mut()
            .expect("an object")
            .remove(property);
    }
    holdings["callNumber"] = json!("Z699 .M6");
    let to = id(&post(client, HOLDINGS, holdings).await);
    for round in 0..10 {
        let barcode = format!("i-{round}");
        let item = stock.item(&barcode).await;
        let lending = {
            let (client, body) = (client.clone(), check_out(&barcode, "p"));
            tokio::spawn(async move {
                let path = "/circulation/check-out-by-barcode";
                let _ = client.post(path, &body).await.expect(201);
            })
        };
        let body = json!({"toHoldingsRecordId": to, "itemIds": [item]});
        let answer = client.post(MOVE_ITEMS, &body).await.expect(200);
        assert_eq!(answer.json(), json!({"nonUpdatedIds": []}), "{round}");
        lending.await.expect("the check-out ends");
        let path = format!("{ITEMS}/{item}");
        let item = client.get(&path).await.expect(200).json();
        assert_eq!(item["status"]["name"], "Checked out", "{round}");
        assert_eq!(item["holdingsRecordId"], json!(to), "{round}");
        assert_eq!(
            item["effectiveCallNumberComponents"]["callNumber"],
            "Z699 .M6"
        );
        assert_eq!(item["_version"], 3, "{round}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn items_that_move_to_holdings_that_change_are_as_these_are() {
    let shelf = Arc::new(Shelf::new().await);
    let to = shelf.more_holdings().await;
    for round in 0..10 {
        let item = id(&shelf.item(&format!("{round}")).await);
        let mut holdings = shelf.read(HOLDINGS, &to).await;
        holdings["callNumber"] = json!(format!("Z{round} .M6"));
        let changing = {
            let (shelf, path) = (Arc::clone(&shelf), format!("{HOLDINGS}/{to}"));
            tokio::spawn(async move {
                let _ = shelf.client.put(&path, &holdings).await.expect(204);
            })
        };
        let _ = shelf.move_items(&to, &[&item]).await;
        changing.await.expect("the change ends");
        let item = shelf.read(ITEMS, &item).await;
        let call_number = &item["effectiveCallNumberComponents"]["callNumber"];
        assert_eq!(*call_number, json!(format!("Z{round} .M6")), "{round}");
    }
}
