//! Worked cases that need orders, invoices and finance together: D22, D24, D26, D29, M20, C6, C7 and C10.

use serde_json::{Value, json};

use super::house::{House, LINES};
use super::invoiced::{bill, now};
use super::text;

async fn line_of(house: &House, order: &Value) -> Value {
    house.stored(order).await["compositePoLines"][0].clone()
}

/// A line's bill, which is approved and paid.
async fn paid(house: &House, line: &Value, sum: f64, releases: bool) {
    let bill = bill(house, &[(line, sum)], releases).await;
    now(house, &bill, "Approved").await;
    now(house, &bill, "Paid").await;
}

/// D22: nothing is left for the new fund, and the invoice released the old one.
#[tokio::test]
async fn a_fund_that_gets_a_paid_line_gets_a_released_encumbrance() {
    let house = House::new().await;
    let (other, _) = house.funded("LAW", &json!({})).await;
    let order = house.ordered("Open", &[house.line(1, 120.0)]).await;
    let line = line_of(&house, &order).await;
    paid(&house, &line, 50.0, true).await;
    assert_eq!(house.encumbrances().await, ["0/120/0/50/0 Released Open"]);
    let mut moved = line_of(&house, &order).await;
    moved["cost"]["listUnitPrice"] = json!(40);
    moved["fundDistribution"][0]["fundId"] = json!(other);
    let _ = house.put_line(&moved).await.expect(204);
    assert_eq!(house.encumbrances().await, ["0/40/0/50/0 Released Open"]);
    assert_eq!(house.budget().await, "0, 0, 50, 0");
    house.in_order().await;
}

/// D24: what was spent came back, so the distribution can go.
#[tokio::test]
async fn a_distribution_goes_when_its_expenses_were_credited() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 120.0)]).await;
    let line = line_of(&house, &order).await;
    paid(&house, &line, 30.0, false).await;
    paid(&house, &line, -30.0, false).await;
    assert_eq!(
        house.encumbrances().await,
        ["120/120/0/30/30 Unreleased Open"]
    );
    let mut bare = line_of(&house, &order).await;
    bare["fundDistribution"] = json!([]);
    let _ = house.put_line(&bare).await.expect(204);
    assert!(house.encumbrances().await.is_empty());
    assert_eq!(house.budget().await, "0, 0, 30, 30");
    house.in_order().await;
}

/// D26: what was spent beyond the price is not cut off at zero.
#[tokio::test]
async fn an_overspent_encumbrance_is_negative_when_it_counts_again() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 40.0)]).await;
    let line = line_of(&house, &order).await;
    paid(&house, &line, 65.0, true).await;
    assert_eq!(house.encumbrances().await, ["0/40/0/65/0 Released Open"]);
    let id = text(&line["fundDistribution"][0]["encumbrance"]);
    let path = format!("/finance/unrelease-encumbrance/{id}");
    let _ = house.client.post(&path, &json!({})).await.expect(204);
    assert_eq!(
        house.encumbrances().await,
        ["-25/40/0/65/0 Unreleased Open"]
    );
    assert_eq!(house.budget().await, "-25, 0, 65, 0");
    house.in_order().await;
}

/// D29: the system opens an order again, and its encumbrance stays released.
#[tokio::test]
async fn an_order_that_the_system_opens_again_encumbers_nothing() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 150.0)]).await;
    let line = line_of(&house, &order).await;
    paid(&house, &line, 50.0, false).await;
    for (payment, receipt, status, encumbrance) in [
        (
            "Fully Paid",
            "Fully Received",
            "Closed",
            "0/150/0/50/0 Released Closed",
        ),
        (
            "Partially Paid",
            "Awaiting Receipt",
            "Open",
            "0/150/0/50/0 Released Open",
        ),
    ] {
        let mut line = line_of(&house, &order).await;
        line["paymentStatus"] = json!(payment);
        line["receiptStatus"] = json!(receipt);
        let _ = house.put_line(&line).await.expect(204);
        assert_eq!(house.stored(&order).await["workflowStatus"], status);
        assert_eq!(house.encumbrances().await, [encumbrance]);
        assert_eq!(house.budget().await, "0, 0, 50, 0");
    }
    house.in_order().await;
}

