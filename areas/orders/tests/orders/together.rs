//! Several at once: what is done twice, is done once.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS, codes};
use super::{made, text};

#[tokio::test]
async fn two_open_one_order() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(2, 100.0)]).await;
    let mut open = house.stored(&order).await;
    open["workflowStatus"] = json!("Open");
    let tries = (0..4).map(|_| house.put(&open));
    for answer in futures_util::future::join_all(tries).await {
        // Those who come later change an order that is open already.
        assert!(matches!(answer.status, 204 | 400), "{}", answer.text);
    }
    assert_eq!(house.budget().await, "200, 0, 0, 0");
    assert_eq!(house.encumbrances().await.len(), 1);
    assert_eq!(house.items().await.len(), 2);
    assert_eq!(house.pieces().await.len(), 2);
    house.in_order().await;
}

#[tokio::test]
async fn numbers_are_given_once_to_twenty_clients() {
    let house = House::new().await;
    let body = house.order("Pending", &[house.line(1, 1.0)]);
    let tries = (0..20).map(|_| made(&house.client, ORDERS, &body));
    let orders = futures_util::future::join_all(tries).await;
    let numbers: HashSet<String> = orders.iter().map(|one| text(&one["poNumber"])).collect();
    assert_eq!(numbers.len(), 20);
    // The same number for several: one gets it.
    let mut same = body.clone();
    same["poNumber"] = json!("SAME1");
    let tries = (0..8).map(|_| house.client.post(ORDERS, &same));
    let answers = futures_util::future::join_all(tries).await;
    let (made_, refused): (Vec<_>, Vec<_>) =
        answers.into_iter().partition(|answer| answer.status == 201);
    assert_eq!(made_.len(), 1);
    for answer in refused {
        assert_eq!(codes(&answer.expect(400)), ["poNumberNotUnique"]);
    }
    // Lines of one order.
    let mut line = house.line(1, 1.0);
    line["purchaseOrderId"] = orders[0]["id"].clone();
    let tries = (0..12).map(|_| house.client.post(LINES, &line));
    let answers = futures_util::future::join_all(tries).await;
    let stored = answers.iter().filter(|answer| answer.status == 201);
    let numbers: HashSet<String> = stored
        .map(|answer| text(&answer.json()["poLineNumber"]))
        .collect();
    // Ten lines are the limit.
    assert_eq!(numbers.len(), 9);
    house.in_order().await;
}

#[tokio::test]
async fn money_for_one_of_two_orders() {
    let house = House::with(true).await;
    let body = house.order("Open", &[house.line(1, 600.0)]);
    let tries = (0..4).map(|_| house.client.post(ORDERS, &body));
    let answers = futures_util::future::join_all(tries).await;
    let opened = answers.iter().filter(|answer| answer.status == 201).count();
    assert_eq!(opened, 1);
    for answer in answers.iter().filter(|answer| answer.status != 201) {
        let body = answer.json();
        let code = body["errors"][0]["code"].as_str().unwrap_or_default();
        let known = ["fundCannotBePaid", "budgetRestrictedEncumbranceError"];
        assert!(known.contains(&code), "{}", answer.text);
    }
    assert_eq!(house.budget().await, "600, 0, 0, 0");
    house.in_order().await;
}

#[tokio::test]
async fn pieces_received_at_once_complete_their_line() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(6, 10.0)]).await;
    let line = order["compositePoLines"][0].clone();
    let pieces = house.pieces().await;
    let body = |piece: &Value| {
        json!({"toBeReceived": [{"poLineId": line["id"], "receivedItems": [
            {"pieceId": piece["id"], "itemStatus": "In process"}]}], "totalRecords": 1})
    };
    let bodies: Vec<Value> = pieces.iter().map(body).collect();
    let tries = bodies
        .iter()
        .map(|body| house.client.post("/orders/receive", body));
    for answer in futures_util::future::join_all(tries).await {
        let _ = answer.expect(200);
    }
    let line = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    assert_eq!(line["receiptStatus"], "Fully Received");
    house.in_order().await;
}

#[tokio::test]
async fn an_order_that_goes_on_stays_in_order() {
    let house = House::new().await;
    let order = house
        .ordered("Open", &[house.line(2, 10.0), house.line(1, 5.0)])
        .await;
    for status in ["Closed", "Open", "Pending", "Open", "Closed"] {
        let _ = house.turn(&order, status).await.expect(204);
        house.in_order().await;
    }
}
