//! Many at once on the same budgets: no amount is lost, none is spent twice.

use futures_util::future::join_all;
use serde_json::json;

use crate::office::{BATCH, Office, new_id};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_budget_with_money_for_one_pays_one() {
    let mut office = Office::new().await;
    office.ledger = crate::office::ledger(&office.client, "STRICT", &office.year, true).await;
    let fund = office.fund("HIST").await;
    let budget = office
        .budget(&fund, "HIST", &json!({"allowableExpenditure": 100}))
        .await;
    office
        .create(&[office.allocation(100.0, None, Some(&fund))])
        .await;
    let tries = (0..8).map(|_| {
        let one = office.of_invoice("Pending payment", 60.0, &fund, &new_id());
        let client = office.client.clone();
        tokio::spawn(async move {
            client
                .post(BATCH, &json!({"transactionsToCreate": [one]}))
                .await
                .status
        })
    });
    let mut statuses = Vec::new();
    for one in join_all(tries).await {
        statuses.push(one.expect("it ends"));
    }
    assert_eq!(statuses.iter().filter(|status| **status == 204).count(), 1);
    assert_eq!(statuses.iter().filter(|status| **status == 422).count(), 7);
    assert_eq!(office.amounts(&budget, "awaitingPayment").await, "60.0");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn money_goes_round_and_none_is_lost() {
    const EACH: usize = 20;
    let office = Office::new().await;
    let mut funds = Vec::new();
    for code in ["A", "B", "C"] {
        funds.push(office.funded(code, 1_000.0).await);
    }
    let workers = (0..6).map(|worker| {
        let client = office.client.clone();
        let transactions: Vec<_> = (0..EACH)
            .map(|round| {
                let from = &funds[(worker + round) % 3].0;
                let to = &funds[(worker + round + 1 + worker % 2) % 3].0;
                let mut one = office.transaction("Transfer", 0.01 + round as f64);
                one["fromFundId"] = json!(from);
                one["toFundId"] = json!(to);
                one
            })
            .collect();
        tokio::spawn(async move {
            for one in transactions {
                let body = json!({"transactionsToCreate": [one]});
                let _ = client.post(BATCH, &body).await.expect(204);
            }
        })
    });
    for one in join_all(workers).await {
        one.expect("it ends");
    }
    let mut net = 0;
    for (_, budget) in &funds {
        let stored = office.stored("budgets", budget).await;
        let cents = stored["netTransfers"].as_f64().expect("a number") * 100.0;
        net += cents.round() as i64;
    }
    assert_eq!(net, 0);
    let found = office
        .client
        .get("/finance-storage/transactions?limit=0")
        .await
        .expect(200)
        .json();
    assert_eq!(found["totalRecords"], 6 * EACH + 3);
}
