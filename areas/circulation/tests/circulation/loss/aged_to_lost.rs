//! Loans that age to lost, and what follows when the delay of their policy is over.

use serde_json::json;

use super::*;

#[tokio::test]
async fn an_overdue_loan_ages_is_billed_and_ends_when_it_costs_nothing() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let later = json!({"duration": 1, "intervalId": "Days"});
    let free = json!({"itemAgedLostOverdue": minute(), "patronBilledAfterAgedLost": later});
    charge(client, free).await;
    let lent = lend(&stock, "1").await;
    run(&library.platform, AGE).await;
    run(&library.platform, AGE).await;
    let loan = lent.loan(client).await;
    assert_eq!(loan["status"]["name"], "Open");
    let billing = &loan["agedToLostDelayedBilling"];
    assert_eq!(billing["lostItemHasBeenBilled"], false);
    let date = |name: &str| -> jiff::Timestamp {
        billing[name]
            .as_str()
            .expect("a date")
            .parse()
            .expect("a date")
    };
    let delay = date("dateLostItemShouldBeBilled").duration_since(date("agedToLostDate"));
    assert_eq!(delay.as_hours(), 24);
    assert_eq!(lent.item_status(client).await, "Aged to lost");
    assert_eq!(
        told(&library, "ITEM_AGED_TO_LOST").await,
        [lent.loan.as_str()]
    );
    let line = "Loan, Age to lost, p-1, i-1, Due date: 2025-04-02T23:59:59.000+00:00";
    assert_eq!(logged(&library).await, [line]);

    // Not before its time.
    run(&library.platform, BILL).await;
    assert_eq!(lent.loan(client).await, loan);
    let mut due = loan.clone();
    due["agedToLostDelayedBilling"]["dateLostItemShouldBeBilled"] = json!("2026-01-01T00:00:00Z");
    let path = format!("/loan-storage/loans/{}", lent.loan);
    let _ = client.put(&path, &due).await.expect(204);
    run(&library.platform, BILL).await;
    run(&library.platform, BILL).await;
    let loan = lent.loan(client).await;
    assert_eq!(
        loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
        true
    );
    assert_eq!(lent.item_status(client).await, "Lost and paid");
    assert_eq!(told(&library, "LOAN_CLOSED").await, [lent.loan.as_str()]);
    assert_eq!(
        lent.history(&library).await,
        [
            "checkedout, Checked out",
            "itemAgedToLost, Aged to lost",
            "itemAgedToLost, Aged to lost",
            "closedLoan, Lost and paid"
        ]
    );
}

#[tokio::test]
async fn each_loan_ages_by_its_own_kind_of_period() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let far = json!({"duration": 400, "intervalId": "Months"});
    charge(
        client,
        json!({"itemAgedLostOverdue": far, "recalledItemAgedLostOverdue": minute()}),
    )
    .await;
    let (usual, recalled) = (lend(&stock, "1").await, lend(&stock, "2").await);
    let mut loan = recalled.loan(client).await;
    loan["dueDateChangedByRecall"] = json!(true);
    let path = format!("/loan-storage/loans/{}", recalled.loan);
    let _ = client.put(&path, &loan).await.expect(204);
    run(&library.platform, AGE).await;
    assert_eq!(usual.item_status(client).await, "Checked out");
    assert_eq!(recalled.item_status(client).await, "Aged to lost");
    // A policy without periods ages nothing.
    charge(client, json!({})).await;
    run(&library.platform, AGE).await;
    assert_eq!(usual.item_status(client).await, "Checked out");
}

