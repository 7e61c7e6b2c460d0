//! What invoices do to the lines of orders: M1–M10c of the worked examples.

use serde_json::json;

use crate::desk::{Desk, fiscal_year, percent};

async fn paid(desk: &Desk, fund: &str, po_line: &str, releases: &[bool]) -> String {
    let invoice = desk.invoice(&json!({})).await;
    for releases in releases {
        let more = json!({"poLineId": po_line, "releaseEncumbrance": releases});
        desk.line(&invoice, 10.0, &[percent(fund, 100.0)], &more)
            .await;
    }
    desk.now(&invoice, "Approved").await;
    desk.now(&invoice, "Paid").await;
    invoice
}

#[tokio::test]
async fn a_paid_invoice_pays_order_lines() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    for (number, before, releases, after) in [
        ("M1", "Awaiting Payment", vec![false, true], "Fully Paid"),
        ("M2", "Awaiting Payment", vec![false], "Partially Paid"),
        ("M3", "Ongoing", vec![true], "Ongoing"),
        (
            "M3a",
            "Payment Not Required",
            vec![true],
            "Payment Not Required",
        ),
        ("M4", "Cancelled", vec![true], "Fully Paid"),
    ] {
        let (po_line, _) = desk.order(number, &[(&fund, 20.0)]).await;
        desk.set_payment_status(&po_line, before).await;
        paid(&desk, &fund, &po_line, &releases).await;
        assert_eq!(desk.payment_status(&po_line).await, after, "{number}");
    }
    desk.in_order().await;
}

#[tokio::test]
async fn a_cancelled_invoice_leaves_what_others_paid() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    for (number, other, after) in [
        ("M9", None, "Awaiting Payment"),
        ("M10", Some(false), "Partially Paid"),
        ("M10a", Some(true), "Fully Paid"),
    ] {
        let (po_line, made) = desk.order(number, &[(&fund, 50.0)]).await;
        if let Some(releases) = other {
            paid(&desk, &fund, &po_line, &[releases]).await;
        }
        let invoice = paid(&desk, &fund, &po_line, &[false, true]).await;
        assert_eq!(
            desk.payment_status(&po_line).await,
            "Fully Paid",
            "{number}"
        );
        desk.now(&invoice, "Cancelled").await;
        assert_eq!(desk.payment_status(&po_line).await, after, "{number}");
        // It is encumbered again whatever other invoices released.
        let encumbrance = desk.encumbrance(&made[0]).await;
        assert!(
            encumbrance.ends_with("Unreleased"),
            "{number}: {encumbrance}"
        );
    }
    desk.in_order().await;
}

/// M10b and M10c.
#[tokio::test]
async fn only_paid_invoices_of_the_year_count() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    let (po_line, _) = desk.order("M10b", &[(&fund, 50.0)]).await;
    paid(&desk, &fund, &po_line, &[false]).await;
    let approved = desk.invoice(&json!({})).await;
    let more = json!({"poLineId": po_line, "releaseEncumbrance": true});
    desk.line(&approved, 10.0, &[percent(&fund, 100.0)], &more)
        .await;
    desk.now(&approved, "Approved").await;
    desk.now(&approved, "Cancelled").await;
    assert_eq!(desk.payment_status(&po_line).await, "Partially Paid");

    let past = fiscal_year(&desk.client, "FY1999", "1999-01-01", "1999-12-31").await;
    let budget = json!({"name": "HIST-FY1999", "fundId": fund, "fiscalYearId": past,
                        "budgetStatus": "Active"});
    crate::desk::put_in(&desk.client, "/finance-storage/budgets", &budget).await;
    let (po_line, _) = desk.order("M10c", &[(&fund, 50.0)]).await;
    let other = desk.invoice(&json!({"fiscalYearId": past})).await;
    desk.line(&other, 10.0, &[percent(&fund, 100.0)], &more_of(&po_line))
        .await;
    desk.now(&other, "Approved").await;
    desk.now(&other, "Paid").await;
    let invoice = paid(&desk, &fund, &po_line, &[true]).await;
    desk.now(&invoice, "Cancelled").await;
    assert_eq!(desk.payment_status(&po_line).await, "Awaiting Payment");
    desk.in_order().await;
}

fn more_of(po_line: &str) -> serde_json::Value {
    json!({"poLineId": po_line, "releaseEncumbrance": true})
}
