//! Pieces, lines and titles follow items and holdings that inventory moves.

use serde_json::{Value, json};

use super::house::{House, LINES};
use super::{made, text};

const HOLDINGS: &str = "/holdings-storage/holdings";
const ITEMS: &str = "/item-storage/items";
const INSTANCES: &str = "/instance-storage/instances";

impl House {
    async fn line_of(&self, order: &Value) -> Value {
        let id = text(&order["compositePoLines"][0]["id"]);
        self.get(&format!("{LINES}/{id}")).await
    }

    async fn item_of(&self, piece: &Value) -> Value {
        self.get(&format!("{ITEMS}/{}", text(&piece["itemId"])))
            .await
    }

    /// Holdings of the same instance at the same location.
    async fn more_holdings(&self, of: &Value) -> Value {
        let holdings = self.get(&format!("{HOLDINGS}/{}", text(of))).await;
        let new = json!({"instanceId": holdings["instanceId"], "sourceId": holdings["sourceId"],
                         "permanentLocationId": holdings["permanentLocationId"]});
        made(&self.client, HOLDINGS, &new).await
    }

    /// Another location of the library.
    async fn another_location(&self) -> String {
        let path = format!("/locations/{}", self.stock.location);
        let mut location = self.get(&path).await;
        for (name, value) in [("name", "Cellar"), ("code", "CELLAR")] {
            location[name] = json!(value);
        }
        for name in ["id", "metadata"] {
            location.as_object_mut().expect("an object").remove(name);
        }
        text(&made(&self.client, "/locations", &location).await["id"])
    }

    /// The events of a topic, the kind of change each.
    async fn changes(&self, topic: &str) -> Vec<String> {
        let database = &self.library.platform.store.database;
        let sql = "SELECT value->>'type' AS type FROM tenant_diku.outbox_event \
                   WHERE topic = $1 ORDER BY position";
        let rows = database.query(sql, &[&topic]).await.expect("the outbox");
        rows.iter().map(|row| row.get("type")).collect()
    }
}

#[tokio::test]
async fn pieces_and_locations_follow_items() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(3, 10.0)]).await;
    let pieces = house.pieces().await;
    let old = pieces[0]["holdingId"].clone();
    let new = house.more_holdings(&old).await["id"].clone();
    let before = house.changes("ACQ_PIECE_CHANGED").await.len();
    let body =
        json!({"toHoldingsRecordId": new, "itemIds": [pieces[0]["itemId"], pieces[1]["itemId"]]});
    let _ = house
        .client
        .post("/inventory/items/move", &body)
        .await
        .expect(200);
    let now = house.pieces().await;
    let lying: Vec<&Value> = now.iter().map(|piece| &piece["holdingId"]).collect();
    assert_eq!(lying, [&new, &new, &old]);
    assert_eq!(house.changes("ACQ_PIECE_CHANGED").await.len(), before + 2);
    let line = house.line_of(&order).await;
    assert_eq!(
        line["locations"],
        json!([{"holdingId": old, "quantity": 1, "quantityPhysical": 1},
               {"holdingId": new, "quantity": 2, "quantityPhysical": 2}])
    );
    // One by one, by a PUT of the item.
    let mut item = house.item_of(&pieces[2]).await;
    item["holdingsRecordId"] = new.clone();
    let path = format!("{ITEMS}/{}", text(&item["id"]));
    let _ = house.client.put(&path, &item).await.expect(204);
    let line = house.line_of(&order).await;
    assert_eq!(
        line["locations"],
        json!([{"holdingId": new, "quantity": 3, "quantityPhysical": 3}])
    );
    // The order can be changed as it is, and what does not move changes nothing.
    let _ = house.put_line(&line).await.expect(204);
    let before = house.changes("ACQ_ORDER_LINE_CHANGED").await.len();
    let mut item = house.item_of(&pieces[2]).await;
    item["copyNumber"] = json!("c.3");
    let _ = house.client.put(&path, &item).await.expect(204);
    assert_eq!(house.changes("ACQ_ORDER_LINE_CHANGED").await.len(), before);
    house.in_order().await;
}

#[tokio::test]
async fn an_independent_line_keeps_its_locations() {
    let house = House::new().await;
    let mut line = house.line(1, 10.0);
    line["checkinItems"] = json!(true);
    let order = house.ordered("Open", &[line]).await;
    let line = house.line_of(&order).await;
    let old = line["locations"][0]["holdingId"].clone();
    let titles = house.all("/orders-storage/titles", "titles").await;
    let piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": titles[0]["id"],
                       "receivingStatus": "Expected", "holdingId": old});
    let piece = made(&house.client, "/orders/pieces?createItem=true", &piece).await;
    let new = house.more_holdings(&old).await["id"].clone();
    let body = json!({"toHoldingsRecordId": new, "itemIds": [piece["itemId"]]});
    let _ = house
        .client
        .post("/inventory/items/move", &body)
        .await
        .expect(200);
    assert_eq!(house.pieces().await[0]["holdingId"], new);
    assert_eq!(
        house.line_of(&order).await["locations"][0]["holdingId"],
        old
    );
}