#[tokio::test]
async fn lost_claimed_and_returned_items_do_not_age() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    let mut policy = actual_cost();
    policy["itemAgedLostOverdue"] = minute();
    charge(client, policy).await;
    let (lost, claimed) = (lend(&stock, "1").await, lend(&stock, "2").await);
    let (returned, kept) = (lend(&stock, "3").await, lend(&stock, "4").await);
    lost.declare_lost(client).await;
    claimed.claim(client).await;
    let _ = client
        .post(IN, &check_in("i-3", CIRC_DESK_1))
        .await
        .expect(200);
    run(&library.platform, AGE).await;
    let table = [
        (lost, "Declared lost"),
        (claimed, "Claimed returned"),
        (returned, "Available"),
        (kept, "Aged to lost"),
    ];
    for (lent, status) in table {
        assert_eq!(lent.item_status(client).await, status);
    }
}

#[tokio::test]
async fn an_aged_item_that_comes_back_is_not_billed() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    charge(client, json!({"itemAgedLostOverdue": minute()})).await;
    let lent = lend(&stock, "1").await;
    run(&library.platform, AGE).await;
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    run(&library.platform, BILL).await;
    let loan = lent.loan(client).await;
    assert_eq!(loan["action"], "checkedin");
    let billing = loan["agedToLostDelayedBilling"].as_object().expect("it");
    assert_eq!(billing.keys().collect::<Vec<_>>(), ["agedToLostDate"]);
    assert_eq!(lent.item_status(client).await, "Available");
}

#[tokio::test]
async fn whoever_is_billed_owes_until_staff_know_the_cost() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let mut policy = actual_cost();
    policy["itemAgedLostOverdue"] = minute();
    charge(client, policy).await;
    let lent = lend(&stock, "1").await;
    run(&library.platform, AGE).await;
    // Nobody to owe it to: the loan waits.
    run(&library.platform, BILL).await;
    let loan = lent.loan(client).await;
    assert_eq!(
        loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
        false
    );
    let owner = owner(client).await;
    run(&library.platform, BILL).await;
    run(&library.platform, BILL).await;
    let loan = lent.loan(client).await;
    assert_eq!(
        loan["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
        true
    );
    assert_eq!(loan["status"]["name"], "Open");
    assert_eq!(
        lent.history(&library).await,
        [
            "checkedout, Checked out",
            "itemAgedToLost, Aged to lost",
            ", Aged to lost"
        ]
    );
    assert_eq!(lent.actual_costs(&library).await, ["Open, Aged to lost"]);
    let records = client
        .query(
            "/actual-cost-record-storage/actual-cost-records",
            &format!("loan.id=={}", lent.loan),
        )
        .await
        .expect(200)
        .json();
    let record = &records["actualCostRecords"][0];
    assert_eq!(
        record["lossDate"],
        loan["agedToLostDelayedBilling"]["agedToLostDate"]
    );
    assert_eq!(record["user"]["lastName"], "Brooke");
    assert_eq!(record["user"]["patronGroup"], "undergrad");
    assert_eq!(record["item"]["barcode"], "i-1");
    assert_eq!(record["item"]["materialType"], "dvd");
    assert_eq!(record["item"]["loanType"], "Can circulate");
    assert_eq!(record["item"]["permanentLocation"], "Stacks");
    let call_number = &record["item"]["effectiveCallNumberComponents"]["callNumber"];
    assert_eq!(call_number, "PR4662 .A1");
    assert_eq!(record["instance"]["title"], "Middlemarch");
    assert_eq!(
        record["instance"]["contributors"][0]["name"],
        "Eliot, George"
    );
    assert_eq!(record["feeFine"]["ownerId"], json!(owner));
    assert_eq!(record["feeFine"]["type"], "Lost item fee (actual cost)");
    // It is a record that clients may store again.
    let id = record["id"].as_str().expect("an id");
    let path = format!("/actual-cost-record-storage/actual-cost-records/{id}");
    let _ = client.put(&path, record).await.expect(204);
    // Declared lost after all: another record takes its place.
    lent.declare_lost(client).await;
    assert_eq!(
        lent.actual_costs(&library).await,
        [
            "Cancelled, Aged to lost, Aged to lost item was declared lost",
            "Open, Declared lost"
        ]
    );
}
