//! Exports of vouchers: made in the background, downloaded in JSON and XML.

use octavo_server_testkit::until;
use reqwest::Method;
use serde_json::{Value, json};

use crate::desk::{Desk, code, new_id, percent, put_in};

pub const EXPORTS: &str = "/batch-voucher/batch-voucher-exports";
pub const GROUP: &str = "2a2cb998-1437-41d1-88ad-01930aaeadd5";

pub async fn export(desk: &Desk) -> String {
    let body = json!({"batchGroupId": GROUP, "status": "Pending",
                      "start": "2000-01-01T00:00:00.000+00:00",
                      "end": "2150-01-01T00:00:00.000+00:00"});
    let made = desk.client.post(EXPORTS, &body).await.expect(201).json();
    assert_eq!(made["status"], "Pending");
    made["id"].as_str().expect("an id").to_owned()
}

/// The export once its message is this one.
pub async fn told(desk: &Desk, export: &str, message: &str) -> Value {
    let path = format!("{EXPORTS}/{export}");
    let read = async || desk.client.get(&path).await.expect(200).json();
    until(async || {
        read().await["message"]
            .as_str()
            .is_some_and(|text| text.contains(message))
    })
    .await;
    read().await
}

pub async fn approved(desk: &Desk) -> String {
    let fund = desk.fund("HIST", 100.0).await;
    let changes = json!({"exportToAccounting": true, "accountingCode": "A1"});
    let invoice = desk.invoice(&changes).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    invoice
}

#[tokio::test]
async fn an_export_without_vouchers_fails() {
    let desk = Desk::new().await;
    let export = export(&desk).await;
    let found = told(
        &desk,
        &export,
        "Vouchers for batch voucher export were not found",
    )
    .await;
    assert_eq!(found["status"], "Error");
}

#[tokio::test]
async fn an_export_is_made_and_says_what_is_missing() {
    let desk = Desk::new().await;
    approved(&desk).await;
    let first = export(&desk).await;
    let found = told(&desk, &first, "Batch export configuration was not found").await;
    assert_eq!(found["status"], "Error");
    let configuration = new_id();
    let base = "/batch-voucher/export-configurations";
    let body = json!({"id": configuration, "batchGroupId": GROUP, "format": "Application/xml"});
    put_in(&desk.client, base, &body).await;
    let again = format!("{EXPORTS}/{first}/upload");
    let _ = desk.client.post(&again, &json!({})).await.expect(202);
    let found = told(&desk, &first, "Credentials for FTP upload were not found").await;
    assert_eq!(found["status"], "Generated");
    let secret = json!({"username": "u", "password": "p", "exportConfigId": configuration});
    put_in(
        &desk.client,
        &format!("{base}/{configuration}/credentials"),
        &secret,
    )
    .await;
    let _ = desk.client.post(&again, &json!({})).await.expect(202);
    told(&desk, &first, "URI for FTP upload was not found").await;
    let mut with = body.clone();
    with["uploadURI"] = json!("a.example");
    let _ = desk
        .client
        .put(&format!("{base}/{configuration}"), &with)
        .await
        .expect(204);
    let _ = desk.client.post(&again, &json!({})).await.expect(202);
    let found = told(&desk, &first, "URI should be valid ftp path").await;
    assert_eq!(found["status"], "Generated");
    let refused = desk
        .client
        .post(
            &format!("{base}/{configuration}/credentials/test"),
            &json!({}),
        )
        .await;
    assert_eq!(code(&refused.expect(403)), "genericError");

    let id = found["batchVoucherId"].as_str().expect("a batch voucher");
    let path = format!("/batch-voucher/batch-vouchers/{id}");
    let batch = desk.client.get(&path).await.expect(200).json();
    let voucher = &batch["batchedVouchers"][0];
    assert_eq!(
        (
            &batch["batchGroup"],
            &batch["totalRecords"],
            &voucher["vendorName"]
        ),
        (&json!("FOLIO"), &json!(1), &json!("Otter Books"))
    );
    assert_eq!(voucher["vendorAddress"], json!({"city": "Ystad"}));
    assert_eq!(
        voucher["batchedVoucherLines"][0]["externalAccountNumber"],
        "ACCHIST"
    );
    let request = desk
        .client
        .request(Method::GET, &path)
        .header("accept", "application/xml");
    let answer = desk.client.send(request).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    assert!(answer.text.contains("<vendorName>Otter Books</vendorName>"));
    let request = desk
        .client
        .request(Method::GET, &path)
        .header("accept", "text/csv");
    let _ = desk.client.send(request).await.expect(400);
    let missing = desk
        .client
        .get(&format!("/batch-voucher/batch-vouchers/{}", new_id()))
        .await;
    assert_eq!(code(&missing.expect(404)), "batchVoucherNotFound");
}

#[tokio::test]
async fn exports_by_the_clock_are_made_once() {
    let desk = Desk::new().await;
    approved(&desk).await;
    let path = format!("{EXPORTS}/scheduled");
    let _ = desk.client.post(&path, &json!({})).await.expect(204);
    let days = [
        "Sunday",
        "Monday",
        "Tuesday",
        "Wednesday",
        "Thursday",
        "Friday",
        "Saturday",
    ];
    let body = json!({"batchGroupId": GROUP, "enableScheduledExport": true, "weekdays": days,
                      "startTime": "00:00"});
    put_in(&desk.client, "/batch-voucher/export-configurations", &body).await;
    let _ = desk.client.post(&path, &json!({})).await.expect(202);
    let _ = desk.client.post(&path, &json!({})).await.expect(204);
    let page = desk.client.get(EXPORTS).await.expect(200).json();
    assert_eq!(page["totalRecords"], 1);
}
