//! The life of an encumbrance under invoices that are approved, paid and cancelled: D3–D19 of the worked
//! examples.

use serde_json::json;

use crate::desk::{Desk, percent};

#[tokio::test]
async fn money_is_reserved_paid_and_given_back() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    let (po_line, encumbrances) = desk.order("10000", &[(&fund, 120.0)]).await;
    let encumbrance = &encumbrances[0];
    let invoice = async |sum: f64, releases: bool| {
        let invoice = desk.invoice(&json!({})).await;
        let more = json!({"poLineId": po_line, "releaseEncumbrance": releases});
        desk.line(&invoice, sum, &[percent(&fund, 100.0)], &more)
            .await;
        invoice
    };
    let is = async |of_encumbrance: &str, of_budget: &str| {
        assert_eq!(desk.encumbrance(encumbrance).await, of_encumbrance);
        assert_eq!(desk.budget(&fund).await, of_budget);
    };
    is("120/120/0/0/0 Unreleased", "120 0 0 0").await;
    // D3 and D4.
    let first = invoice(50.0, false).await;
    desk.now(&first, "Approved").await;
    is("70/120/50/0/0 Unreleased", "70 50 0 0").await;
    desk.now(&first, "Paid").await;
    is("70/120/0/50/0 Unreleased", "70 0 50 0").await;
    // D5 and D6: what was cut off at zero is not remembered.
    let second = invoice(90.0, false).await;
    desk.now(&second, "Approved").await;
    is("0/120/90/50/0 Unreleased", "0 90 50 0").await;
    desk.now(&second, "Cancelled").await;
    is("90/120/0/50/0 Unreleased", "90 0 50 0").await;
    // D14–D16: a credit.
    let credit = invoice(-30.0, false).await;
    desk.now(&credit, "Approved").await;
    is("120/120/-30/50/0 Unreleased", "120 -30 50 0").await;
    desk.now(&credit, "Paid").await;
    is("120/120/0/50/30 Unreleased", "120 0 50 30").await;
    assert_eq!(desk.transactions(&credit).await, ["Credit 30"]);
    desk.now(&credit, "Cancelled").await;
    is("90/120/0/50/0 Unreleased", "90 0 50 0").await;
    // D17: the paid invoice.
    desk.now(&first, "Cancelled").await;
    is("140/120/0/0/0 Unreleased", "140 0 0 0").await;
    assert_eq!(desk.transactions(&first).await, ["Payment 0"]);
    // D18 and D19: what is released is encumbered again.
    let last = invoice(60.0, true).await;
    desk.now(&last, "Approved").await;
    is("0/120/60/0/0 Released", "0 60 0 0").await;
    desk.now(&last, "Cancelled").await;
    is("120/120/0/0/0 Unreleased", "120 0 0 0").await;
    desk.in_order().await;
}

/// K10–K13: which encumbrances an approval releases.
#[tokio::test]
async fn funds_that_do_not_pay_are_released() {
    let desk = Desk::new().await;
    let (hist, law) = (
        desk.fund("HIST", 500.0).await,
        desk.fund("LAW", 500.0).await,
    );
    for (number, lines, of_hist, of_law) in [
        (
            "K10",
            vec![(vec![(&hist, 30.0)], true)],
            "0/60/30/0/0 Released",
            "0/40/0/0/0 Released",
        ),
        (
            "K11",
            vec![(vec![(&hist, 30.0)], false)],
            "30/60/30/0/0 Unreleased",
            "0/40/0/0/0 Released",
        ),
        (
            "K12",
            vec![(vec![(&hist, 30.0), (&law, 10.0)], false)],
            "30/60/30/0/0 Unreleased",
            "30/40/10/0/0 Unreleased",
        ),
        (
            "K13",
            vec![(vec![(&hist, 10.0)], false), (vec![(&hist, 20.0)], true)],
            "0/60/30/0/0 Released",
            "0/40/0/0/0 Released",
        ),
    ] {
        let (po_line, made) = desk.order(number, &[(&hist, 60.0), (&law, 40.0)]).await;
        let invoice = desk.invoice(&json!({})).await;
        for (rows, releases) in lines {
            let sum: f64 = rows.iter().map(|(_, sum)| sum).sum();
            let rows: Vec<_> = rows
                .iter()
                .map(|(fund, sum)| crate::desk::amount(fund, *sum))
                .collect();
            let more = json!({"poLineId": po_line, "releaseEncumbrance": releases});
            desk.line(&invoice, sum, &rows, &more).await;
        }
        desk.now(&invoice, "Approved").await;
        assert_eq!(desk.encumbrance(&made[0]).await, of_hist, "{number}");
        assert_eq!(desk.encumbrance(&made[1]).await, of_law, "{number}");
        desk.now(&invoice, "Cancelled").await;
    }
    desk.in_order().await;
}