/// M20: a piece of a closed order stays expected where it has an item, and is received where it has none.
#[tokio::test]
async fn pieces_of_a_closed_order_arrive_without_their_items() {
    let house = House::new().await;
    for (making, piece_is, item_is) in [
        ("Instance, Holding, Item", "Expected", Some("Order closed")),
        ("Instance, Holding", "Received", None),
    ] {
        let mut line = house.line(1, 10.0);
        line["physical"]["createInventory"] = json!(making);
        let order = house.ordered("Open", &[line]).await;
        let line = &order["compositePoLines"][0]["id"];
        let _ = house.turn(&order, "Closed").await.expect(204);
        let query = format!("poLineId=={}", text(line));
        let pieces = house.found("/orders/pieces", &query, "pieces").await;
        let body = json!({"toBeReceived": [{"poLineId": line, "received": 1, "receivedItems": [
            {"pieceId": pieces[0]["id"], "itemStatus": "In process"}]}], "totalRecords": 1});
        let answer = house.client.post("/orders/receive", &body).await;
        let result = answer.expect(200).json();
        assert_eq!(result["receivingResults"][0]["processedSuccessfully"], 1);
        let pieces = house.found("/orders/pieces", &query, "pieces").await;
        assert_eq!(pieces[0]["receivingStatus"], piece_is, "{making}");
        let status = match pieces[0]["itemId"].as_str() {
            Some(item) => {
                let item = house.get(&format!("/item-storage/items/{item}")).await;
                Some(text(&item["status"]["name"]))
            }
            None => None,
        };
        assert_eq!(status.as_deref(), item_is, "{making}");
    }
    house.in_order().await;
}

/// C6, C7 and C10: lines in another currency share the first rate, and rows round by themselves.
#[tokio::test]
async fn lines_in_another_currency_are_encumbered_at_one_rate() {
    let house = House::new().await;
    let (law, _) = house.funded("LAW", &json!({})).await;
    let (maps, _) = house.funded("MAPS", &json!({})).await;
    let funds = [&house.fund, &law, &maps];
    let euros = |price: f64, rate: f64, parts: &[(&str, f64)]| {
        let mut line = house.line(1, price);
        line["cost"] = json!({"currency": "EUR", "listUnitPrice": price, "quantityPhysical": 1,
                              "exchangeRate": rate});
        let rows = parts.iter().zip(funds).map(|((kind, value), fund)| {
            json!({"fundId": fund, "distributionType": kind, "value": value})
        });
        line["fundDistribution"] = rows.collect();
        line
    };
    const P: &str = "percentage";
    for (case, lines, mut wanted) in [
        (
            "C6",
            vec![euros(20.0, 1.1035, &[(P, 50.0), (P, 50.0)])],
            vec!["11.03", "11.04"],
        ),
        (
            "C7",
            vec![euros(
                45.0,
                1.33,
                &[("amount", 10.0), (P, 40.0), ("amount", 17.0)],
            )],
            vec!["13.3", "23.94", "22.61"],
        ),
        (
            "C10",
            vec![
                euros(10.0, 1.2, &[(P, 100.0)]),
                euros(10.0, 1.3, &[(P, 100.0)]),
            ],
            vec!["12.0", "12.0"],
        ),
    ] {
        let order = house.ordered("Open", &lines).await;
        let query = format!("encumbrance.sourcePurchaseOrderId=={}", text(&order["id"]));
        let path = "/finance-storage/transactions";
        let found = house.found(path, &query, "transactions").await;
        let mut amounts: Vec<String> = found.iter().map(|one| one["amount"].to_string()).collect();
        amounts.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(amounts, wanted, "{case}");
        let line = house
            .get(&format!(
                "{LINES}/{}",
                text(&order["compositePoLines"][0]["id"])
            ))
            .await;
        assert!(line["fundDistribution"][0]["encumbrance"].is_string());
    }
    house.in_order().await;
}
