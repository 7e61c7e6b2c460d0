//! Concurrent operations on the same accounts: no cent is taken twice or lost, and none deadlocks.

use futures_util::future::join_all;
use octavo_testkit::Client;
use serde_json::json;

use super::{act, all_by, by, charge, history, in_order, stored};
use octavo_server_testkit::library;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_account_that_many_pay_is_paid_once() {
    let library = library().await;
    let client = library.client().await;
    for _ in 0..10 {
        let id = charge(&client, 10.0).await;
        let body = by("10");
        let answers = join_all((0..8).map(|_| act(&client, &id, "pay", &body))).await;
        let mut paid = 0;
        for answer in answers {
            match answer.status {
                201 => paid += 1,
                _ => assert_eq!(
                    answer.expect(422).json()["errorMessage"],
                    "Fee/fine is already closed"
                ),
            }
        }
        assert_eq!(paid, 1);
        assert_eq!(history(&client, &id).await, ["Paid fully 10.0 0.0"]);
    }
    in_order(&library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn balances_agree_with_actions_whatever_is_done_at_once() {
    const ROUNDS: usize = 100;
    let library = library().await;
    let client = library.client().await;
    let mut ids = Vec::new();
    for amount in [50.0, 20.0, 70.0] {
        ids.push(charge(&client, amount).await);
    }
    let desks = (0..6).map(|desk| {
        let (client, ids) = (client.clone(), ids.clone());
        tokio::spawn(async move { work(&client, &ids, desk, ROUNDS).await })
    });
    let mut done = 0;
    for desk in join_all(desks).await {
        done += desk.expect("the desk ends");
    }
    assert!(done >= ROUNDS, "{done} acts took place");
    in_order(&library).await;
    let mut actions = 0;
    for id in &ids {
        let recorded = history(&client, id).await;
        actions += recorded.len();
        let account = stored(&client, id).await;
        let remaining = account["remaining"].as_f64().expect("a number");
        let amount = account["amount"].as_f64().expect("a number");
        assert!((0.0..=amount).contains(&remaining), "{account}");
        let closed = account["status"]["name"] == "Closed";
        assert_eq!(closed, remaining == 0.0, "{account}");
    }
    assert!(
        actions > done,
        "bulk acts write one action for each account"
    );
}

/// Does what a number says, over and over; returns how many acts took place.
async fn work(client: &Client, ids: &[String], desk: usize, rounds: usize) -> usize {
    let mut done = 0;
    for round in 0..rounds {
        let number = round * 7 + desk * 5;
        let id = &ids[number % ids.len()];
        let cents = 7 + number % 93;
        let amount = format!("0.{cents:02}");
        // Some name the accounts in one order, some in the other.
        let mut order: Vec<&str> = ids.iter().map(String::as_str).collect();
        if desk.is_multiple_of(2) {
            order.reverse();
        }
        let answer = match number % 6 {
            0 => act(client, id, "pay", &by(&amount)).await,
            1 => act(client, id, "waive", &by(&amount)).await,
            2 => act(client, id, "refund", &by(&amount)).await,
            3 => {
                client
                    .post("/accounts-bulk/pay", &all_by(&order, "1.55"))
                    .await
            }
            4 => {
                client
                    .post("/accounts-bulk/refund", &all_by(&order, "1.37"))
                    .await
            }
            _ => {
                client
                    .post("/accounts-bulk/transfer", &all_by(&order, "0.02"))
                    .await
            }
        };
        match answer.status {
            201 => done += 1,
            _ => assert!(answer.expect(422).json()["errorMessage"].is_string()),
        }
    }
    done
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn bulk_acts_in_opposite_order_do_not_wait_for_each_other() {
    let library = library().await;
    let client = library.client().await;
    let mut ids = Vec::new();
    for _ in 0..20 {
        ids.push(charge(&client, 100.0).await);
    }
    let forth: Vec<&str> = ids.iter().map(String::as_str).collect();
    let back: Vec<&str> = ids.iter().rev().map(String::as_str).collect();
    for _ in 0..10 {
        let acts = (0..6).map(|number| {
            let ids = if number % 2 == 0 { &forth } else { &back };
            let body = all_by(ids, "20");
            let client = &client;
            async move { client.post("/accounts-bulk/pay", &body).await }
        });
        for answer in join_all(acts).await {
            let _ = answer.expect(201);
        }
    }
    // 60 times 20 over 20 accounts, a dollar each time.
    for id in &ids {
        assert_eq!(stored(&client, id).await["remaining"], json!(40.0));
    }
    in_order(&library).await;
}
