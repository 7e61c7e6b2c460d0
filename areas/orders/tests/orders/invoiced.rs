//! Orders with invoices: what changes of an order do to encumbrances that were paid from, as in the worked
//! examples.

use serde_json::{Value, json};

use super::house::{House, LINES, codes};
use super::{made, text};

const INVOICES: &str = "/invoice/invoices";

/// An invoice with a line for each sum.
async fn invoice(house: &House, rows: &[(&Value, f64)]) -> String {
    bill(house, rows, false).await
}

/// The same, whose lines release their encumbrances or not.
pub async fn bill(house: &House, rows: &[(&Value, f64)], releases: bool) -> String {
    let body = json!({"currency": "USD", "invoiceDate": "2026-03-01T00:00:00.000+00:00",
                      "paymentMethod": "EFT", "status": "Open", "source": "User",
                      "batchGroupId": "2a2cb998-1437-41d1-88ad-01930aaeadd5",
                      "vendorInvoiceNo": "V1", "vendorId": house.vendor});
    let invoice = text(&made(&house.client, INVOICES, &body).await["id"]);
    for (line, sum) in rows {
        let line = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
        let row = &line["fundDistribution"][0];
        let body = json!({"invoiceId": invoice, "description": "d", "invoiceLineStatus": "Open",
                          "subTotal": sum, "quantity": 1, "releaseEncumbrance": releases,
                          "poLineId": line["id"], "fundDistributions": [{
                              "fundId": row["fundId"], "code": "HIST",
                              "encumbrance": row["encumbrance"],
                              "distributionType": "percentage", "value": 100}]});
        let _ = made(&house.client, "/invoice/invoice-lines", &body).await;
    }
    invoice
}

pub async fn now(house: &House, invoice: &str, status: &str) {
    let path = format!("{INVOICES}/{invoice}");
    let mut body = house.get(&path).await;
    body["status"] = json!(status);
    let _ = house.client.put(&path, &body).await.expect(204);
}

async fn line_of(house: &House, order: &Value) -> Value {
    house.stored(order).await["compositePoLines"][0].clone()
}

fn with(mut line: Value, name: &str, value: Value) -> Value {
    if name == "price" {
        line["cost"]["listUnitPrice"] = value;
    } else {
        line[name] = value;
    }
    line
}

/// P1.
#[tokio::test]
async fn an_order_tells_what_was_spent() {
    let house = House::new().await;
    let lines = [house.line(1, 140.0), house.line(1, 22.0)];
    let order = house.ordered("Open", &lines).await;
    let lines = &order["compositePoLines"];
    let paid = invoice(&house, &[(&lines[0], 50.0), (&lines[1], -8.0)]).await;
    now(&house, &paid, "Approved").await;
    now(&house, &paid, "Paid").await;
    let approved = invoice(&house, &[(&lines[0], 20.0)]).await;
    now(&house, &approved, "Approved").await;
    let stored = house.stored(&order).await;
    for (name, wanted) in [
        ("totalEstimatedPrice", 162.0),
        ("totalEncumbered", 100.0),
        ("totalExpended", 50.0),
        ("totalCredited", 8.0),
    ] {
        assert_eq!(stored[name], wanted, "{name}");
    }
}

