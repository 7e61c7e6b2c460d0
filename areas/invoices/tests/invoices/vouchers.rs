//! Vouchers: their lines by account, numbers, and what of them may change. L5–L7 of the worked examples.

use serde_json::json;

use crate::desk::{Desk, amount, code, error, new_id, percent, put_in};

#[tokio::test]
async fn lines_are_grouped_by_account() {
    let desk = Desk::new().await;
    let (a, b, c) = (
        desk.fund("A", 100.0).await,
        desk.fund("B", 100.0).await,
        desk.fund("C", 100.0).await,
    );
    // A and B have one account.
    let path = format!("/finance-storage/funds/{b}");
    let mut fund = desk.client.get(&path).await.expect(200).json();
    fund["externalAccountNo"] = json!("ACCA");
    let _ = desk.client.put(&path, &fund).await.expect(204);
    let class = new_id();
    let body = json!({"id": class, "name": "Print it", "code": "PRX",
                      "externalAccountNumberExt": "10"});
    put_in(&desk.client, "/finance-storage/expense-classes", &body).await;
    let found = desk
        .client
        .query("/finance-storage/budgets", &format!("fundId=={a}"))
        .await;
    let budget = found.expect(200).json()["budgets"][0]["id"].clone();
    let link = json!({"budgetId": budget, "expenseClassId": class, "status": "Active"});
    put_in(
        &desk.client,
        "/finance-storage/budget-expense-classes",
        &link,
    )
    .await;
    let mut adjustment = json!({"description": "d", "type": "Amount", "value": 9});
    adjustment["fundDistributions"] = json!([percent(&a, 100.0)]);
    let invoice = desk.invoice(&json!({"adjustments": [adjustment]})).await;
    let rows = [amount(&a, 30.0), amount(&b, 25.55)];
    let first = desk.line(&invoice, 55.55, &rows, &json!({})).await;
    let mut classed = amount(&a, 12.0);
    classed["expenseClassId"] = json!(class);
    desk.line(&invoice, 26.45, &[classed, amount(&c, 14.45)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    let lines = desk.voucher_lines(&invoice).await;
    assert_eq!(lines, ["ACCA 64.55", "ACCA-10 12.0", "ACCC 14.45"]);
    let voucher = desk.voucher(&invoice).await;
    assert_eq!(voucher["amount"], 91.0);
    assert_eq!(
        (
            &voucher["type"],
            &voucher["status"],
            &voucher["systemCurrency"]
        ),
        (&json!("Voucher"), &json!("Awaiting payment"), &json!("USD"))
    );
    assert_eq!(voucher["vendorAddress"], json!({"city": "Ystad"}));
    let query = format!(
        "voucherId=={} and externalAccountNumber==ACCA",
        voucher["id"]
    );
    let found = desk
        .client
        .query("/voucher/voucher-lines", &query)
        .await
        .expect(200)
        .json();
    let line = &found["voucherLines"][0];
    assert_eq!(line["sourceIds"], json!([first]));
    let codes: Vec<&str> = line["fundDistributions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|row| row["code"].as_str())
        .collect();
    assert_eq!(codes, ["A", "B", "A"]);
    desk.now(&invoice, "Paid").await;
    assert_eq!(desk.voucher(&invoice).await["status"], "Paid");
}

#[tokio::test]
async fn numbers_have_a_prefix_of_letters() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let entry = json!({"module": "INVOICE", "configName": "voucherNumber", "enabled": true,
                       "value": "{\"voucherNumberPrefix\":\"AB1\"}"});
    let made = desk
        .client
        .post("/configurations/entries", &entry)
        .await
        .expect(201)
        .json();
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    let refused = desk.become_(&invoice, "Approved").await.expect(400);
    assert_eq!(code(&refused), "voucherNumberPrefixNotAlpha");
    // Nothing is left behind.
    assert_eq!(desk.budget(&fund).await, "0 0 0 0");
    let path = format!(
        "/configurations/entries/{}",
        made["id"].as_str().expect("an id")
    );
    let mut entry = made.clone();
    entry["value"] = json!("{\"voucherNumberPrefix\":\"AB\"}");
    let _ = desk.client.put(&path, &entry).await.expect(204);
    let start = "/voucher/voucher-number/start";
    let _ = desk
        .client
        .post(&format!("{start}/500"), &json!({}))
        .await
        .expect(204);
    let read = desk.client.get(start).await.expect(200).json();
    assert_eq!(read, json!({"sequenceNumber": "500"}));
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.read(&invoice).await["voucherNumber"], "AB500");
    let _ = desk
        .client
        .post(&format!("{start}/-1"), &json!({}))
        .await
        .expect(400);
    let _ = desk
        .client
        .post(&format!("{start}/x"), &json!({}))
        .await
        .expect(400);
}

#[tokio::test]
async fn a_fund_without_an_account_has_no_voucher() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let path = format!("/finance-storage/funds/{fund}");
    let mut stored = desk.client.get(&path).await.expect(200).json();
    stored
        .as_object_mut()
        .expect("an object")
        .shift_remove("externalAccountNo");
    let _ = desk.client.put(&path, &stored).await.expect(204);
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    let refused = desk.become_(&invoice, "Approved").await.expect(500);
    assert_eq!(code(&refused), "externalAccountNoIsMissing");
    assert!(desk.transactions(&invoice).await.is_empty());
}

