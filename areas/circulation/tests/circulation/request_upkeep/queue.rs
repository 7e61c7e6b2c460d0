//! Queues of items and of titles: shown, and put into another order.

use serde_json::{Value, json};
use uuid::Uuid;

use super::super::support::{refused, sql};
use super::super::{IN, OUT, check_in, stocked};
use super::{REQUESTS, cancellation, holds, order, places, put, request, shown, titles};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, DVD, check_out};

const SEQUENTIAL: &str = "Positions must have sequential order.";

fn path(of: &str, id: &str) -> String {
    format!("{REQUESTS}/queue/{of}/{id}")
}

fn ids(queue: &Value) -> Vec<String> {
    let requests = queue["requests"].as_array().expect("requests");
    let ids = requests.iter().map(|one| one["id"].as_str());
    ids.map(|id| id.expect("an id").to_owned()).collect()
}

#[tokio::test]
async fn the_queue_of_an_item_is_shown_and_put_into_another_order() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let queue = holds(&stock, &item, "p", 4).await;
    let shown = client.get(&path("item", &item)).await.expect(200).json();
    assert_eq!(shown["totalRecords"], 4);
    assert_eq!(ids(&shown), queue);
    assert_eq!(shown["requests"][0]["requester"]["barcode"], "p-1");
    assert_eq!(shown["requests"][0]["item"]["barcode"], "i-1");
    let turned: Vec<String> = [3, 0, 1, 2].map(|at: usize| queue[at].clone()).to_vec();
    let reorder = format!("{}/reorder", path("item", &item));
    let answer = client
        .post(&reorder, &order(&turned))
        .await
        .expect(200)
        .json();
    assert_eq!(ids(&answer), turned);
    assert_eq!(answer["totalRecords"], 4);
    let all = [Some(2), Some(3), Some(4), Some(1)];
    assert_eq!(places(client, &queue).await, all);
    let action = "action==\"Queue position reordered\"";
    let logs = client.query("/audit-data/circulation/logs", action).await;
    let logs = logs.expect(200).json();
    assert_eq!(logs["totalRecords"], 4);
    let told: Vec<&str> = (0..4)
        .filter_map(|at| logs["logRecords"][at]["description"].as_str())
        .collect();
    assert!(
        told.contains(&"Type: Hold. New queue position: 1 (from: 4)."),
        "{told:?}"
    );
    let events = "SELECT jsonb_array_length(new->'requestIds')::bigint FROM tenant_diku.outbox
        WHERE topic = 'circulation.request-queue-reordering'";
    assert_eq!(sql(&library, events).await, [4]);
    // The same order again changes nothing and writes no event.
    let _ = client.post(&reorder, &order(&turned)).await.expect(200);
    assert_eq!(sql(&library, events).await, [4]);
    // Of nothing there is an empty queue, which has no order.
    let nothing = Uuid::new_v4().to_string();
    let empty = client.get(&path("item", &nothing)).await.expect(200).json();
    assert_eq!(empty, json!({"requests": [], "totalRecords": 0}));
    let none = format!("{}/reorder", path("item", &nothing));
    let answer = client.post(&none, &order(&turned)).await.expect(404);
    let sentence = format!("Item record with ID \"{nothing}\" cannot be found");
    assert_eq!(answer.text, sentence);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn an_order_that_does_not_fit_is_refused() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let queue = holds(&stock, &item, "p", 3).await;
    let reorder = format!("{}/reorder", path("item", &item));
    let at = |places: [Value; 3]| {
        let order = queue.iter().zip(places);
        let order: Vec<Value> = order
            .map(|(id, place)| json!({"id": id, "newPosition": place}))
            .collect();
        json!({"reorderedQueue": order})
    };
    for places in [[1, 2, 4], [0, 1, 2], [1, 1, 2], [2, 3, 4]] {
        let answer = client.post(&reorder, &at(places.map(Value::from))).await;
        let body = answer.expect(422).json();
        assert_eq!(body["errors"][0]["message"], SEQUENTIAL, "{places:?}");
        assert_eq!(body["errors"][0]["parameters"][0]["key"], "newPosition");
    }
    let answer = client
        .post(&reorder, &at([json!(1), json!(2), Value::Null]))
        .await;
    assert_eq!(
        answer.expect(422).json()["errors"][0]["message"],
        SEQUENTIAL
    );
    let inconsistent =
        "There is inconsistency between provided reordered queue and existing queue.";
    let stranger = Uuid::new_v4().to_string();
    for wrong in [
        order(&queue[..2]),
        order([&queue[0], &queue[1], &stranger]),
        order([&queue[0], &queue[1], &queue[1]]),
        json!({}),
    ] {
        let body = client.post(&reorder, &wrong).await.expect(422).json();
        assert_eq!(body["errors"][0]["message"], inconsistent);
    }
    // With titles an item has no queue of its own, and without them a title has none.
    let of_title = format!("{}/reorder", path("instance", &stock.instance));
    let answer = client.post(&of_title, &order(&queue)).await;
    let off = "Refuse to reorder request queue, TLR feature status is DISABLED.";
    refused(answer, off, "instanceId", &stock.instance);
    titles(client, true).await;
    let answer = client.post(&reorder, &order(&queue)).await;
    let on = "Refuse to reorder request queue, TLR feature status is ENABLED.";
    refused(answer, on, "itemId", &item);
    assert_eq!(places(client, &queue).await, [Some(1), Some(2), Some(3)]);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn pages_and_who_gets_the_item_stay_first() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item_of("i-1", DVD, "Paged").await;
    let who = stock.patron("p-0").await;
    let page = request(&stock, &item, &who, 1, json!({"requestType": "Page"})).await;
    let who = stock.patron("p-1").await;
    let hold = request(&stock, &item, &who, 2, json!({})).await;
    let reorder = format!("{}/reorder", path("item", &item));
    let body = client.post(&reorder, &order([&hold, &page])).await;
    let error = body.expect(422).json()["errors"][0]["message"].clone();
    assert_eq!(error, "Page requests can not be displaced from position 1.");
    let other = stock.item("i-2").await;
    let begun = json!({"status": "Open - In transit"});
    let who = stock.patron("p-2").await;
    let first = request(&stock, &other, &who, 1, begun).await;
    let who = stock.patron("p-3").await;
    let second = request(&stock, &other, &who, 2, json!({})).await;
    let reorder = format!("{}/reorder", path("item", &other));
    let body = client.post(&reorder, &order([&second, &first])).await;
    let error = body.expect(422).json()["errors"][0]["message"].clone();
    let sentence = "Requests can not be displaced from position 1 when fulfillment begun.";
    assert_eq!(error, sentence);
}

