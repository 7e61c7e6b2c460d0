//! Actual costs: found out in time or not, and items that come back.

use serde_json::json;

use super::*;

async fn put_expiration(client: &Client, lent: &Lent, end: &str) {
    let path = "/actual-cost-record-storage/actual-cost-records";
    let query = format!("loan.id=={}", lent.loan);
    let found = client.query(path, &query).await.expect(200).json();
    let mut record = found["actualCostRecords"][0].clone();
    record["expirationDate"] = json!(end);
    let path = format!("{path}/{}", record["id"].as_str().expect("an id"));
    let _ = client.put(&path, &record).await.expect(204);
}

#[tokio::test]
async fn costs_that_nobody_finds_out_in_time_end_the_loan() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let (late, owing, open) = (
        lend(&stock, "1").await,
        lend(&stock, "2").await,
        lend(&stock, "3").await,
    );
    let gone = lend(&stock, "4").await;
    for lent in [&late, &owing, &open, &gone] {
        lent.declare_lost(client).await;
        assert_eq!(lent.actual_costs(&library).await, ["Open, Declared lost"]);
    }
    let _ = owing.owe(client, "Lost item processing fee", "Open").await;
    for lent in [&late, &owing, &gone] {
        put_expiration(client, lent, "2026-01-01T00:00:00.000+00:00").await;
    }
    let path = format!("/item-storage/items/{}", gone.item);
    let _ = client.delete(&path).await.expect(204);
    run(&library.platform, EXPIRE).await;
    run(&library.platform, EXPIRE).await;
    for lent in [&late, &owing, &gone] {
        assert_eq!(
            lent.actual_costs(&library).await,
            ["Expired, Declared lost"]
        );
    }
    assert_eq!(open.actual_costs(&library).await, ["Open, Declared lost"]);
    assert_eq!(late.item_status(client).await, "Lost and paid");
    assert_eq!(late.loan(client).await["action"], "closedLoan");
    for lent in [&owing, &open] {
        assert_eq!(lent.item_status(client).await, "Declared lost");
    }
    assert_eq!(told(&library, "LOAN_CLOSED").await, [late.loan.as_str()]);
}

#[tokio::test]
async fn an_item_that_comes_back_costs_nothing_any_more() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(
        lent.actual_costs(&library).await,
        ["Cancelled, Declared lost, Lost item was returned"]
    );
    // Unless its policy says that it is too late.
    let mut strict = actual_cost();
    strict["feesFinesShallRefunded"] = minute();
    charge(client, strict).await;
    let lent = lend(&stock, "2").await;
    lent.declare_lost(client).await;
    let _ = client
        .post(IN, &check_in("i-2", CIRC_DESK_1))
        .await
        .expect(200);
    assert_eq!(lent.actual_costs(&library).await, ["Open, Declared lost"]);
}

#[tokio::test]
async fn a_cost_that_was_billed_and_paid_ends_the_loan() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    lent.tell_of_closed_fee(client).await;
    assert_eq!(lent.item_status(client).await, "Declared lost");
    let _ = lent
        .owe(client, "Lost item fee (actual cost)", "Closed")
        .await;
    lent.tell_of_closed_fee(client).await;
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(told(&library, "LOAN_CLOSED").await.len(), 1);
}

/// How staff or a client settle an actual cost.
#[derive(Debug, Clone, Copy)]
enum Settled {
    /// Staff decide that it is not billed.
    Cancelled,
    /// Staff bill it, and the bill is paid.
    Paid,
    /// A client stores the record as cancelled and tells circulation, as FOLIO's own tests do.
    StoredAsCancelled,
    /// A client stores the account, then closes it and tells circulation.
    StoredAsPaid,
}

impl Settled {
    async fn act(self, client: &Client, lent: &Lent) {
        let path = "/actual-cost-record-storage/actual-cost-records";
        let query = format!("loan.id=={}", lent.loan);
        let found = client.query(path, &query).await.expect(200).json();
        let mut record = found["actualCostRecords"][0].clone();
        let record_id = id(&record);
        match self {
            Settled::Cancelled => {
                let body = json!({"actualCostRecordId": record_id});
                let path = "/actual-cost-fee-fine/cancel";
                let _ = client.post(path, &body).await.expect(201);
            }
            Settled::Paid => {
                let body = json!({"actualCostRecordId": record_id, "amount": 10.0,
                                  "servicePointId": CIRC_DESK_1});
                let path = "/actual-cost-fee-fine/bill";
                let billed = client.post(path, &body).await.expect(201).json();
                let account = billed["feeFine"]["accountId"].as_str().expect("an id");
                pay(client, account, "10").await;
            }
            Settled::StoredAsCancelled => {
                record["status"] = json!("Cancelled");
                let path = format!("{path}/{record_id}");
                let _ = client.put(&path, &record).await.expect(204);
                lent.tell_of_closed_fee(client).await;
            }
            Settled::StoredAsPaid => {
                let account = lent
                    .owe(client, "Lost item fee (actual cost)", "Open")
                    .await;
                close(client, &account).await;
                lent.tell_of_closed_fee(client).await;
            }
        }
    }
}

