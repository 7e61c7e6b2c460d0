//! Histories of invoices, their lines, and organizations.

use serde_json::{Value, json};

use super::shop::Shop;
use super::{change, events, made, text};

#[tokio::test]
async fn an_invoice_is_approved_and_paid() {
    let shop = Shop::new().await;
    let client = &shop.client;
    let invoice = json!({"currency": "USD", "invoiceDate": "2026-03-01T00:00:00.000+00:00",
                         "paymentMethod": "EFT", "status": "Open", "source": "User",
                         "vendorInvoiceNo": "V1", "vendorId": shop.vendor});
    let invoice = made(client, "/invoice/invoices", &invoice).await;
    let id = text(&invoice["id"]);
    let line = json!({"invoiceId": id, "description": "d", "invoiceLineStatus": "Open", "subTotal": 20,
                      "quantity": 1, "releaseEncumbrance": false, "fundDistributions": shop.on_fund()});
    let line = made(client, "/invoice/invoice-lines", &line).await;
    let path = format!("/invoice/invoices/{id}");
    for status in ["Approved", "Paid"] {
        change(client, &path, |invoice| invoice["status"] = json!(status)).await;
    }
    let history = events(client, &format!("invoice/{id}"), "invoiceAuditEvents").await;
    let mut statuses: Vec<(String, Value)> = history
        .iter()
        .rev()
        .map(|event| {
            let status = event["invoiceSnapshot"]["status"].clone();
            (text(&event["action"]), status)
        })
        .collect();
    statuses.dedup();
    let edit = |status: &str| ("Edit".to_owned(), json!(status));
    assert_eq!(
        statuses,
        [
            ("Create".to_owned(), json!("Open")),
            edit("Open"),
            edit("Approved"),
            edit("Paid")
        ]
    );
    assert!(history.iter().all(|event| event["userId"].is_string()));
    let path = format!("invoice-line/{}", text(&line["id"]));
    let lines = events(client, &path, "invoiceLineAuditEvents").await;
    assert_eq!(lines[0]["invoiceLineSnapshot"]["invoiceLineStatus"], "Paid");
    assert!(lines.iter().all(|event| event["invoiceId"] == json!(id)));
    assert_eq!(
        lines.last().map(|event| &event["action"]),
        Some(&json!("Create"))
    );
}

#[tokio::test]
async fn an_organization_is_renamed() {
    let shop = Shop::new().await;
    let client = &shop.client;
    let path = format!("/organizations/organizations/{}", shop.vendor);
    change(client, &path, |one| one["name"] = json!("Lake Books")).await;
    let path = format!("organization/{}", shop.vendor);
    let history = events(client, &path, "organizationAuditEvents").await;
    let names: Vec<&Value> = history
        .iter()
        .map(|event| &event["organizationSnapshot"]["name"])
        .collect();
    assert_eq!(names, ["Lake Books", "River Books"]);
    assert_eq!(history[1]["action"], "Create");
}
