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
    let event = json!({"loanId": lent.loan});
    let handler = "/circulation/handlers/loan-related-fee-fine-closed";
    let _ = client.post(handler, &event).await.expect(204);
    assert_eq!(lent.item_status(client).await, "Declared lost");
    let _ = lent
        .owe(client, "Lost item fee (actual cost)", "Closed")
        .await;
    let _ = client.post(handler, &event).await.expect(204);
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(told(&library, "LOAN_CLOSED").await.len(), 1);
}