/// Stores an account as paid, as clients do that know nothing of payments.
async fn close(client: &Client, account: &Value) {
    let mut account = account.clone();
    account["remaining"] = json!(0.0);
    account["status"]["name"] = json!("Closed");
    account["paymentStatus"]["name"] = json!("Paid fully");
    let path = format!("/accounts/{}", id(&account));
    let _ = client.put(&path, &account).await.expect(204);
}

/// Both kinds of loss, each way to settle its cost, with a processing fee and without: only an open
/// processing fee keeps the loan open.
#[tokio::test]
async fn however_an_actual_cost_is_settled_the_loan_ends_unless_a_processing_fee_is_open() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let mut number = 0;
    for (aged, lost) in [(true, "Aged to lost"), (false, "Declared lost")] {
        for processing in [0.0, 15.0] {
            let mut policy = actual_cost();
            policy["lostItemProcessingFee"] = json!(processing);
            policy["chargeAmountItemSystem"] = json!(aged);
            policy["chargeAmountItemPatron"] = json!(!aged);
            if aged {
                policy["itemAgedLostOverdue"] = minute();
            }
            charge(client, policy).await;
            for how in [
                Settled::Cancelled,
                Settled::Paid,
                Settled::StoredAsCancelled,
                Settled::StoredAsPaid,
            ] {
                let case = format!("{lost}, {processing}, {how:?}");
                number += 1;
                let lent = lend(&stock, &number.to_string()).await;
                if aged {
                    run(&library.platform, AGE).await;
                    run(&library.platform, BILL).await;
                } else {
                    lent.declare_lost(client).await;
                }
                assert_eq!(
                    lent.actual_costs(&library).await,
                    [format!("Open, {lost}")],
                    "{case}"
                );
                how.act(client, &lent).await;
                if processing > 0.0 {
                    assert_eq!(lent.item_status(client).await, lost, "{case}");
                    let fees = lent.accounts(client).await;
                    let fee = fees
                        .iter()
                        .find(|one| one["feeFineType"] == "Lost item processing fee");
                    pay(client, &id(fee.expect("a processing fee")), "15").await;
                }
                let loan = lent.loan(client).await;
                assert_eq!(lent.item_status(client).await, "Lost and paid", "{case}");
                assert_eq!(loan["status"]["name"], "Closed", "{case}");
                assert!(loan["returnDate"].is_string(), "{case}");
            }
        }
    }
    assert_eq!(told(&library, "LOAN_CLOSED").await.len(), 16);
}

/// The processing fee is paid in time, and staff have found out nothing when the time is over.
#[tokio::test]
async fn an_actual_cost_that_expired_leaves_a_loan_to_its_processing_fee() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let mut policy = actual_cost();
    policy["lostItemProcessingFee"] = json!(15.0);
    policy["chargeAmountItemPatron"] = json!(true);
    charge(client, policy).await;
    let (paid, owing, early) = (
        lend(&stock, "1").await,
        lend(&stock, "2").await,
        lend(&stock, "3").await,
    );
    for lent in [&paid, &owing, &early] {
        lent.declare_lost(client).await;
    }
    for lent in [&paid, &early] {
        pay(client, &id(&lent.accounts(client).await[0]), "15").await;
        assert_eq!(lent.item_status(client).await, "Declared lost");
    }
    for lent in [&paid, &owing] {
        put_expiration(client, lent, "2026-01-01T00:00:00.000+00:00").await;
    }
    run(&library.platform, EXPIRE).await;
    assert_eq!(paid.item_status(client).await, "Lost and paid");
    for lent in [&owing, &early] {
        assert_eq!(lent.item_status(client).await, "Declared lost");
    }
    // Paid behind the end of that time, it ends the loan by itself.
    pay(client, &id(&owing.accounts(client).await[0]), "15").await;
    assert_eq!(owing.item_status(client).await, "Lost and paid");
    assert_eq!(early.actual_costs(&library).await, ["Open, Declared lost"]);
}
