//! Acts on one queue at the same time: they happen one after the other, and no place is lost.

use futures_util::future::join;
use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

use super::super::support::{sql, timer};
use super::super::{IN, OUT, check_in, stocked};
use super::{REQUESTS, cancellation, change, holds, order, shown, titles};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, Stock, check_out};

const ROUNDS: usize = 150;
const EXPIRE: &str = "/scheduled-request-expiration";

/// A queue of holds for an item that is on its way, which can be made again.
struct Race {
    library: Library,
    stock: Stock,
    item: String,
    ids: Vec<String>,
    open: Vec<Value>,
}

impl Race {
    async fn new(many: u64) -> Race {
        let (library, stock) = stocked().await;
        let item = stock.item_of("i-1", DVD, "In transit").await;
        let ids = holds(&stock, &item, "p", many).await;
        let mut open = Vec::new();
        for id in &ids {
            open.push(shown(&stock.client, id).await);
        }
        Race {
            library,
            stock,
            item,
            ids,
            open,
        }
    }

    /// All wait again, in the first order, and the item is on its way.
    async fn again(&self, status: &str) {
        let ids: Vec<String> = self.ids.iter().map(|id| format!("'{id}'")).collect();
        let sql = format!(
            "WITH anew AS (SELECT * FROM unnest(ARRAY[{}]::uuid[]) WITH ORDINALITY AS _(id, at)),
             item AS (UPDATE tenant_diku.item SET jsonb =
               jsonb_set(jsonb, '{{status,name}}', '\"{status}\"') WHERE id = '{}')
             UPDATE tenant_diku.request AS request SET jsonb = (request.jsonb
               - 'holdShelfExpirationDate' - 'cancellationReasonId' - 'requestExpirationDate')
               || jsonb_build_object('status', 'Open - Not yet filled', 'position', at)
             FROM anew WHERE request.id = anew.id",
            ids.join(","),
            self.item
        );
        change(
            &self.library,
            "UPDATE tenant_diku.request SET jsonb = jsonb - 'position'",
        )
        .await;
        change(&self.library, &sql).await;
    }

    /// The places of those that wait, in their order.
    async fn places(&self) -> Vec<i64> {
        let open = "SELECT (jsonb->>'position')::bigint FROM tenant_diku.request
            WHERE jsonb->>'status' LIKE 'Open%' ORDER BY 1";
        sql(&self.library, open).await
    }

    /// As many wait as are said, without a gap.
    async fn waiting(&self, many: i64) {
        assert_eq!(self.places().await, (1..=many).collect::<Vec<_>>());
    }

    fn reorder_path(&self) -> String {
        format!("{REQUESTS}/queue/item/{}/reorder", self.item)
    }

    async fn cancel(&self, at: usize, cancel: &Value) -> Answer {
        let mut request = self.open[at].clone();
        let more = cancel.as_object().expect("properties").clone();
        request.as_object_mut().expect("a request").extend(more);
        let path = format!("{REQUESTS}/{}", self.ids[at]);
        self.stock.client.put(&path, &request).await
    }
}

