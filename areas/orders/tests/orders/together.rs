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

/// Receiving and unopening at once: the items and pieces that arrived stay, the others go.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn receiving_and_unopening_meet() {
    let house = House::new().await;
    for round in 0..4 {
        let order = house.ordered("Open", &[house.line(4, 10.0)]).await;
        let line = order["compositePoLines"][0]["id"].clone();
        let query = format!("poLineId=={}", text(&line));
        let pieces = house.found("/orders/pieces", &query, "pieces").await;
        let mut unopened = house.stored(&order).await;
        unopened["workflowStatus"] = json!("Pending");
        let path = format!("{ORDERS}/{}", text(&order["id"]));
        let client = house.client.clone();
        let unopens = tokio::spawn(async move {
            let _ = client.put(&path, &unopened).await.expect(204);
        });
        let receives = pieces.iter().map(|piece| {
            let body = json!({"toBeReceived": [{"poLineId": line, "receivedItems": [
                {"pieceId": piece["id"], "itemStatus": "In process"}]}], "totalRecords": 1});
            let client = house.client.clone();
            tokio::spawn(async move {
                let answer = client.post("/orders/receive", &body).await.expect(200);
                let result = answer.json()["receivingResults"][0].clone();
                result["processedSuccessfully"] == 1
            })
        });
        let receives: Vec<_> = receives.collect();
        unopens.await.expect("it ends");
        let mut arrived = 0;
        for one in receives {
            arrived += usize::from(one.await.expect("it ends"));
        }
        let left = house.found("/orders/pieces", &query, "pieces").await;
        assert_eq!(left.len(), arrived, "round {round}");
        assert!(
            left.iter()
                .all(|piece| piece["receivingStatus"] == "Received")
        );
        let query = format!("purchaseOrderLineIdentifier=={}", text(&line));
        let items = house.found("/item-storage/items", &query, "items").await;
        assert_eq!(items.len(), arrived, "round {round}");
        assert_eq!(house.stored(&order).await["workflowStatus"], "Pending");
        house.in_order().await;
    }
    assert_eq!(house.budget().await, "0, 0, 0, 0");
}

/// A line's fund changes while its invoice is approved and paid: the money is encumbered once, and spent where
/// it was when it was spent.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_line_moves_while_it_is_paid() {
    let house = House::new().await;
    let (law, _) = house.funded("LAW", &json!({})).await;
    for _ in 0..3 {
        let order = house.ordered("Open", &[house.line(1, 100.0)]).await;
        let line = order["compositePoLines"][0].clone();
        let invoice = super::invoiced::bill(&house, &[(&line, 30.0)], false).await;
        let mut moved = house.stored(&order).await["compositePoLines"][0].clone();
        moved["fundDistribution"][0]["fundId"] = json!(law);
        let path = format!("{LINES}/{}", text(&line["id"]));
        let client = house.client.clone();
        let moves = tokio::spawn(async move { client.put(&path, &moved).await.status });
        let client = house.client.clone();
        let pays = tokio::spawn(async move {
            let path = format!("/invoice/invoices/{invoice}");
            for status in ["Approved", "Paid"] {
                let mut body = client.get(&path).await.expect(200).json();
                body["status"] = json!(status);
                let _ = client.put(&path, &body).await.expect(204);
            }
        });
        let moved = moves.await.expect("it ends");
        // Refused while the invoice is approved and not paid.
        assert!(matches!(moved, 204 | 403), "{moved}");
        pays.await.expect("it ends");
        house.in_order().await;
    }
    let encumbered: Vec<String> = house.encumbrances().await;
    assert_eq!(encumbered.len(), 3);
}

/// Pieces are added and deleted at once on a line that counts them: price and encumbrance agree afterwards.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn pieces_come_and_go_at_once() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(5, 10.0)]).await;
    let line = order["compositePoLines"][0].clone();
    let pieces = house.pieces().await;
    let piece = json!({"format": "Physical", "poLineId": line["id"],
        "titleId": pieces[0]["titleId"], "receivingStatus": "Expected",
        "holdingId": line["locations"][0]["holdingId"]});
    let adds = (0..3).map(|_| house.client.post("/orders/pieces", &piece));
    let paths: Vec<String> = pieces[..2]
        .iter()
        .map(|piece| format!("/orders/pieces/{}", text(&piece["id"])))
        .collect();
    let drops = paths.iter().map(|path| house.client.delete(path));
    let (added, dropped) = futures_util::future::join(
        futures_util::future::join_all(adds),
        futures_util::future::join_all(drops),
    )
    .await;
    for answer in added {
        let _ = answer.expect(201);
    }
    for answer in dropped {
        let _ = answer.expect(204);
    }
    let line = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    assert_eq!(line["cost"]["quantityPhysical"], 6);
    assert_eq!(line["cost"]["poLineEstimatedPrice"], 60.0);
    assert_eq!(line["locations"][0]["quantity"], 6);
    assert_eq!(house.pieces().await.len(), 6);
    assert_eq!(house.encumbrances().await, ["60/60/0/0/0 Unreleased Open"]);
    assert_eq!(house.budget().await, "60, 0, 0, 0");
    house.in_order().await;
}

/// Two change the link of one order's instance, two re-open it, two close it: each act is done once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn statuses_turn_once() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(2, 25.0)]).await;
    for (status, budget) in [
        ("Closed", "0, 0, 0, 0"),
        ("Open", "50, 0, 0, 0"),
        ("Pending", "0, 0, 0, 0"),
        ("Open", "50, 0, 0, 0"),
    ] {
        let mut body = house.stored(&order).await;
        body["workflowStatus"] = json!(status);
        let tries = (0..3).map(|_| house.put(&body));
        let mut done = 0;
        for answer in futures_util::future::join_all(tries).await {
            // Those who come later send an older copy of an order that has the status already.
            assert!(matches!(answer.status, 204 | 400), "{}", answer.text);
            done += usize::from(answer.status == 204);
        }
        assert!(done > 0);
        assert_eq!(house.budget().await, budget, "{status}");
        assert_eq!(house.encumbrances().await.len(), 1);
        assert!(house.pieces().await.len() <= 2, "{status}");
        assert!(house.items().await.len() <= 2, "{status}");
        house.in_order().await;
    }
}
