//! What is given back when a lost item returns, or its loan is renewed.

use serde_json::json;

use super::*;
use crate::scan::SCAN_IN;

/// Ten for the item, which are given back, and five for the work.
fn costs(more: Value) -> Value {
    let mut policy = json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0},
        "lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true});
    for (key, value) in more.as_object().expect("changes") {
        policy[key] = value.clone();
    }
    policy
}

async fn account(lent: &Lent, client: &Client, kind: &str) -> String {
    let accounts = lent.accounts(client).await;
    let found = accounts.iter().find(|one| one["feeFineType"] == kind);
    id(found.expect("it was charged"))
}

async fn told(client: &Client, account: &str) -> Vec<String> {
    let actions = actions(client, account).await;
    let line = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
        let (name, information) = (text("typeAction"), text("transactionInformation"));
        let (amount, balance) = (&one["amountAction"], &one["balance"]);
        format!(
            "{name} {amount} -> {balance} ({information}, {})",
            text("paymentMethod")
        )
    };
    actions.iter().map(line).collect()
}

async fn returned(client: &Client, name: &str) -> Value {
    let back = client
        .post(IN, &check_in(&format!("i-{name}"), CIRC_DESK_1))
        .await;
    back.expect(200).json()
}

#[tokio::test]
async fn what_nobody_paid_is_cancelled_and_the_work_if_the_policy_says_so() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    for (name, work) in [("1", false), ("2", true)] {
        charge(
            client,
            costs(json!({"returnedLostItemProcessingFee": work})),
        )
        .await;
        let lent = lend(&stock, name).await;
        lent.declare_lost(client).await;
        let back = returned(client, name).await;
        let (left, status) = match work {
            true => (0.0, "0.0 of 5.0 Cancelled item returned"),
            false => (5.0, "5.0 of 5.0 Outstanding"),
        };
        assert_eq!(back["loan"]["feesAndFines"]["amountRemainingToPay"], left);
        let expected = [
            "Lost item fee 0.0 of 10.0 Cancelled item returned".to_owned(),
            format!("Lost item processing fee {status}"),
        ];
        assert_eq!(lent.owed(client).await, expected);
        assert_eq!(lent.item_status(client).await, "Available");
        let fee = account(&lent, client, "Lost item fee").await;
        let expected = [
            "Lost item fee 10.0 -> 10.0 (-, -)",
            "Cancelled item returned 10.0 -> 0.0 (-, -)",
        ];
        assert_eq!(told(client, &fee).await, expected);
        let cancelled = actions(client, &fee).await[1].clone();
        assert_eq!(cancelled["createdAt"], CIRC_DESK_1);
        assert!(cancelled["source"].is_string());
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn what_was_paid_and_transferred_goes_back() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, costs(json!({}))).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let fee = account(&lent, client, "Lost item fee").await;
    pay(client, &fee, "3").await;
    settle(client, &fee, "transfer", "2", "Bursar").await;
    settle(client, &fee, "waive", "1", "Mercy").await;
    let _ = returned(client, "1").await;
    assert_eq!(
        told(client, &fee).await[4..],
        [
            "Credited fully 3.0 -> 4.0 (Refund to patron, Lost item found)",
            "Credited fully 2.0 -> 4.0 (Refund to Bursar, Lost item found)",
            "Refunded fully 3.0 -> 7.0 (Refunded to patron, Lost item found)",
            "Refunded fully 2.0 -> 9.0 (Refunded to Bursar, Lost item found)",
            "Cancelled item returned 10.0 -> 0.0 (-, -)",
        ]
    );
    let lines = logged(&library).await;
    for (word, times) in [("Credited fully", 2), ("Refunded fully", 2), ("Billed", 2)] {
        let found = lines.iter().filter(|line| line.contains(word)).count();
        assert_eq!(found, times, "{word}: {lines:?}");
    }
    // There is nothing more to be had of it.
    let body = json!({"amount": "1", "notifyPatron": false, "servicePointId": CIRC_DESK_1,
                      "userName": "Desk, Jane", "paymentMethod": "Mistake"});
    let path = format!("/accounts/{fee}/refund");
    let _ = client.post(&path, &body).await.expect(422);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn what_was_paid_in_full_goes_back_although_the_loan_has_ended() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, costs(json!({"chargeAmountItemPatron": false}))).await;
    for (name, how) in [("1", "pay"), ("2", "waive")] {
        let lent = lend(&stock, name).await;
        lent.declare_lost(client).await;
        let fee = account(&lent, client, "Lost item fee").await;
        settle(client, &fee, how, "10", "Cash").await;
        assert_eq!(lent.item_status(client).await, "Lost and paid");
        let back = returned(client, name).await;
        assert_eq!(back.get("loan"), None);
        assert_eq!(lent.item_status(client).await, "Available");
        let expected: &[&str] = match how {
            "pay" => &[
                "Credited fully 10.0 -> 0.0 (Refund to patron, Lost item found)",
                "Refunded fully 10.0 -> 10.0 (Refunded to patron, Lost item found)",
                "Cancelled item returned 10.0 -> 0.0 (-, -)",
            ],
            _ => &[],
        };
        assert_eq!(told(client, &fee).await[2..], *expected, "{how}");
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn nothing_goes_back_when_the_time_for_that_is_over() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let day = json!({"feesFinesShallRefunded": {"duration": 1, "intervalId": "Days"}});
    charge(client, costs(day)).await;
    let (long_ago, just_now) = (lend(&stock, "1").await, lend(&stock, "2").await);
    // Lost since March.
    long_ago.declare_lost(client).await;
    let _ = returned(client, "1").await;
    assert_eq!(
        long_ago.owed(client).await[0],
        "Lost item fee 10.0 of 10.0 Outstanding"
    );
    let body = json!({"servicePointId": CIRC_DESK_1});
    let lost = just_now.act(client, "declare-item-lost", body).await;
    let _ = lost.expect(204);
    let _ = returned(client, "2").await;
    let expected = "Lost item fee 0.0 of 10.0 Cancelled item returned";
    assert_eq!(just_now.owed(client).await[0], expected);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn an_override_of_a_renewal_gives_back_too() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, costs(json!({}))).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let fee = account(&lent, client, "Lost item fee").await;
    pay(client, &fee, "4").await;
    let body = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": CIRC_DESK_1,
        "overrideBlocks": {"comment": "found it", "renewalDueDateRequiredBlock":
            {"dueDate": "2130-01-01T00:00:00Z"}, "renewalBlock": {}}});
    let _ = client
        .post("/circulation/renew-by-barcode", &body)
        .await
        .expect(200);
    assert_eq!(lent.item_status(client).await, "Checked out");
    assert_eq!(
        told(client, &fee).await[2..],
        [
            "Credited fully 4.0 -> 6.0 (Refund to patron, Lost item found)",
            "Refunded fully 4.0 -> 10.0 (Refunded to patron, Lost item found)",
            "Cancelled item renewed 10.0 -> 0.0 (-, -)",
        ]
    );
    // Lost once more: charged once more, and only that is given back then.
    lent.declare_lost(client).await;
    let _ = returned(client, "1").await;
    let owed = lent.owed(client).await;
    let expected = [
        "Lost item fee 0.0 of 10.0 Cancelled item renewed",
        "Lost item fee 0.0 of 10.0 Cancelled item returned",
    ];
    assert_eq!(owed[..2], expected);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn an_actual_cost_that_was_billed_goes_back() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let query = format!("loan.id=={}", lent.loan);
    let records = "/actual-cost-record-storage/actual-cost-records";
    let found = client.query(records, &query).await.expect(200).json();
    let bill = json!({"actualCostRecordId": found["actualCostRecords"][0]["id"], "amount": 7.25,
                      "servicePointId": CIRC_DESK_1});
    let _ = client
        .post("/actual-cost-fee-fine/bill", &bill)
        .await
        .expect(201);
    assert_eq!(
        lent.owed(client).await,
        ["Lost item fee (actual cost) 7.25 of 7.25 Outstanding"]
    );
    let fee = account(&lent, client, "Lost item fee (actual cost)").await;
    pay(client, &fee, "7.25").await;
    let _ = returned(client, "1").await;
    let expected = ["Lost item fee (actual cost) 0.0 of 7.25 Cancelled item returned"];
    assert_eq!(lent.owed(client).await, expected);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_lost_item_that_returns_is_fined_if_the_policy_says_so() {
    const FINES: &str = "cd3f6cac-fa17-4079-9fae-2fb28e521412";
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let fines = json!({"id": FINES, "name": "Fines", "countClosed": true, "maxOverdueFine": 3,
        "overdueFine": {"quantity": 1, "intervalId": "day"}});
    let path = format!("/overdue-fines-policies/{FINES}");
    let _ = client.put(&path, &fines).await.expect(204);
    let day = json!({"duration": 1, "intervalId": "Days"});
    let table = [
        ("1", json!({"lostItemReturned": "Remove"}), false),
        ("2", json!({"lostItemReturned": "Charge"}), true),
        (
            "3",
            json!({"lostItemReturned": "Charge", "feesFinesShallRefunded": day}),
            false,
        ),
        ("4", json!({}), false),
    ];
    for (name, changes, expected) in table {
        charge(client, costs(changes.clone())).await;
        let lent = lend(&stock, name).await;
        lent.declare_lost(client).await;
        let _ = returned(client, name).await;
        let owed = lent.owed(client).await;
        let fine = owed
            .iter()
            .any(|one| one == "Overdue fine 3.0 of 3.0 Outstanding");
        assert_eq!(fine, expected, "{changes}: {owed:?}");
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_claim_that_is_settled_at_octavos_desk_ends_the_fees_of_the_loss_before_it() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(
        client,
        costs(json!({"returnedLostItemProcessingFee": true})),
    )
    .await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    lent.claim(client).await;
    let mut scan = check_in("i-1", CIRC_DESK_1);
    let asked = client.post(SCAN_IN, &scan).await.expect(200).json();
    let question = &asked["questions"][0];
    assert_eq!(question["kind"], "claimedReturned");
    assert_eq!(question["patron"], "Dorothea Brooke");
    assert_eq!(question["since"], "2026-03-01T10:00:00.000+00:00");
    assert_eq!(question["owed"].as_f64(), Some(15.0));
    assert_eq!(lent.item_status(client).await, "Claimed returned");
    scan["claimedReturnedResolution"] = json!("Found by library");
    let back = client.post(SCAN_IN, &scan).await.expect(200).json();
    assert_eq!(back["owed"], 0.0);
    assert_eq!(
        lent.owed(client).await,
        [
            "Lost item fee 0.0 of 10.0 Cancelled item returned",
            "Lost item processing fee 0.0 of 5.0 Cancelled item returned",
        ]
    );
    assert_in_order(&library).await;
}
