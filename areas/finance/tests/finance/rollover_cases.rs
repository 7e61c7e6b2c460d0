//! Worked cases of rollovers that need stored books: budgets that exist already, orders that are left.

use octavo_server_testkit::assert_in_order;
use serde_json::{Value, json};

use crate::office::{Office, ledger, new_id};
use crate::rollovers::{body, errors, initial, next_budget, order, renewed, run};

const SUMS: &str = "initialAllocation allocationTo allocationFrom netTransfers";

/// A planned budget of the next year.
async fn planned(office: &Office, fund: &str, name: &str, more: &Value) -> String {
    let mut budget = json!({"id": new_id(), "name": name, "fundId": fund,
        "fiscalYearId": office.next_year, "budgetStatus": "Planned"});
    for (name, value) in more.as_object().expect("an object") {
        budget[name] = value.clone();
    }
    let made = office
        .client
        .post("/finance-storage/budgets", &budget)
        .await;
    let _ = made.expect(201);
    budget["id"].as_str().expect("an id").to_owned()
}

fn next_year(office: &Office, mut transaction: Value) -> Value {
    transaction["fiscalYearId"] = json!(office.next_year);
    transaction
}

/// What came to a fund in the next year, as `type amount`, sorted.
async fn moves(office: &Office, fund: &str) -> Vec<String> {
    let query = format!("toFundId=={fund} and fiscalYearId=={}", office.next_year);
    let found = office
        .client
        .query("/finance/transactions", &query)
        .await
        .expect(200)
        .json();
    let mut shown: Vec<String> = found["transactions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            let kind = one["transactionType"].as_str().expect("a type");
            format!("{kind} {}", one["amount"])
        })
        .collect();
    shown.sort();
    shown
}

