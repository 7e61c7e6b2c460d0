//! What a request costs: as many statements and round trips for the thousandth in a queue as for the
//! first.

use std::time::{Duration, Instant};

use octavo_trace::Tree;
use reqwest::Method;
use serde_json::json;

use super::*;
use crate::stocked;
use octavo_server_testkit::stock::DVD;
use octavo_server_testkit::traced;

/// Fills the queue of an item, in one statement.
async fn fill(library: &Library, stock: &Stock, item: &str, many: i32) {
    let sql = "INSERT INTO tenant_diku.request (id, jsonb)
        SELECT id, $1::jsonb || jsonb_build_object('id', id, 'position', number,
          'requesterId', gen_random_uuid(), 'status', 'Open - Not yet filled')
        FROM (SELECT gen_random_uuid() AS id, number
          FROM generate_series(1, $2::int) AS number) AS made";
    let like = asked(stock, "Hold", item, item);
    let database = &library.platform.store.database;
    database
        .execute(sql, &[&like, &many])
        .await
        .expect("a queue");
}

async fn traced_placing(client: &Client, body: &Value) -> Tree {
    let (answer, tree) = traced(client, Method::POST, REQUESTS, Some(body)).await;
    let _ = answer.expect(201);
    tree
}

#[tokio::test]
async fn a_long_queue_costs_no_more_than_a_short_one() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let mut costs = Vec::new();
    for (number, long) in [0, 0, 100, 1_000].into_iter().enumerate() {
        let item = stock.item_of(&format!("i-{number}"), DVD, "On order").await;
        fill(&library, &stock, &item, long).await;
        let first = stock.patron(&format!("p-{number}")).await;
        let tree = traced_placing(client, &asked(&stock, "Hold", &item, &first)).await;
        let summary = tree.summary;
        costs.push((summary.statements, summary.round_trips - summary.prepared));
        let mut slowest = Duration::ZERO;
        for round in 0..20 {
            let patron = stock.patron(&format!("p-{number}-{round}")).await;
            let body = asked(&stock, "Hold", &item, &patron);
            let begun = Instant::now();
            let placed = place(client, &body).await;
            slowest = slowest.max(begun.elapsed());
            assert_eq!(placed["position"], json!(long + 2 + round));
        }
        println!("a queue of {long}: {summary:?}, at most {slowest:?}");
    }
    // The first one reads rules and house.
    assert!(costs[1..].iter().all(|cost| *cost == (10, 3)), "{costs:?}");
}
