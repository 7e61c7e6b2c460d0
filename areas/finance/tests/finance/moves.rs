//! Transactions of the business interface, and exchange rates.

use serde_json::json;

use crate::office::{Office, new_id};

const BATCH: &str = "/finance/transactions/batch-all-or-nothing";

#[tokio::test]
async fn allocations_and_transfers_are_checked_first() {
    let office = Office::new().await;
    let client = &office.client;
    let (a, budget) = office.funded("A", 100.0).await;
    let (b, _) = office.funded("B", 100.0).await;
    let (c, _) = office.funded("C", 100.0).await;
    let code = |body: serde_json::Value| body["errors"][0]["code"].as_str().map(str::to_owned);
    let neither = office.allocation(5.0, None, None);
    let refused = client
        .post("/finance/allocations", &neither)
        .await
        .expect(422)
        .json();
    assert_eq!(code(refused).as_deref(), Some("missingFundId"));
    let mut half = office.transaction("Transfer", 5.0);
    for side in ["fromFundId", "toFundId"] {
        half.as_object_mut()
            .expect("it")
            .retain(|name, _| !name.ends_with("FundId"));
        half[side] = json!(a);
        let refused = client
            .post("/finance/transfers", &half)
            .await
            .expect(422)
            .json();
        assert_eq!(code(refused).as_deref(), Some("missingFundId"));
    }
    let zero = office.allocation(0.0, None, Some(&a));
    let refused = client
        .post("/finance/allocations", &zero)
        .await
        .expect(400)
        .json();
    assert_eq!(code(refused).as_deref(), Some("allocationMustBePositive"));
    let path = format!("/finance-storage/funds/{a}");
    let mut fund = client.get(&path).await.expect(200).json();
    fund["allocatedToIds"] = json!([c]);
    let _ = client.put(&path, &fund).await.expect(204);
    let moved = office.allocation(5.0, Some(&a), Some(&b));
    let refused = client
        .post("/finance/allocations", &moved)
        .await
        .expect(422)
        .json();
    assert_eq!(
        code(refused).as_deref(),
        Some("allowableAllocationIdsMismatch")
    );
    // Storage does not ask.
    let _ = office
        .batch(&json!({"transactionsToCreate": [moved]}))
        .await
        .expect(204);
    let mut allowed = office.allocation(7.0, Some(&a), Some(&c));
    allowed.as_object_mut().expect("it").shift_remove("id");
    let made = client
        .post("/finance/allocations", &allowed)
        .await
        .expect(201)
        .json();
    assert_eq!(made["amount"], json!(7.0));
    let refused = client
        .post("/finance/transfers", &allowed)
        .await
        .expect(422)
        .json();
    assert_eq!(code(refused).as_deref(), Some("invalidTransactionType"));
    assert_eq!(office.amounts(&budget, "allocationFrom").await, "12.0");
}

#[tokio::test]
async fn encumbrances_are_released_and_kept_for_invoices() {
    let office = Office::new().await;
    let client = &office.client;
    let (fund, budget) = office.funded("HIST", 1_000.0).await;
    let order = office.encumbrance(100.0, &fund);
    let id = order["id"].as_str().expect("an id").to_owned();
    office.create(&[order]).await;
    let release = format!("/finance/release-encumbrance/{id}");
    for _ in 0..2 {
        let _ = client.post(&release, &json!({})).await.expect(204);
        assert_eq!(office.amounts(&budget, "encumbered").await, "0.0");
    }
    let unrelease = format!("/finance/unrelease-encumbrance/{id}");
    for _ in 0..2 {
        let _ = client.post(&unrelease, &json!({})).await.expect(204);
        assert_eq!(office.amounts(&budget, "encumbered").await, "100.0");
    }
    let mut pending = office.of_invoice("Pending payment", 30.0, &fund, &new_id());
    pending["awaitingPayment"] = json!({"encumbranceId": id});
    let other = format!(
        "/finance/release-encumbrance/{}",
        pending["id"].as_str().expect("it")
    );
    let _ = client.post(&other, &json!({})).await.expect(404);
    office.create(&[pending.clone()]).await;
    let refused = client.post(&other, &json!({})).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "invalidTransactionType");
    let delete = json!({"idsOfTransactionsToDelete": [id]});
    let refused = client.post(BATCH, &delete).await.expect(422).json();
    assert_eq!(refused["errors"][0]["code"], "deleteConnectedToInvoice");
    let pending_id = pending["id"].as_str().expect("an id");
    let mut stored = office.stored("transactions", pending_id).await;
    stored["awaitingPayment"] = json!({"releaseEncumbrance": false});
    let both = |stored: &serde_json::Value| json!({"idsOfTransactionsToDelete": [id], "transactionsToUpdate": [stored]});
    // The link of a live payment is not enough.
    let _ = client.post(BATCH, &both(&stored)).await.expect(422);
    let mut cancelled = office.stored("transactions", pending_id).await;
    cancelled["invoiceCancelled"] = json!(true);
    let _ = client
        .post(BATCH, &json!({"transactionsToUpdate": [cancelled]}))
        .await
        .expect(204);
    assert_eq!(
        office.amounts(&budget, "encumbered awaitingPayment").await,
        "100.0 0.0"
    );
    let mut stored = office.stored("transactions", pending_id).await;
    stored["awaitingPayment"] = json!({"releaseEncumbrance": false});
    let _ = client.post(BATCH, &both(&stored)).await.expect(204);
    let _ = client
        .get(&format!("/finance/transactions/{id}"))
        .await
        .expect(404);
}

#[tokio::test]
async fn rates_are_those_that_are_configured() {
    let office = Office::new().await;
    let client = &office.client;
    let rate = |from: &str, to: &str| format!("/finance/exchange-rate?from={from}&to={to}");
    let same = client.get(&rate("USD", "USD")).await.expect(200).json();
    assert_eq!(same["exchangeRate"], json!(1.0));
    let _ = client.get(&rate("EUR", "USD")).await.expect(404);
    let _ = client.get(&rate("euro", "USD")).await.expect(400);
    let value = json!({"base": "EUR", "rates": {"USD": 1.25, "JPY": 160}}).to_string();
    let entry = json!({"module": "FINANCE", "configName": "exchangeRates", "enabled": true,
                       "value": value});
    let _ = client
        .post("/configurations/entries", &entry)
        .await
        .expect(201);
    let found = client.get(&rate("USD", "EUR")).await.expect(200).json();
    assert_eq!(found["exchangeRate"], json!(0.8));
    let amount = "/finance/calculate-exchange?from=EUR&to=USD&amount=10.01";
    assert_eq!(client.get(amount).await.expect(200).json(), json!(12.51));
    let given = format!("{amount}&rate=2");
    assert_eq!(client.get(&given).await.expect(200).json(), json!(20.02));
    let _ = client.get(&rate("GBP", "USD")).await.expect(404);
}