async fn take_in(client: &Client) -> Answer {
    client.post(IN, &check_in("i-1", CIRC_DESK_1)).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_new_order_comes_before_the_check_in_or_is_refused() {
    let race = Race::new(4).await;
    let client = &race.stock.client;
    let path = race.reorder_path();
    let turned = order(race.ids.iter().rev());
    let (mut before, mut after) = (0, 0);
    for round in 0..ROUNDS {
        race.again("In transit").await;
        let (ordered, taken) = if round % 2 == 0 {
            join(client.post(&path, &turned), take_in(client)).await
        } else {
            let (taken, ordered) = join(take_in(client), client.post(&path, &turned)).await;
            (ordered, taken)
        };
        let _ = taken.expect(200);
        race.waiting(4).await;
        let at = if ordered.status == 200 {
            before += 1;
            3
        } else {
            let _ = ordered.expect(422);
            after += 1;
            0
        };
        let first = shown(client, &race.ids[at]).await;
        assert_eq!(first["status"], "Open - Awaiting pickup");
        assert_eq!(first["position"], 1);
    }
    assert!(before > 0 && after > 0, "{before} before, {after} after");
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_orders_one_comes_last_as_a_whole() {
    let race = Race::new(5).await;
    let client = &race.stock.client;
    let path = race.reorder_path();
    let one: Vec<String> = race.ids.iter().rev().cloned().collect();
    let two: Vec<String> = [2, 0, 4, 1, 3]
        .map(|at: usize| race.ids[at].clone())
        .to_vec();
    for _ in 0..ROUNDS {
        let (one_order, two_order) = (order(&one), order(&two));
        let orders = join(
            client.post(&path, &one_order),
            client.post(&path, &two_order),
        )
        .await;
        let _ = (orders.0.expect(200), orders.1.expect(200));
        let queue = format!("{REQUESTS}/queue/item/{}", race.item);
        let queue = client.get(&queue).await.expect(200).json();
        let now: Vec<String> = (0..5)
            .filter_map(|at| queue["requests"][at]["id"].as_str().map(str::to_owned))
            .collect();
        assert!(now == one || now == two, "{now:?}");
        race.waiting(5).await;
    }
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_who_leave_a_queue_leave_no_gap() {
    let race = Race::new(6).await;
    let cancel = cancellation(&race.stock.client).await;
    for round in 0..ROUNDS {
        race.again("In transit").await;
        let (first, second) = (round % 6, (round + 1 + round / 6 % 5) % 6);
        let both = join(race.cancel(first, &cancel), race.cancel(second, &cancel)).await;
        let _ = (both.0.expect(204), both.1.expect(204));
        race.waiting(4).await;
    }
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancelled_request_gets_no_item_or_had_it_before() {
    let race = Race::new(3).await;
    let client = &race.stock.client;
    let cancel = cancellation(client).await;
    let (mut next, mut shelf) = (0, 0);
    for round in 0..ROUNDS {
        race.again("In transit").await;
        let (cancelled, taken) = if round % 2 == 0 {
            join(race.cancel(0, &cancel), take_in(client)).await
        } else {
            let (taken, cancelled) = join(take_in(client), race.cancel(0, &cancel)).await;
            (cancelled, taken)
        };
        let _ = (cancelled.expect(204), taken.expect(200));
        race.waiting(2).await;
        // Either it is assigned to the next request, or it stays on the shelf until it is cleared.
        let second = shown(client, &race.ids[1]).await;
        match second["status"].as_str() {
            Some("Open - Awaiting pickup") => next += 1,
            _ => shelf += 1,
        }
        assert_eq!(super::status(client, &race.item).await, "Awaiting pickup");
        if round % 25 == 0 {
            assert_in_order(&race.library).await;
        }
    }
    assert!(next > 0 && shelf > 0, "{next} to the next, {shelf} left");
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_request_is_filled_or_cancelled_and_never_both() {
    let race = Race::new(3).await;
    let client = &race.stock.client;
    let cancel = cancellation(client).await;
    let (mut filled, mut cancelled) = (0, 0);
    for round in 0..ROUNDS {
        race.again("In transit").await;
        let _ = take_in(client).await.expect(200);
        let lend = check_out("i-1", "p-1");
        let (lent, left) = if round % 2 == 0 {
            join(client.post(OUT, &lend), race.cancel(0, &cancel)).await
        } else {
            let (left, lent) = join(race.cancel(0, &cancel), client.post(OUT, &lend)).await;
            (lent, left)
        };
        race.waiting(2).await;
        let first = shown(client, &race.ids[0]).await["status"].clone();
        match left.status {
            204 => {
                cancelled += 1;
                assert_eq!(first, "Closed - Cancelled");
                // The next request in the queue precedes the cancelled one.
                let _ = lent.expect(422);
            }
            _ => {
                filled += 1;
                let _ = left.expect(422);
                let _ = lent.expect(201);
                assert_eq!(first, "Closed - Filled");
                let back = json!("Awaiting pickup");
                let answer = take_in(client).await.expect(200).json();
                assert_eq!(answer["item"]["status"]["name"], back);
            }
        }
    }
    assert!(filled > 0 && cancelled > 0, "{filled}, {cancelled}");
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_expires_beside_a_check_in_gets_nothing_or_keeps_what_it_has() {
    let race = Race::new(3).await;
    let client = &race.stock.client;
    for round in 0..ROUNDS {
        race.again("In transit").await;
        let late = format!(
            "UPDATE tenant_diku.request SET jsonb = jsonb
               || '{{\"requestExpirationDate\": \"2026-01-01T00:00:00.000+00:00\"}}'
             WHERE id = '{}'",
            race.ids[0]
        );
        change(&race.library, &late).await;
        let expire = timer(&race.library, &race.library.platform, EXPIRE);
        let (expired, taken) = join(expire, take_in(client)).await;
        assert_eq!(expired, 204);
        let _ = taken.expect(200);
        let first = shown(client, &race.ids[0]).await;
        let second = shown(client, &race.ids[1]).await;
        // On the shelf it has until the end of the shelf, so that nothing more expires.
        match first["status"].as_str() {
            Some("Closed - Unfilled") => {
                assert_eq!(second["status"], "Open - Awaiting pickup");
                race.waiting(2).await;
            }
            status => {
                assert_eq!(status, Some("Open - Awaiting pickup"));
                race.waiting(3).await;
            }
        }
        if round % 25 == 0 {
            assert_in_order(&race.library).await;
        }
    }
    assert_in_order(&race.library).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_items_of_one_title_come_back_at_once() {
    let race = Race::new(3).await;
    let client = &race.stock.client;
    titles(client, true).await;
    let _ = race.stock.item_of("i-2", DVD, "In transit").await;
    let other = "UPDATE tenant_diku.item SET jsonb =
        jsonb_set(jsonb, '{status,name}', '\"In transit\"') WHERE jsonb->>'barcode' = 'i-2'";
    let whole = "UPDATE tenant_diku.request SET jsonb = (jsonb - 'itemId' - 'holdingsRecordId')
        || '{\"requestLevel\": \"Title\"}'";
    let cancel = cancellation(client).await;
    for _ in 0..ROUNDS {
        race.again("In transit").await;
        change(&race.library, other).await;
        change(&race.library, whole).await;
        let second = check_in("i-2", CIRC_DESK_1);
        let mut third = race.open[2].clone();
        let more = cancel.as_object().expect("properties").clone();
        third.as_object_mut().expect("a request").extend(more);
        let path = format!("{REQUESTS}/{}", race.ids[2]);
        let (taken, left) = join(
            join(take_in(client), client.post(IN, &second)),
            client.put(&path, &third),
        )
        .await;
        let _ = (taken.0.expect(200), taken.1.expect(200), left.expect(204));
        race.waiting(2).await;
        for id in &race.ids[..2] {
            assert_eq!(shown(client, id).await["status"], "Open - Awaiting pickup");
        }
    }
    assert_in_order(&race.library).await;
}