/// K6, K7 and K9: negative parts become credits.
#[tokio::test]
async fn negative_parts_are_credited() {
    let desk = Desk::new().await;
    let (a, b) = (desk.fund("A", 100.0).await, desk.fund("B", 100.0).await);
    let halves = [percent(&a, 50.0), percent(&b, 50.0)];
    let both = |x: f64, y: f64| [crate::desk::amount(&a, x), crate::desk::amount(&b, y)];
    for (sum, rows, pending, paid) in [
        (
            -10.01,
            halves,
            ["Pending payment -5", "Pending payment -5.01"],
            ["Credit 5", "Credit 5.01"],
        ),
        (
            0.0,
            both(5.0, -5.0),
            ["Pending payment -5", "Pending payment 5"],
            ["Credit 5", "Payment 5"],
        ),
        (
            5.0,
            both(10.0, -5.0),
            ["Pending payment -5", "Pending payment 10"],
            ["Credit 5", "Payment 10"],
        ),
    ] {
        let invoice = desk.invoice(&json!({})).await;
        desk.line(&invoice, sum, &rows, &json!({})).await;
        desk.now(&invoice, "Approved").await;
        assert_eq!(desk.transactions(&invoice).await, pending);
        desk.now(&invoice, "Paid").await;
        assert_eq!(desk.transactions(&invoice).await, paid);
    }
    assert!(desk.budget(&a).await.starts_with("0 0 "));
    assert!(desk.budget(&b).await.starts_with("0 0 "));
    desk.in_order().await;
}

/// M18: a cancelled invoice that is approved and paid again moves no money.
#[tokio::test]
async fn voided_payments_are_not_made_again() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    let line = desk
        .line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    for status in ["Approved", "Paid", "Cancelled", "Approved", "Paid"] {
        desk.now(&invoice, status).await;
        assert_eq!(desk.read(&invoice).await["status"], status);
        assert_eq!(desk.read_line(&line).await["invoiceLineStatus"], status);
    }
    assert_eq!(desk.transactions(&invoice).await, ["Payment 0"]);
    assert_eq!(desk.budget(&fund).await, "0 0 0 0");
    desk.in_order().await;
}

/// M18: where no payment was ever made, paying makes it.
#[tokio::test]
async fn an_invoice_that_was_cancelled_unpaid_is_paid() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    for status in ["Approved", "Cancelled"] {
        desk.now(&invoice, status).await;
    }
    assert_eq!(desk.transactions(&invoice).await, ["Pending payment 0"]);
    assert_eq!(desk.budget(&fund).await, "0 0 0 0");
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.transactions(&invoice).await, ["Pending payment 0"]);
    assert_eq!(desk.budget(&fund).await, "0 0 0 0");
    desk.now(&invoice, "Paid").await;
    assert_eq!(desk.transactions(&invoice).await, ["Payment 10"]);
    // Nothing awaited it any more (FOLIO takes it from what awaits payment all the same: −10 stays).
    assert_eq!(desk.budget(&fund).await, "0 0 10 0");
    octavo_server_testkit::assert_in_order(&desk.library).await;
}