#[tokio::test]
async fn the_queue_of_a_title_is_one_over_its_items() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    titles(client, true).await;
    let one = stock.item_of("i-1", DVD, "In transit").await;
    let two = stock.item_of("i-2", DVD, "In transit").await;
    let mut queue = Vec::new();
    let titled = json!({"requestLevel": "Title", "itemId": null, "holdingsRecordId": null});
    for (place, item, more) in [
        (1, &one, json!({})),
        (2, &two, json!({})),
        (3, &one, titled.clone()),
        (4, &two, json!({})),
    ] {
        let who = stock.patron(&format!("p-{place}")).await;
        queue.push(request(&stock, item, &who, place, more).await);
    }
    let shown_queue = client.get(&path("instance", &stock.instance)).await;
    assert_eq!(ids(&shown_queue.expect(200).json()), queue);
    // The second item is returned: its request overtakes the one that waits for the other.
    let _ = client
        .post(IN, &check_in("i-2", CIRC_DESK_1))
        .await
        .expect(200);
    let now = [Some(2), Some(1), Some(3), Some(4)];
    assert_eq!(places(client, &queue).await, now);
    assert_in_order(&library).await;
    let reorder = format!("{}/reorder", path("instance", &stock.instance));
    let wrong = order([&queue[0], &queue[1], &queue[2], &queue[3]]);
    let body = client.post(&reorder, &wrong).await.expect(422).json();
    let sentence = "Requests can not be displaced from top positions when fulfillment begun.";
    assert_eq!(body["errors"][0]["message"], sentence);
    let right = order([&queue[1], &queue[2], &queue[3], &queue[0]]);
    let answer = client.post(&reorder, &right).await.expect(200).json();
    let expected = [1, 2, 3, 0].map(|at: usize| queue[at].clone());
    assert_eq!(ids(&answer), expected);
    // The first item is assigned to the title's request now, which is given the item.
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    let served = shown(client, &queue[2]).await;
    assert_eq!(served["status"], "Open - Awaiting pickup");
    assert_eq!(served["itemId"], json!(one));
    assert_in_order(&library).await;
    // It is lent to who asked: all after it move up, whatever item they are for.
    let _ = client.post(OUT, &check_out("i-2", "p-2")).await.expect(201);
    assert_eq!(
        places(client, &queue).await,
        [Some(3), None, Some(1), Some(2)]
    );
    let cancel = cancellation(client).await;
    let _ = put(client, &queue[2], cancel).await.expect(204);
    assert_eq!(places(client, &queue).await, [Some(2), None, None, Some(1)]);
    assert_in_order(&library).await;
}
