//! How often the views of inventory ask the database: counted in the traces of their requests.

use octavo_server_testkit::traced;
use octavo_testkit::{Answer, Client};
use octavo_trace::Summary;
use reqwest::Method;
use serde_json::{Value, json};

use super::{HOLDINGS, ITEMS, Shelf, id, post};

/// Sends a request that is traced; returns its answer and how many statements it took.
pub(super) async fn counted(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> (Answer, usize) {
    let (answer, summary) = summed(client, method, path, body).await;
    (answer.expect(200), summary.statements)
}

/// The same with all sums, whatever the answer is.
async fn summed(
    client: &Client,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> (Answer, Summary) {
    let (answer, tree) = traced(client, method, path, body).await;
    (answer, tree.summary)
}

/// Its holdings by one statement, then the item with COMMIT right after it; the view that
/// `/inventory/items` answers with is one more of each.
#[tokio::test]
async fn a_new_item_takes_two_round_trips() {
    let shelf = Shelf::new().await;
    let mut place = 0;
    for (path, statements, trips) in [(ITEMS, 2, 2), ("/inventory/items", 3, 3)] {
        let mut fewest = usize::MAX;
        for _ in 0..3 {
            place += 1;
            let item = shelf.an_item(&format!("b{place}"));
            let (answer, sums) = summed(&shelf.client, Method::POST, path, Some(&item)).await;
            let _ = answer.expect(201);
            assert_eq!(sums.statements, statements, "{path}");
            // A connection that has not seen the statements yet prepares them one after the other.
            fewest = fewest.min(sums.round_trips);
        }
        assert_eq!(fewest, trips, "{path}");
    }
    // Holdings that do not exist are reported with FOLIO's message.
    let mut item = shelf.an_item("nowhere");
    item["holdingsRecordId"] = json!(super::NOWHERE);
    for path in [ITEMS, "/inventory/items"] {
        let refused = shelf.client.post(path, &item).await.expect(422).json();
        let sentence = "Holdings record does not exist".to_owned();
        assert_eq!(
            super::error(&refused),
            (sentence, "holdingsRecordId".to_owned())
        );
    }
}

#[tokio::test]
async fn each_view_is_one_statement() {
    let shelf = Shelf::new().await;
    let item = shelf.item("1001").await;
    let mut other = shelf.read(HOLDINGS, &shelf.holdings).await;
    for property in ["id", "hrid"] {
        other.as_object_mut().expect("an object").remove(property);
    }
    let other = post(&shelf.client, HOLDINGS, other).await;
    let mut bound = shelf.an_item("1002");
    bound["holdingsRecordId"] = other["id"].clone();
    let bound = post(&shelf.client, ITEMS, bound).await;
    let part = json!({"itemId": bound["id"], "holdingsRecordId": shelf.holdings});
    let _ = post(&shelf.client, "/inventory-storage/bound-with-parts", part).await;
    let by_holdings = |more: &str| {
        let query = format!("query=holdingsRecordId%3D%3D{}", shelf.holdings);
        format!("/inventory/items-by-holdings-id?{query}{more}")
    };
    for (path, shown) in [
        (format!("/inventory/items/{}", id(&item)), 0),
        (format!("/inventory/instances/{}", shelf.instance), 0),
        ("/inventory/items?query=barcode%3D%3D1001".to_owned(), 1),
        (by_holdings(""), 2),
        (by_holdings("&relations=onlyBoundWiths"), 1),
        (
            by_holdings("&relations=onlyBoundWithsSkipDirectlyLinkedItem"),
            1,
        ),
        ("/inventory/items?limit=5".to_owned(), 2),
        ("/inventory/instances?limit=5".to_owned(), 1),
    ] {
        // What the server remembers it has by then.
        let _ = counted(&shelf.client, Method::GET, &path, None).await;
        let (answer, statements) = counted(&shelf.client, Method::GET, &path, None).await;
        assert_eq!(statements, 1, "{path}");
        let body = answer.json();
        let list = body["items"].as_array().or(body["instances"].as_array());
        assert_eq!(list.map_or(0, Vec::len), shown, "{path}");
    }
}

/// Own items and those bound with them are found by indexes, each in its own: not by a walk through
/// all items.
#[tokio::test]
async fn items_of_holdings_are_looked_up() {
    let shelf = Shelf::new().await;
    let _ = shelf.item("1001").await;
    let database = &shelf.library.platform.store.database;
    let fill = "INSERT INTO tenant_diku.item (id, jsonb)
         SELECT id, jsonb - 'barcode' || jsonb_build_object('id', id, 'hrid', 'x' || n,
           'holdingsRecordId', null)
         FROM (SELECT gen_random_uuid() AS id, n FROM generate_series(1, 5000) AS n) AS made,
           (SELECT jsonb FROM tenant_diku.item LIMIT 1) AS like_this";
    let _ = database.execute(fill, &[]).await.expect("items");
    let _ = database
        .execute("ANALYZE tenant_diku.item", &[])
        .await
        .expect("statistics");
    let plan = format!(
        "EXPLAIN SELECT id FROM tenant_diku.item WHERE (holdingsrecordid = ANY ('{{{0}}}') OR \
         id = ANY (ARRAY(SELECT itemid FROM tenant_diku.bound_with_part \
         WHERE holdingsrecordid = ANY ('{{{0}}}'))))",
        shelf.holdings
    );
    let rows = database.query(&plan, &[]).await.expect("a plan");
    let lines: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
    let text = lines.join("\n");
    assert!(!text.contains("Seq Scan on item"), "{text}");
}
