//! What is charged for lost items, and what of it when they were aged to lost before.

use serde_json::json;

use super::*;

fn costs() -> Value {
    json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0},
           "lostItemProcessingFee": 5.5, "chargeAmountItemPatron": true,
           "chargeAmountItemSystem": true, "itemAgedLostOverdue": minute()})
}

#[tokio::test]
async fn a_declared_item_costs_what_the_policy_says_until_it_is_paid() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, costs()).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let expected = [
        "Lost item fee 10.0 of 10.0 Outstanding",
        "Lost item processing fee 5.5 of 5.5 Outstanding",
    ];
    assert_eq!(lent.owed(client).await, expected);
    let accounts = lent.accounts(client).await;
    let fee = accounts
        .iter()
        .find(|one| one["feeFineType"] == "Lost item fee");
    let fee = fee.expect("it was charged");
    for (name, value) in [
        ("feeFineId", json!("cf238f9f-7018-47b7-b815-bb2db798e19f")),
        ("feeFineOwner", json!("Town library")),
        ("title", json!("Middlemarch")),
        ("barcode", json!("i-1")),
        ("location", json!("Stacks")),
        ("itemId", json!(lent.item)),
        ("dueDate", json!("2025-04-02T23:59:59.000+00:00")),
        ("lostItemFeePolicyId", json!(POLICY)),
    ] {
        assert_eq!(fee[name], value, "{name}");
    }
    assert!(fee.get("returnedDate").is_none());
    let work = accounts
        .iter()
        .find(|one| one["feeFineType"] != "Lost item fee");
    let work = work.expect("it was charged");
    assert_eq!(work["feeFineId"], "c7dede15-aa48-45ed-860b-f996540180e0");
    let (fee, work) = (id(fee), id(work));
    let actions = actions(client, &fee).await;
    assert_eq!(actions[0]["createdAt"], CIRC_DESK_1);
    assert_eq!(actions[0]["transactionInformation"], "-");
    assert!(actions[0]["source"].is_string());
    let billed: Vec<String> = logged(&library).await;
    assert_eq!(
        billed.iter().filter(|line| line.contains("Billed")).count(),
        2,
        "{billed:?}"
    );

    // The loan ends with the last of them.
    pay(client, &fee, "10").await;
    assert_eq!(lent.item_status(client).await, "Declared lost");
    pay(client, &work, "5.50").await;
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(lent.loan(client).await["status"]["name"], "Closed");
    assert_in_order(&library).await;
}

#[tokio::test]
async fn the_work_is_charged_only_where_the_policy_says_so() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let table = [
        (
            json!({"chargeAmountItemPatron": false}),
            vec!["Lost item fee 10.0 of 10.0 Outstanding"],
        ),
        (
            json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 0.0}}),
            vec!["Lost item processing fee 5.5 of 5.5 Outstanding"],
        ),
        (
            json!({"chargeAmountItem": {"chargeType": "actualCost", "amount": 3.0}}),
            vec!["Lost item processing fee 5.5 of 5.5 Outstanding"],
        ),
    ];
    for (number, (changes, expected)) in table.into_iter().enumerate() {
        let mut policy = costs();
        for (key, value) in changes.as_object().expect("changes") {
            policy[key] = value.clone();
        }
        charge(client, policy).await;
        let lent = lend(&stock, &number.to_string()).await;
        lent.declare_lost(client).await;
        assert_eq!(lent.owed(client).await, expected, "{changes}");
        assert_eq!(lent.item_status(client).await, "Declared lost");
    }
    assert_in_order(&library).await;
}

#[tokio::test]
async fn an_aged_item_is_billed_after_its_delay_and_anew_when_it_is_declared_lost() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let mut policy = costs();
    policy["patronBilledAfterAgedLost"] = json!({"duration": 1, "intervalId": "Days"});
    policy["returnedLostItemProcessingFee"] = json!(true);
    charge(client, policy).await;
    let (lent, other) = (lend(&stock, "1").await, lend(&stock, "2").await);
    run(&library.platform, AGE).await;
    let _ = owner(client).await;
    run(&library.platform, BILL).await;
    assert_eq!(lent.owed(client).await, [""; 0]);
    for lent in [&lent, &other] {
        let mut due = lent.loan(client).await;
        due["agedToLostDelayedBilling"]["dateLostItemShouldBeBilled"] =
            json!("2026-01-01T00:00:00Z");
        let path = format!("/loan-storage/loans/{}", lent.loan);
        let _ = client.put(&path, &due).await.expect(204);
    }
    run(&library.platform, BILL).await;
    run(&library.platform, BILL).await;
    let expected = [
        "Lost item fee 10.0 of 10.0 Outstanding",
        "Lost item processing fee 5.5 of 5.5 Outstanding",
    ];
    for lent in [&lent, &other] {
        assert_eq!(lent.owed(client).await, expected);
        let loan = lent.loan(client).await;
        assert_eq!(
            loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
            true
        );
        assert_eq!(loan["status"]["name"], "Open");
    }
    let fee = id(&lent.accounts(client).await[0]);
    let charge = &actions(client, &fee).await[0];
    assert_eq!(
        (&charge["source"], charge.get("createdAt")),
        (&json!("System"), None)
    );

    lent.declare_lost(client).await;
    let cancelled = "Cancelled item declared lost";
    let expected = [
        "Lost item fee 0.0 of 10.0 Cancelled item declared lost".to_owned(),
        "Lost item fee 10.0 of 10.0 Outstanding".to_owned(),
        format!("Lost item processing fee 0.0 of 5.5 {cancelled}"),
        "Lost item processing fee 5.5 of 5.5 Outstanding".to_owned(),
    ];
    assert_eq!(lent.owed(client).await, expected);
    assert_eq!(other.owed(client).await.len(), 2);
    assert_eq!(lent.item_status(client).await, "Declared lost");
    assert_in_order(&library).await;
}
