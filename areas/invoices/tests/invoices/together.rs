//! Many at once: no money is spent twice, no number is given twice.

use serde_json::json;
use tokio::task::JoinSet;

use crate::desk::{Desk, INVOICES, LINES, percent};

async fn statuses(tasks: JoinSet<u16>) -> Vec<u16> {
    let mut statuses = tasks.join_all().await;
    statuses.sort_unstable();
    statuses
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_budget_with_money_for_one_approves_one() {
    let desk = Desk::with(true).await;
    let limits = json!({"allowableEncumbrance": 100, "allowableExpenditure": 100});
    let fund = desk.fund_with("HIST", 100.0, &limits).await;
    let mut tasks = JoinSet::new();
    for _ in 0..6 {
        let invoice = desk.invoice(&json!({})).await;
        desk.line(&invoice, 60.0, &[percent(&fund, 100.0)], &json!({}))
            .await;
        let mut body = desk.read(&invoice).await;
        body["status"] = json!("Approved");
        let client = desk.client.clone();
        tasks.spawn(async move {
            client
                .put(&format!("{INVOICES}/{invoice}"), &body)
                .await
                .status
        });
    }
    assert_eq!(statuses(tasks).await, [204, 422, 422, 422, 422, 422]);
    assert_eq!(desk.budget(&fund).await, "0 60 0 0");
    let page = desk
        .client
        .get("/voucher/vouchers")
        .await
        .expect(200)
        .json();
    assert_eq!(page["totalRecords"], 1);
    desk.in_order().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_invoice_is_approved_and_paid_once() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    let (po_line, made) = desk.order("10000", &[(&fund, 50.0)]).await;
    let invoice = desk.invoice(&json!({})).await;
    let more = json!({"poLineId": po_line, "releaseEncumbrance": true});
    desk.line(&invoice, 50.0, &[percent(&fund, 100.0)], &more)
        .await;
    for (status, budget) in [("Approved", "0 50 0 0"), ("Paid", "0 0 50 0")] {
        let mut body = desk.read(&invoice).await;
        body["status"] = json!(status);
        let mut tasks = JoinSet::new();
        for _ in 0..5 {
            let (client, body) = (desk.client.clone(), body.clone());
            let path = format!("{INVOICES}/{invoice}");
            tasks.spawn(async move { client.put(&path, &body).await.status });
        }
        // Who comes later finds the status already there, or misses the approval in its copy.
        let statuses = statuses(tasks).await;
        assert_eq!(statuses[0], 204);
        assert!(
            statuses.iter().all(|status| matches!(status, 204 | 400)),
            "{statuses:?}"
        );
        assert_eq!(desk.budget(&fund).await, budget);
    }
    assert_eq!(desk.transactions(&invoice).await, ["Payment 50"]);
    assert_eq!(desk.encumbrance(&made[0]).await, "0/50/0/50/0 Released");
    assert_eq!(desk.payment_status(&po_line).await, "Fully Paid");
    desk.in_order().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_lines_have_twenty_numbers() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 1_000.0).await;
    let by_line = json!({"description": "d", "type": "Amount", "value": 10, "prorate": "By line"});
    let invoice = desk.invoice(&json!({"adjustments": [by_line]})).await;
    let mut tasks = JoinSet::new();
    for _ in 0..20 {
        let client = desk.client.clone();
        let body = json!({"invoiceId": invoice, "description": "d", "invoiceLineStatus": "Open",
                          "subTotal": 1.0, "quantity": 1,
                          "fundDistributions": [percent(&fund, 100.0)]});
        tasks.spawn(async move { client.post(LINES, &body).await.status });
    }
    assert!(tasks.join_all().await.iter().all(|status| *status == 201));
    let query = format!("invoiceId=={invoice}");
    let path = format!("{LINES}?limit=100&query={query}");
    let page = desk.client.get(&path).await.expect(200).json();
    let mut numbers: Vec<u64> = page["invoiceLines"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|line| line["invoiceLineNumber"].as_str()?.parse().ok())
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
    assert_eq!(desk.read(&invoice).await["total"], 30.0);
    desk.in_order().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn invoices_on_one_order_are_paid_and_cancelled_beside_each_other() {
    let desk = Desk::new().await;
    let (a, b) = (desk.fund("A", 1_000.0).await, desk.fund("B", 1_000.0).await);
    let (po_line, made) = desk.order("10000", &[(&a, 100.0), (&b, 100.0)]).await;
    let mut tasks = JoinSet::new();
    for number in 0..6 {
        let invoice = desk.invoice(&json!({})).await;
        let rows = [percent(&a, 50.0), percent(&b, 50.0)];
        desk.line(&invoice, 10.0, &rows, &json!({"poLineId": po_line}))
            .await;
        let client = desk.client.clone();
        tasks.spawn(async move {
            let path = format!("{INVOICES}/{invoice}");
            for status in ["Approved", "Paid", "Cancelled"] {
                if number % 2 == 0 && status == "Cancelled" {
                    break;
                }
                let mut body = client.get(&path).await.expect(200).json();
                body["status"] = json!(status);
                let _ = client.put(&path, &body).await.expect(204);
            }
        });
    }
    let _ = tasks.join_all().await;
    // Three are paid, three were and are cancelled.
    assert_eq!(desk.budget(&a).await, "85 0 15 0");
    assert_eq!(desk.budget(&b).await, "85 0 15 0");
    assert_eq!(desk.encumbrance(&made[0]).await, "85/100/0/15/0 Unreleased");
    assert_eq!(desk.payment_status(&po_line).await, "Partially Paid");
    desk.in_order().await;
}