/// G9 and G10.
#[tokio::test]
async fn a_planned_budget_gets_what_is_carried() {
    let office = Office::new().await;
    let (hist, source) = office.funded("HIST", 1_000.0).await;
    let mut transfer = office.transaction("Transfer", 100.0);
    transfer["toFundId"] = json!(hist);
    let (bought, returned) = (new_id(), new_id());
    office
        .create(&[
            transfer,
            office.of_invoice("Pending payment", 300.0, &hist, &bought),
            office.of_invoice("Pending payment", -20.0, &hist, &returned),
        ])
        .await;
    office
        .create(&[
            office.of_invoice("Payment", 300.0, &hist, &bought),
            office.of_invoice("Credit", 20.0, &hist, &returned),
            office.encumbrance(200.0, &hist),
        ])
        .await;
    let funding = "totalFunding available cashBalance";
    assert_eq!(office.amounts(&source, funding).await, "1100.0 620.0 820.0");
    let more = json!({"allowableEncumbrance": 80});
    let target = planned(&office, &hist, "KEPT-FY2151", &more).await;
    for amount in [200.0, 50.0] {
        let one = office.allocation(amount, None, Some(&hist));
        office.create(&[next_year(&office, one)]).await;
    }
    let mut transfer = office.transaction("Transfer", 10.0);
    transfer["toFundId"] = json!(hist);
    office.create(&[next_year(&office, transfer)]).await;
    assert_eq!(office.amounts(&target, SUMS).await, "200.0 50.0 0.0 10.0");
    let budgets = json!([{"rolloverAllocation": true, "adjustAllocation": -10,
        "rolloverBudgetValue": "Available", "addAvailableTo": "Available"}]);
    let asked = body(&office, "Commit", &budgets, &json!([]));
    let (_, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Success Success Success Success");
    let stored = office.stored("budgets", &target).await;
    assert_eq!(stored["name"], "KEPT-FY2151");
    assert_eq!(stored["budgetStatus"], "Active");
    assert_eq!(stored["allowableEncumbrance"].as_f64(), Some(80.0));
    assert_eq!(office.amounts(&target, SUMS).await, "200.0 950.0 0.0 630.0");
    assert_eq!(
        moves(&office, &hist).await,
        [
            "Allocation 200.0",
            "Allocation 50.0",
            "Allocation 900.0",
            "Rollover transfer 620.0",
            "Transfer 10.0"
        ]
    );
    assert_in_order(&office.library).await;
}

/// G13: what came and what went is summed apart.
#[tokio::test]
async fn allocations_both_ways_are_counted_once() {
    let office = Office::new().await;
    let (hist, _) = office.funded("HIST", 1_000.0).await;
    let other = office.fund("OTHER").await;
    let target = planned(&office, &hist, "HIST-FY2151", &json!({})).await;
    planned(&office, &other, "OTHER-FY2151", &json!({})).await;
    let (hist_, other_) = (Some(hist.as_str()), Some(other.as_str()));
    for (amount, from, to) in [
        (200.0, None, hist_),
        (50.0, other_, hist_),
        (30.0, other_, hist_),
        (20.0, hist_, other_),
        (10.0, hist_, other_),
    ] {
        let one = office.allocation(amount, from, to);
        office.create(&[next_year(&office, one)]).await;
    }
    assert_eq!(office.amounts(&target, SUMS).await, "200.0 80.0 30.0 0.0");
    let budgets = json!([{"rolloverAllocation": true}]);
    let asked = body(&office, "Commit", &budgets, &json!([]));
    let (_, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Success Success Success Success");
    assert_eq!(office.amounts(&target, SUMS).await, "200.0 1080.0 30.0 0.0");
    assert_eq!(
        moves(&office, &hist).await,
        [
            "Allocation 1000.0",
            "Allocation 200.0",
            "Allocation 30.0",
            "Allocation 50.0"
        ]
    );
    // Nothing is made for a budget whose transactions are its sums already.
    assert_eq!(
        moves(&office, &other).await,
        ["Allocation 10.0", "Allocation 20.0"]
    );
    assert_in_order(&office.library).await;
}

/// G12, H14 and H17.
#[tokio::test]
async fn orders_of_all_kinds_meet_one_rollover() {
    let office = Office::new().await;
    let client = &office.client;
    let (a, _) = office.funded("A", 100.0).await;
    let (c, _) = office.funded("C", 100.0).await;
    let (gone, of_gone) = office.funded("GONE", 50.0).await;
    let lost = order(&office, &[(&gone, 5.0)]).await;
    let path = format!("/finance-storage/funds/{gone}");
    let mut inactive = client.get(&path).await.expect(200).json();
    inactive["fundStatus"] = json!("Inactive");
    let _ = client.put(&path, &inactive).await.expect(204);
    let mut closed = office.encumbrance(7.0, &a);
    closed["encumbrance"]["orderStatus"] = json!("Closed");
    let closed_order = closed["encumbrance"]["sourcePurchaseOrderId"].clone();
    office.create(&[closed]).await;
    let open = order(&office, &[(&a, 20.0), (&c, 50.0)]).await;
    let target = planned(&office, &c, "C-FY2151", &json!({})).await;
    let mut before = next_year(&office, office.encumbrance(15.0, &c));
    before["encumbrance"]["sourcePurchaseOrderId"] = json!(open);
    office.create(&[before]).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let asked = body(&office, "Commit", &budgets, &initial());
    let (rollover, statuses) = run(client, &asked).await;
    assert_eq!(statuses, "Error Error Success Success");
    let errors = errors(&office, &rollover).await;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["errorMessage"], "Budget not found");
    assert_eq!(errors[0]["details"]["purchaseOrderId"], lost.as_str());
    assert_eq!(errors[0]["details"]["fundId"], gone.as_str());
    assert!(renewed(&office, &lost).await.is_empty(), "G12");
    let of_gone = office.stored("budgets", &of_gone).await;
    assert_eq!(of_gone["budgetStatus"], "Closed", "G12");
    let closed_order = closed_order.as_str().expect("an id");
    assert!(renewed(&office, closed_order).await.is_empty(), "H14");
    assert_eq!(
        renewed(&office, &open).await,
        [
            "15.0 \"Unreleased\"",
            "20.0 \"Unreleased\"",
            "50.0 \"Unreleased\""
        ],
        "H17"
    );
    assert_eq!(office.amounts(&target, "encumbered").await, "65.0", "H17");
    assert_in_order(&office.library).await;
}

/// H16: the other ledger's rollover ended with an error and without budgets.
#[tokio::test]
async fn a_rollover_that_failed_is_not_waited_for() {
    let mut office = Office::new().await;
    let first = office.ledger.clone();
    let (a, _) = office.funded("A", 100.0).await;
    let taker = office.fund("TAKER").await;
    office.ledger = ledger(&office.client, "SECOND", &office.year, false).await;
    let (b, _) = office.funded("B", 100.0).await;
    let both = order(&office, &[(&a, 20.0), (&b, 30.0)]).await;
    // Another fund's budget has the name that the new one is to have.
    planned(&office, &taker, "B-FY2151", &json!({})).await;
    let budgets = json!([{"rolloverAllocation": true}]);
    let asked = body(&office, "Commit", &budgets, &initial());
    let (rollover, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Error Error Success Success");
    assert_eq!(errors(&office, &rollover).await[0]["errorType"], "Other");
    assert_eq!(next_budget(&office, &b).await, Value::Null);
    office.ledger = first;
    let asked = body(&office, "Commit", &budgets, &initial());
    let (rollover, statuses) = run(&office.client, &asked).await;
    assert_eq!(statuses, "Error Error Success Success");
    let errors = errors(&office, &rollover).await;
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0]["errorMessage"], "Budget not found");
    assert_eq!(errors[0]["details"]["fundId"], b.as_str());
    assert!(renewed(&office, &both).await.is_empty());
    assert_in_order(&office.library).await;
}
