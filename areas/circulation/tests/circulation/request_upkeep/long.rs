//! A queue of a thousand: acts on it change what they must, and cost little.

use std::time::{Duration, Instant};

use super::super::support::sql;
use super::super::{IN, OUT, check_in, stocked};
use super::{REQUESTS, cancellation, change, holds, order, put, shown};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, check_out};

/// Far more than any of these takes, and far less than a thousand statements would.
const LIMIT: Duration = Duration::from_secs(10);

#[tokio::test]
async fn a_thousand_move_up_with_one_statement() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item_of("i-1", DVD, "In transit").await;
    let first = holds(&stock, &item, "p", 2).await;
    change(
        &library,
        &format!(
            "INSERT INTO tenant_diku.request (id, jsonb)
             SELECT made.id, request.jsonb || jsonb_build_object('id', made.id, 'position', made.at)
             FROM (SELECT gen_random_uuid() AS id, at FROM generate_series(3, 1000) AS at) AS made,
               tenant_diku.request AS request WHERE request.id = '{}'",
            first[1]
        ),
    )
    .await;
    change(&library, "ANALYZE tenant_diku.request").await;
    let began = Instant::now();
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    took("check-in", began);
    let began = Instant::now();
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    took("check-in again", began);
    assert_eq!(
        shown(client, &first[0]).await["status"],
        "Open - Awaiting pickup"
    );
    let began = Instant::now();
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    took("check-out", began);
    assert_eq!(shown(client, &first[1]).await["position"], 1);
    assert_in_order(&library).await;
    let cancel = cancellation(client).await;
    let began = Instant::now();
    let _ = put(client, &first[1], cancel).await.expect(204);
    took("cancellation", began);
    assert_in_order(&library).await;
    let path = format!("{REQUESTS}/queue/item/{item}");
    let queue = client.get(&path).await.expect(200).json();
    assert_eq!(queue["totalRecords"], 998);
    let ids = queue["requests"].as_array().expect("requests").iter();
    let ids: Vec<String> = ids
        .map(|one| one["id"].as_str().expect("an id").to_owned())
        .collect();
    let turned = order(ids.iter().rev());
    let began = Instant::now();
    let _ = client
        .post(&format!("{path}/reorder"), &turned)
        .await
        .expect(200);
    took("reordering", began);
    assert_eq!(shown(client, &ids[0]).await["position"], 998);
    assert_in_order(&library).await;
    let open = "SELECT count(*) FROM tenant_diku.request WHERE jsonb->>'status' LIKE 'Open%'";
    assert_eq!(sql(&library, open).await, [998]);
}

fn took(what: &str, began: Instant) {
    let took = began.elapsed();
    println!("{what} on a queue of 1,000: {took:?}");
    assert!(took < LIMIT, "{what} took {took:?}");
}
