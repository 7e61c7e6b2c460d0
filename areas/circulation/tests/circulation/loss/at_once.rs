//! Timers of two processes, and desks beside them: each loan ages once, and never one that came
//! back.

use futures_util::future::join_all;
use serde_json::json;

use super::*;
use crate::support::{beside, lend_more};

const LOANS: usize = 400;

/// Lends many items in one statement, all overdue for long.
async fn lend_many(library: &Library, stock: &Stock) {
    let first = lend(stock, "0").await;
    lend_more(library, &first.item, &first.loan, LOANS - 1).await;
}

async fn count(library: &Library, condition: &str) -> usize {
    let sql = format!(
        "SELECT count(*)::text FROM tenant_diku.loan AS loan
           JOIN tenant_diku.item AS item ON item.id = (loan.jsonb->>'itemId')::uuid
           LEFT JOIN LATERAL (SELECT count(*) AS times,
               count(*) FILTER (WHERE jsonb->'loan'->>'action' = 'itemAgedToLost') AS agings
             FROM tenant_diku.audit_loan WHERE jsonb->'loan'->>'id' = loan.id::text) AS history
             ON true
         WHERE {condition}"
    );
    let found = texts(library, &sql, &[]).await;
    found[0].parse().expect("a number")
}

const AGED: &str = "loan.jsonb->'status'->>'name' = 'Open'
  AND loan.jsonb->>'action' = 'itemAgedToLost' AND item.jsonb->'status'->>'name' = 'Aged to lost'
  AND history.agings = 1 AND history.times = 2";
const RETURNED: &str = "loan.jsonb->'status'->>'name' = 'Closed'
  AND loan.jsonb->>'action' = 'checkedin' AND item.jsonb->'status'->>'name' = 'Available'
  AND history.agings < 2 AND history.times = 2 + history.agings";

#[tokio::test]
async fn two_processes_and_the_desks_age_each_loan_once_and_none_that_came_back() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    charge(client, json!({"itemAgedLostOverdue": minute()})).await;
    lend_many(&library, &stock).await;
    let other = beside(&library, client).await;
    let elsewhere = client.at(other.address);
    // Every fourth item is returned, at one desk or the other.
    let returns = |desk: usize| {
        let client = if desk == 0 { client } else { &elsewhere };
        async move {
            for number in (desk * 4..LOANS).step_by(8) {
                let body = check_in(&format!("i-{number}"), CIRC_DESK_1);
                let _ = client.post(IN, &body).await.expect(200);
            }
        }
    };
    tokio::join!(
        returns(0),
        returns(1),
        run(&library.platform, AGE),
        run(&other.platform, AGE),
        run(&other.platform, AGE),
    );
    // What desks held just then is left for the next run.
    run(&library.platform, AGE).await;
    let (aged, returned) = (count(&library, AGED).await, count(&library, RETURNED).await);
    assert_eq!((aged, returned), (LOANS - LOANS / 4, LOANS / 4));
    let mut told = told(&library, "ITEM_AGED_TO_LOST").await;
    let agings = count(&library, "history.agings = 1").await;
    assert_eq!(told.len(), agings);
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), agings);

    // The same with the bills: nothing is charged, so the loans end, each once.
    tokio::join!(run(&library.platform, BILL), run(&other.platform, BILL));
    run(&library.platform, BILL).await;
    let closed = "loan.jsonb->>'action' = 'closedLoan' AND history.times = 3
      AND item.jsonb->'status'->>'name' = 'Lost and paid'";
    assert_eq!(count(&library, closed).await, LOANS - LOANS / 4);
}

#[tokio::test]
async fn a_run_waits_for_nobody_and_the_next_goes_on() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    charge(client, json!({"itemAgedLostOverdue": minute()})).await;
    let (held, free) = (lend(&stock, "1").await, lend(&stock, "2").await);
    let database = &library.platform.store.database;
    let transaction = database.transaction().await.expect("a transaction");
    let hold = "SELECT id FROM tenant_diku.item WHERE id = $1::text::uuid FOR NO KEY UPDATE";
    let _ = transaction.query(hold, &[&held.item]).await.expect("held");
    run(&library.platform, AGE).await;
    assert_eq!(free.item_status(client).await, "Aged to lost");
    assert_eq!(held.item_status(client).await, "Checked out");
    transaction.commit().await.expect("let go");
    run(&library.platform, AGE).await;
    assert_eq!(held.item_status(client).await, "Aged to lost");
}

#[tokio::test]
async fn of_two_who_declare_an_item_lost_one_is_told_that_it_is_lost() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    let lent = lend(&stock, "1").await;
    let body = json!({"servicePointId": CIRC_DESK_1});
    let path = format!("/circulation/loans/{}/declare-item-lost", lent.loan);
    let answers = join_all((0..6).map(|_| client.post(&path, &body))).await;
    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 422, 422, 422, 422, 422]);
    assert_eq!(lent.history(&library).await.len(), 2);
    assert_eq!(lent.actual_costs(&library).await.len(), 1);
}

#[tokio::test]
async fn an_item_is_returned_or_lost_whoever_comes_first() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let _ = owner(client).await;
    charge(client, actual_cost()).await;
    for name in ["1", "2", "3", "4", "5", "6"] {
        let lent = lend(&stock, name).await;
        let body = json!({"servicePointId": CIRC_DESK_1});
        let back = check_in(&format!("i-{name}"), CIRC_DESK_1);
        let (lost, back) = tokio::join!(
            lent.act(client, "declare-item-lost", body),
            client.post(IN, &back),
        );
        let _ = back.expect(200);
        // Lost and then back, or back and then not to be lost any more.
        assert_eq!(lent.item_status(client).await, "Available");
        assert_eq!(lent.loan(client).await["action"], "checkedin");
        let (changes, records) = match lost.status {
            204 => (3, vec!["Cancelled, Declared lost, Lost item was returned"]),
            422 => (2, vec![]),
            other => panic!("{other}: {}", lost.text),
        };
        assert_eq!(lent.history(&library).await.len(), changes);
        assert_eq!(lent.actual_costs(&library).await, records);
    }
}