/// D3, D4, D7–D13, D20, D21, D23, D25 and D28.
#[tokio::test]
async fn an_encumbrance_that_was_paid_from_lives_on() {
    let house = House::new().await;
    let (other, other_budget) = house.funded("LAW", &json!({})).await;
    let order = house.ordered("Open", &[house.line(1, 120.0)]).await;
    let is = async |encumbrance: &str, budget: &str, step: &str| {
        assert_eq!(house.encumbrances().await, [encumbrance], "{step}");
        assert_eq!(house.budget().await, budget, "{step}");
    };
    let line = line_of(&house, &order).await;
    let encumbrance = text(&line["fundDistribution"][0]["encumbrance"]);
    let bill = invoice(&house, &[(&line, 50.0)]).await;
    now(&house, &bill, "Approved").await;
    is("70/120/50/0/0 Unreleased Open", "70, 50, 0, 0", "D3").await;
    // D20: the invoice is approved and not paid.
    let mut moved = line_of(&house, &order).await;
    moved["fundDistribution"][0]["fundId"] = json!(other);
    let answer = house.put_line(&moved).await.expect(403);
    assert_eq!(codes(&answer), ["poLineHasRelatedApprovedInvoice"]);
    // D25.
    let batch = json!({"idsOfTransactionsToDelete": [encumbrance]});
    let path = "/finance/transactions/batch-all-or-nothing";
    let answer = house.client.post(path, &batch).await.expect(422);
    assert_eq!(codes(&answer), ["deleteConnectedToInvoice"]);
    // D28.
    let mut changed = house.stored(&order).await;
    changed["compositePoLines"][0]["cost"]["listUnitPrice"] = json!(150);
    changed["compositePoLines"][0]["paymentStatus"] = json!("Cancelled");
    let _ = house.put(&changed).await.expect(204);
    is("70/120/50/0/0 Unreleased Open", "70, 50, 0, 0", "D28").await;
    let mut back = house.stored(&order).await;
    assert_eq!(
        back["compositePoLines"][0]["cost"]["poLineEstimatedPrice"],
        150.0
    );
    back["compositePoLines"][0]["cost"]["listUnitPrice"] = json!(120);
    back["compositePoLines"][0]["paymentStatus"] = json!("Awaiting Payment");
    let _ = house.put(&back).await.expect(204);
    now(&house, &bill, "Paid").await;
    is("70/120/0/50/0 Unreleased Open", "70, 0, 50, 0", "D4").await;
    // D23: what was spent must stay somewhere.
    let bare = with(line_of(&house, &order).await, "fundDistribution", json!([]));
    let answer = house.put_line(&bare).await.expect(422);
    assert_eq!(codes(&answer), ["deleteWithExpendedAmount"]);
    for (step, name, value, encumbrance, budget) in [
        (
            "D7",
            "paymentStatus",
            json!("Cancelled"),
            "0/120/0/50/0 Released Open",
            "0, 0, 50, 0",
        ),
        (
            "D8",
            "paymentStatus",
            json!("Awaiting Payment"),
            "70/120/0/50/0 Unreleased Open",
            "70, 0, 50, 0",
        ),
        (
            "D9",
            "price",
            json!(150),
            "100/150/0/50/0 Unreleased Open",
            "100, 0, 50, 0",
        ),
    ] {
        let line = with(line_of(&house, &order).await, name, value);
        let _ = house.put_line(&line).await.expect(204);
        is(encumbrance, budget, step).await;
    }
    for (step, status, encumbrance, budget) in [
        (
            "D10",
            "Closed",
            "0/150/0/50/0 Released Closed",
            "0, 0, 50, 0",
        ),
        (
            "D11",
            "Open",
            "100/150/0/50/0 Unreleased Open",
            "100, 0, 50, 0",
        ),
        (
            "D12",
            "Pending",
            "0/0/0/50/0 Pending Pending",
            "0, 0, 50, 0",
        ),
        (
            "D13",
            "Open",
            "100/150/0/50/0 Unreleased Open",
            "100, 0, 50, 0",
        ),
    ] {
        let _ = house.turn(&order, status).await.expect(204);
        is(encumbrance, budget, step).await;
        if step == "D11" {
            let line = line_of(&house, &order).await;
            assert_eq!(line["paymentStatus"], "Partially Paid");
        }
    }
    // D21: the sums go along, the payment stays with its fund.
    let mut moved = line_of(&house, &order).await;
    moved["fundDistribution"][0]["fundId"] = json!(other);
    let _ = house.put_line(&moved).await.expect(204);
    is("100/150/0/50/0 Unreleased Open", "0, 0, 50, 0", "D21").await;
    let path = format!("/finance-storage/budgets/{other_budget}");
    let budget = house.get(&path).await;
    assert_eq!(budget["encumbered"], 100.0);
    assert_eq!(budget["expenditures"], 0.0);
    house.in_order().await;
}

/// D27: each line gives its own sums to its new encumbrance.
#[tokio::test]
async fn lines_opened_again_on_another_fund_keep_their_own_sums() {
    let house = House::new().await;
    let (other, _) = house.funded("LAW", &json!({})).await;
    let lines = [house.line(1, 120.0), house.line(1, 120.0)];
    let order = house.ordered("Open", &lines).await;
    let lines = &order["compositePoLines"];
    let bill = invoice(&house, &[(&lines[0], 50.0), (&lines[1], 50.0)]).await;
    now(&house, &bill, "Approved").await;
    now(&house, &bill, "Paid").await;
    let _ = house.turn(&order, "Pending").await.expect(204);
    assert_eq!(
        house.encumbrances().await,
        ["0/0/0/50/0 Pending Pending"; 2]
    );
    let mut open = house.stored(&order).await;
    open["workflowStatus"] = json!("Open");
    for at in 0..2 {
        open["compositePoLines"][at]["fundDistribution"][0]["fundId"] = json!(other);
    }
    let _ = house.put(&open).await.expect(204);
    assert_eq!(
        house.encumbrances().await,
        ["70/120/0/50/0 Unreleased Open"; 2]
    );
    house.in_order().await;
}

/// An order or a line that an invoice names does not go.
#[tokio::test]
async fn what_an_invoice_names_stays() {
    let house = House::new().await;
    let lines = [house.line(1, 10.0), house.line(1, 20.0)];
    let order = house.ordered("Open", &lines).await;
    let lines = &order["compositePoLines"];
    let _ = invoice(&house, &[(&lines[0], 5.0)]).await;
    let path = |line: &Value| format!("{LINES}/{}", text(&line["id"]));
    let answer = house.client.delete(&path(&lines[0])).await.expect(400);
    assert_eq!(codes(&answer), ["orderRelatesToInvoice"]);
    // A PUT that leaves a line out looks at the whole order, the DELETE of a line at that line.
    let mut short = house.stored(&order).await;
    short["compositePoLines"] = json!([lines[0]]);
    let answer = house.put(&short).await.expect(400);
    assert_eq!(codes(&answer), ["orderRelatesToInvoice"]);
    let _ = house.client.delete(&path(&lines[1])).await.expect(204);
    assert_eq!(house.budget().await, "10, 0, 0, 0");
}
