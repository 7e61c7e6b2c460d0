//! Pieces that move to another line, or become of another format.

use serde_json::{Value, json};

use super::house::{House, LINES, codes};
use super::receiving::item;
use super::text;

const PIECES: &str = "/orders/pieces";

/// FOLIO leaves the copy with the line before, and takes any title.
#[tokio::test]
async fn a_piece_moves_to_another_line_with_its_copy() {
    let house = House::new().await;
    let mut second = house.line(1, 7.0);
    second["titleOrPackage"] = json!("A field guide to lake mills");
    second["details"] = json!({});
    let from = house.ordered("Open", &[house.line(2, 10.0)]).await;
    let from = from["compositePoLines"][0].clone();
    let pieces = house.pieces().await;
    let to = house.ordered("Open", &[second]).await;
    let to = to["compositePoLines"][0].clone();
    let query = format!("poLineId=={}", text(&to["id"]));
    let title = house.found("/orders/titles", &query, "titles").await[0]["id"].clone();
    let line = async |line: &Value| house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    let counted = |line: &Value| {
        (
            line["cost"]["quantityPhysical"].clone(),
            line["cost"]["poLineEstimatedPrice"].clone(),
            line["receiptStatus"].clone(),
        )
    };
    assert_eq!(house.budget().await, "27, 0, 0, 0");
    let path = format!("{PIECES}/{}", text(&pieces[0]["id"]));
    let mut moved = house.get(&path).await;
    moved["poLineId"] = to["id"].clone();
    // It needs a title of the line that it goes to.
    let answer = house.client.put(&path, &moved).await.expect(422);
    assert_eq!(codes(&answer), ["piecePolMismatch"]);
    moved["titleId"] = title;
    moved["receivingStatus"] = json!("Received");
    let _ = house.client.put(&path, &moved).await.expect(204);
    assert_eq!(
        counted(&line(&from).await),
        (json!(1), json!(10.0), json!("Awaiting Receipt"))
    );
    assert_eq!(
        counted(&line(&to).await),
        (json!(2), json!(14.0), json!("Partially Received"))
    );
    assert_eq!(house.budget().await, "24, 0, 0, 0");
    let item = item(&house, &pieces[0]).await;
    assert_eq!(item["purchaseOrderLineIdentifier"], to["id"]);
    // The line before counts its pieces and keeps its last one.
    let last = format!("{PIECES}/{}", text(&pieces[1]["id"]));
    let mut piece = house.get(&last).await;
    piece["poLineId"] = to["id"].clone();
    piece["titleId"] = moved["titleId"].clone();
    let answer = house.client.put(&last, &piece).await.expect(422);
    assert_eq!(codes(&answer), ["lastPiece"]);
    house.in_order().await;
}

#[tokio::test]
async fn a_piece_of_another_format_is_counted_as_that() {
    let house = House::new().await;
    let mut mix = house.line(2, 10.0);
    mix["orderFormat"] = json!("P/E Mix");
    mix["cost"]["quantityElectronic"] = json!(1);
    mix["cost"]["listUnitPriceElectronic"] = json!(2);
    mix["eresource"] = json!({"createInventory": "None"});
    mix["locations"][0]["quantityElectronic"] = json!(1);
    let order = house.ordered("Open", &[mix]).await;
    let line_path = format!("{LINES}/{}", text(&order["compositePoLines"][0]["id"]));
    assert_eq!(house.budget().await, "22, 0, 0, 0");
    let pieces = house.pieces().await;
    let printed = pieces.iter().find(|one| one["format"] == "Physical");
    let path = format!("{PIECES}/{}", text(&printed.expect("a piece")["id"]));
    let mut piece = house.get(&path).await;
    piece["format"] = json!("Electronic");
    let _ = house.client.put(&path, &piece).await.expect(204);
    let line = house.get(&line_path).await;
    let cost = &line["cost"];
    assert_eq!(
        (&cost["quantityPhysical"], &cost["quantityElectronic"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(cost["poLineEstimatedPrice"], json!(14.0));
    let sum = |kind: &str| -> i64 {
        let all = line["locations"].as_array().expect("a list").iter();
        all.filter_map(|one| one[kind].as_i64()).sum()
    };
    assert_eq!((sum("quantityPhysical"), sum("quantityElectronic")), (1, 2));
    assert_eq!(house.budget().await, "14, 0, 0, 0");
    // A line of one kind has no pieces of another.
    piece["format"] = json!("Other");
    let answer = house.client.put(&path, &piece).await.expect(400);
    assert_eq!(codes(&answer), ["pieceFormatIsNotValid"]);
    house.in_order().await;
}