#[tokio::test]
async fn lines_and_titles_follow_holdings_to_another_instance() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(2, 10.0)]).await;
    let line = house.line_of(&order).await;
    let (holdings, first) = (
        line["locations"][0]["holdingId"].clone(),
        line["instanceId"].clone(),
    );
    // The line has copies in two holdings.
    let pieces = house.pieces().await;
    let other = house.more_holdings(&holdings).await["id"].clone();
    let body = json!({"toHoldingsRecordId": other, "itemIds": [pieces[0]["itemId"]]});
    let _ = house
        .client
        .post("/inventory/items/move", &body)
        .await
        .expect(200);
    let mut instance = house.get(&format!("{INSTANCES}/{}", text(&first))).await;
    for name in ["id", "hrid", "_version", "metadata"] {
        instance.as_object_mut().expect("an object").remove(name);
    }
    instance["title"] = json!("Mills of the upper river");
    instance["publication"] = json!([{"publisher": "Weir Press", "dateOfPublication": "2024"}]);
    let second = made(&house.client, INSTANCES, &instance).await["id"].clone();
    let body = json!({"toInstanceId": second, "holdingsRecordIds": [holdings]});
    let _ = house
        .client
        .post("/inventory/holdings/move", &body)
        .await
        .expect(200);
    let line = house.line_of(&order).await;
    assert_eq!(
        (
            &line["instanceId"],
            &line["titleOrPackage"],
            &line["publisher"],
            &line["publicationDate"]
        ),
        (
            &second,
            &json!("Mills of the upper river"),
            &json!("Weir Press"),
            &json!("2024")
        )
    );
    let titles = house.all("/orders-storage/titles", "titles").await;
    assert_eq!(titles.len(), 1);
    assert_eq!(
        (&titles[0]["instanceId"], &titles[0]["title"]),
        (&second, &json!("Mills of the upper river"))
    );
    // The other holdings of the line came along.
    for id in [&holdings, &other] {
        let stored = house.get(&format!("{HOLDINGS}/{}", text(id))).await;
        assert_eq!(stored["instanceId"], second);
    }
    house.in_order().await;
}

#[tokio::test]
async fn lines_are_found_at_the_new_location_of_their_holdings() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 10.0)]).await;
    let line = house.line_of(&order).await;
    assert_eq!(line["searchLocationIds"], json!([house.stock.location]));
    let cellar = house.another_location().await;
    let path = format!("{HOLDINGS}/{}", text(&line["locations"][0]["holdingId"]));
    let mut holdings = house.get(&path).await;
    holdings["permanentLocationId"] = json!(cellar);
    let _ = house.client.put(&path, &holdings).await.expect(204);
    let line = house.line_of(&order).await;
    assert_eq!(
        line["searchLocationIds"],
        json!([house.stock.location, cellar])
    );
    let query = format!("searchLocationIds=\"{cellar}\"");
    assert_eq!(house.found(LINES, &query, "poLines").await.len(), 1);
}

/// Items are moved to and fro while their pieces are received: all is done, and the records agree.
#[tokio::test]
async fn moving_and_receiving_at_once() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(8, 1.0)]).await;
    let pieces = house.pieces().await;
    let line = order["compositePoLines"][0]["id"].clone();
    let old = pieces[0]["holdingId"].clone();
    let new = house.more_holdings(&old).await["id"].clone();
    let items: Vec<&Value> = pieces.iter().map(|piece| &piece["itemId"]).collect();
    let moves = (0..6).map(|at| {
        let to = if at % 2 == 0 { &new } else { &old };
        let body = json!({"toHoldingsRecordId": to, "itemIds": items});
        let house = &house;
        async move {
            house
                .client
                .post("/inventory/items/move", &body)
                .await
                .expect(200)
        }
    });
    let arrivals = pieces.iter().map(|piece| {
        let item = json!({"pieceId": piece["id"], "itemStatus": "In process"});
        let body = json!({"toBeReceived": [{"poLineId": line, "received": 1, "receivedItems": [item]}],
                          "totalRecords": 1});
        let house = &house;
        async move { house.client.post("/orders/receive", &body).await.expect(200) }
    });
    let _ = futures_util::join!(
        futures_util::future::join_all(moves),
        futures_util::future::join_all(arrivals)
    );
    let stored = house.line_of(&order).await;
    assert_eq!(stored["receiptStatus"], "Fully Received");
    let pieces = house.pieces().await;
    for piece in &pieces {
        let item = house.item_of(piece).await;
        assert_eq!(piece["holdingId"], item["holdingsRecordId"]);
        assert_eq!(item["status"]["name"], "In process");
    }
    let copies: i64 = stored["locations"]
        .as_array()
        .expect("locations")
        .iter()
        .map(|one| one["quantityPhysical"].as_i64().unwrap_or(0))
        .sum();
    assert_eq!(copies, 8);
    house.in_order().await;
}
