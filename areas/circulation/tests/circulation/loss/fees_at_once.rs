//! Payments beside returns, renewals and waivers of the same lost item: no money is lost or doubled.

use futures_util::future::{join, join3};
use serde_json::json;

use super::*;
use crate::support::beside;

const ROUNDS: usize = 120;

/// Pays as `pay`, whether it is taken or not; returns the status.
async fn try_settle(client: &Client, account: &str, how: &str, amount: &str) -> u16 {
    let path = format!("/accounts/{account}/{how}");
    client.post(&path, &settlement(amount, "Cash")).await.status
}

/// What an account was paid, less what was refunded.
async fn kept(client: &Client, account: &str) -> f64 {
    let actions = actions(client, account).await;
    let sum = |word: &str| -> f64 {
        let of_kind = actions.iter().filter(|one| {
            one["typeAction"]
                .as_str()
                .is_some_and(|name| name.starts_with(word))
        });
        of_kind.filter_map(|one| one["amountAction"].as_f64()).sum()
    };
    sum("Paid") - sum("Refunded")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_is_paid_beside_a_return_goes_back_or_is_not_taken() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let cost = json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0}});
    charge(client, cost).await;
    let other = beside(&library, client).await;
    let elsewhere = client.at(other.address);
    let (mut taken, mut refused) = (0, 0);
    for round in 0..ROUNDS {
        let name = round.to_string();
        let lent = lend(&stock, &name).await;
        let body = json!({"servicePointId": CIRC_DESK_1});
        let _ = lent
            .act(client, "declare-item-lost", body)
            .await
            .expect(204);
        let fee = id(&lent.accounts(client).await[0]);
        // In full or in part, twice over or waived as well.
        let amount = if round % 2 == 0 { "10" } else { "6" };
        let how = if round % 3 == 0 { "waive" } else { "pay" };
        let back = check_in(&format!("i-{name}"), CIRC_DESK_1);
        let (first, back, second) = join3(
            try_settle(client, &fee, "pay", amount),
            elsewhere.post(IN, &back),
            try_settle(&elsewhere, &fee, how, amount),
        )
        .await;
        let _ = back.expect(200);
        for status in [first, second] {
            match status {
                201 => taken += 1,
                422 => refused += 1,
                other => panic!("{other}"),
            }
        }
        assert_eq!(kept(client, &fee).await, 0.0, "round {round}");
        let account = lent.accounts(client).await.remove(0);
        assert_eq!(account["remaining"], 0.0);
        assert_eq!(account["status"]["name"], "Closed");
        assert_eq!(lent.item_status(client).await, "Available");
        assert_eq!(lent.loan(client).await["status"]["name"], "Closed");
    }
    assert!(taken > 0 && refused > 0, "{taken} taken, {refused} refused");
    assert_in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_loss_is_charged_and_given_back_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let cost = json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0},
        "lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true,
        "returnedLostItemProcessingFee": true});
    charge(client, cost).await;
    for round in 0..ROUNDS {
        let name = round.to_string();
        let lent = lend(&stock, &name).await;
        let body = json!({"servicePointId": CIRC_DESK_1});
        let back = check_in(&format!("i-{name}"), CIRC_DESK_1);
        let (lost, again) = join(
            lent.act(client, "declare-item-lost", body.clone()),
            lent.act(client, "declare-item-lost", body),
        )
        .await;
        let mut statuses = [lost.status, again.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [204, 422]);
        assert_eq!(lent.owed(client).await.len(), 2);
        let (first, second) = join(client.post(IN, &back), client.post(IN, &back)).await;
        let _ = (first.expect(200), second.expect(200));
        let expected = [
            "Lost item fee 0.0 of 10.0 Cancelled item returned",
            "Lost item processing fee 0.0 of 5.0 Cancelled item returned",
        ];
        assert_eq!(lent.owed(client).await, expected);
        for account in lent.accounts(client).await {
            assert_eq!(actions(client, &id(&account)).await.len(), 2);
        }
    }
    assert_in_order(&library).await;
}
