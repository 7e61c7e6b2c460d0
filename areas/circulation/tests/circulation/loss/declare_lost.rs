//! Items declared lost: what is stored, and when the loan ends.

use serde_json::json;

use super::*;

#[tokio::test]
async fn what_costs_something_stays_open_until_it_is_paid() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let cost = json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 10.0},
                      "lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true});
    charge(client, cost).await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let loan = lent.loan(client).await;
    assert_eq!(loan["status"]["name"], "Open");
    assert_eq!(loan["action"], "declaredLost");
    assert_eq!(loan["actionComment"], "gone");
    assert_eq!(loan["declaredLostDate"], "2026-03-01T10:00:00.000+00:00");
    assert_eq!(loan.get("returnDate"), None);
    assert_eq!(lent.item_status(client).await, "Declared lost");
    assert_eq!(
        told(&library, "ITEM_DECLARED_LOST").await,
        [lent.loan.as_str()]
    );
    let lines = logged(&library).await;
    let line = "Loan, Declared lost, p-1, i-1, Additional information: gone";
    assert!(lines.iter().any(|one| one == line), "{lines:?}");

    // Two fees; the loan ends with the last of them.
    let closed = "/circulation/handlers/loan-related-fee-fine-closed";
    let event = json!({"loanId": lent.loan, "feeFineId": POLICY});
    let fees = lent.accounts(client).await;
    assert_eq!(fees.len(), 2);
    let _ = lent.owe(client, "Overdue fine", "Open").await;
    for mut fee in fees {
        let _ = client.post(closed, &event).await.expect(204);
        assert_eq!(lent.item_status(client).await, "Declared lost");
        fee["status"]["name"] = json!("Closed");
        let path = format!("/accounts/{}", fee["id"].as_str().expect("an id"));
        let _ = client.put(&path, &fee).await.expect(204);
    }
    let _ = client.post(closed, &event).await.expect(204);
    let _ = client.post(closed, &event).await.expect(204);
    let loan = lent.loan(client).await;
    assert_eq!(loan["status"]["name"], "Closed");
    assert!(loan["returnDate"].is_string());
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(
        lent.history(&library).await,
        [
            "checkedout, Checked out",
            "declaredLost, Declared lost",
            "closedLoan, Lost and paid"
        ]
    );
    assert_eq!(told(&library, "LOAN_CLOSED").await, [lent.loan.as_str()]);
}

#[tokio::test]
async fn what_costs_nothing_ends_at_once() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    charge(
        client,
        json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true}),
    )
    .await;
    let lent = lend(&stock, "1").await;
    lent.declare_lost(client).await;
    let loan = lent.loan(client).await;
    assert_eq!(loan["status"]["name"], "Closed");
    assert_eq!(loan["declaredLostDate"], "2026-03-01T10:00:00.000+00:00");
    assert_eq!(loan.get("actionComment"), None);
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(
        lent.history(&library).await,
        [
            "checkedout, Checked out",
            "declaredLost, Declared lost",
            "closedLoan, Lost and paid"
        ]
    );
    assert_eq!(told(&library, "LOAN_CLOSED").await, [lent.loan.as_str()]);
    assert_eq!(told(&library, "ITEM_DECLARED_LOST").await, [""; 0]);
    assert_eq!(logged(&library).await, ["Loan, Closed loan, p-1, i-1, "]);
    // An item that was paid for may turn up anyway.
    let back = client.post(IN, &check_in("i-1", CIRC_DESK_1)).await;
    let back = back.expect(200).json();
    assert_eq!(back["item"]["status"]["name"], "Available");
    assert_eq!(back.get("loan"), None);
    // A loan whose policy is gone costs nothing either.
    let other = lend(&stock, "2").await;
    let path = format!("/lost-item-fees-policies/{POLICY}");
    let _ = client.delete(&path).await.expect(204);
    other.declare_lost(client).await;
    assert_eq!(other.item_status(client).await, "Lost and paid");
}

#[tokio::test]
async fn a_claimed_item_that_is_declared_lost_leaves_a_note() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let lent = lend(&stock, "1").await;
    lent.claim(client).await;
    lent.declare_lost(client).await;
    assert_eq!(lent.item_status(client).await, "Declared lost");
    let loan = lent.loan(client).await;
    let user = loan["userId"].as_str().expect("a borrower");
    let path = format!("/note-links/domain/users/type/user/id/{user}");
    let notes = client.get(&path).await.expect(200).json();
    assert_eq!(
        notes["notes"][0]["title"],
        "Claimed returned item marked declared lost"
    );
    assert_eq!(lent.actual_costs(&library).await, ["Open, Declared lost"]);
}

#[tokio::test]
async fn an_event_about_nothing_known_changes_nothing() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let lent = lend(&stock, "1").await;
    let before = lent.loan(client).await;
    let events = [
        json!({}),
        json!({"loanId": "7"}),
        json!({"loanId": POLICY}),
        json!({"loanId": lent.loan, "feeFineId": POLICY}),
    ];
    for event in events {
        for handler in ["loan-related-fee-fine-closed", "fee-fine-balance-changed"] {
            let path = format!("/circulation/handlers/{handler}");
            let _ = client.post(&path, &event).await.expect(204);
        }
    }
    assert_eq!(lent.loan(client).await, before);
}