#[tokio::test]
async fn only_the_disbursement_of_a_voucher_changes() {
    let desk = Desk::new().await;
    let fund = desk.fund("HIST", 100.0).await;
    let invoice = desk.invoice(&json!({})).await;
    desk.line(&invoice, 10.0, &[percent(&fund, 100.0)], &json!({}))
        .await;
    desk.now(&invoice, "Approved").await;
    let mut voucher = desk.voucher(&invoice).await;
    let path = format!(
        "/voucher/vouchers/{}",
        voucher["id"].as_str().expect("an id")
    );
    voucher["disbursementNumber"] = json!("D1");
    voucher["disbursementAmount"] = json!(10);
    let _ = desk.client.put(&path, &voucher).await.expect(204);
    assert_eq!(desk.voucher(&invoice).await["disbursementNumber"], "D1");
    voucher["amount"] = json!(11);
    voucher["status"] = json!("Paid");
    let refused = desk.client.put(&path, &voucher).await.expect(400);
    assert_eq!(code(&refused), "protectedFieldChanging");
    assert_eq!(
        error(&refused)["protectedAndModifiedFields"],
        json!(["amount", "status"])
    );
}

/// K4, L3 and L7: a foreign currency, and a new rate while the invoice is approved.
#[tokio::test]
async fn a_new_rate_rewrites_payments_and_voucher() {
    let desk = Desk::new().await;
    let (a, b) = (desk.fund("A", 1_000.0).await, desk.fund("B", 1_000.0).await);
    let invoice = desk
        .invoice(&json!({"currency": "EUR", "exchangeRate": 1.1}))
        .await;
    let rows = [amount(&a, 40.0), amount(&b, 60.0)];
    desk.line(&invoice, 100.0, &rows, &json!({})).await;
    desk.now(&invoice, "Approved").await;
    assert_eq!(desk.budget(&a).await, "0 44 0 0");
    assert_eq!(desk.budget(&b).await, "0 66 0 0");
    assert_eq!(
        desk.voucher_lines(&invoice).await,
        ["ACCA 40.0", "ACCB 70.0"]
    );
    let voucher = desk.voucher(&invoice).await;
    assert_eq!(
        (&voucher["amount"], &voucher["exchangeRate"]),
        (&json!(110.0), &json!(1.1))
    );
    let _ = desk
        .change(&invoice, &json!({"exchangeRate": 1.2}))
        .await
        .expect(204);
    assert_eq!(desk.budget(&a).await, "0 48 0 0");
    assert_eq!(desk.budget(&b).await, "0 72 0 0");
    let again = desk.voucher(&invoice).await;
    assert_eq!(again["id"], voucher["id"]);
    assert_eq!(again["voucherNumber"], voucher["voucherNumber"]);
    assert_eq!(again["amount"], 120.0);
    // On the way to Paid, too.
    let changes = json!({"exchangeRate": 1.3, "status": "Paid"});
    let _ = desk.change(&invoice, &changes).await.expect(204);
    assert_eq!(desk.budget(&a).await, "0 0 52 0");
    assert_eq!(desk.budget(&b).await, "0 0 78 0");
    // Without any rate there is nothing to count with.
    let none = desk.invoice(&json!({"currency": "EUR"})).await;
    desk.line(&none, 10.0, &[percent(&a, 100.0)], &json!({}))
        .await;
    let _ = desk.become_(&none, "Approved").await.expect(404);
    desk.in_order().await;
}
