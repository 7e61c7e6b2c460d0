//! Requests that go to another item of their title.

use octavo_testkit::Answer;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::{IN, OUT, check_in, stocked};
use octavo_server_testkit::assert_in_order;
use octavo_server_testkit::stock::{CIRC_DESK_1, check_out};

async fn move_to(client: &Client, request: &Value, item: &str, kind: Option<&str>) -> Answer {
    let id = request["id"].as_str().expect("an id");
    let mut body = json!({"destinationItemId": item});
    if let Some(kind) = kind {
        body["requestType"] = json!(kind);
    }
    client.post(&format!("{REQUESTS}/{id}/move"), &body).await
}

#[tokio::test]
async fn a_request_leaves_one_queue_and_enters_another() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let mut items = Vec::new();
    for number in 0..2 {
        items.push(stock.item(&format!("i-{number}")).await);
        let _ = stock.patron(&format!("p-{number}")).await;
        let lent = check_out(&format!("i-{number}"), &format!("p-{number}"));
        let _ = client.post(OUT, &lent).await.expect(201);
    }
    let mut queue = Vec::new();
    for number in 0..12 {
        let requester = stock.patron(&format!("r-{number}")).await;
        let item = &items[usize::from(number >= 10)];
        queue.push(place(client, &asked(&stock, "Hold", item, &requester)).await);
    }
    let before = told(&library, "circulation.request").await.len();
    let moved = move_to(client, &queue[3], &items[1], Some("Recall")).await;
    let moved = moved.expect(200).json();
    assert_eq!(moved["itemId"], json!(items[1]));
    assert_eq!(
        (&moved["position"], &moved["requestType"]),
        (&json!(3), &json!("Recall"))
    );
    let first = places(client, &format!("itemId=={}", items[0])).await;
    assert_eq!(first, (1..=9).collect::<Vec<u64>>());
    // Those after keep their order.
    for (place, request) in (4..=9).zip(&queue[4..10]) {
        let path = format!("{STORED}/{}", request["id"].as_str().expect("an id"));
        let now = client.get(&path).await.expect(200).json();
        assert_eq!(now["position"], json!(place));
        assert_eq!(
            now["metadata"]["createdDate"],
            request["metadata"]["createdDate"]
        );
    }
    let events = told(&library, "circulation.request").await;
    assert_eq!(events.len(), before + 1);
    assert_eq!(events[before].0, "UPDATE");
    let order = told(&library, "circulation.request-queue-reordering").await;
    let moved_up = &order.last().expect("an event").1["requestIds"];
    assert_eq!(moved_up.as_array().map(Vec::len), Some(6));
    let stored = client
        .get(&format!(
            "{STORED}/{}",
            moved["id"].as_str().expect("an id")
        ))
        .await;
    assert_eq!(stored.expect(200).json()["item"]["barcode"], "i-1");
    let log = log(&library).await;
    let (action, told) = log.last().expect("a line");
    assert_eq!(action, "Moved");
    assert_eq!(told, "Type: Recall. New item barcode: i-1 (from: i-0).");
    // The loan of the item that it is for now is recalled, and no other.
    let loans = client
        .query("/loan-storage/loans", "action==recallrequested")
        .await;
    let loans = loans.expect(200).json();
    assert_eq!(loans["totalRecords"], 1);
    assert_eq!(loans["loans"][0]["itemId"], json!(items[1]));
    assert_in_order(&library).await;
}

#[tokio::test]
async fn pages_take_items_from_the_shelf_and_give_them_back() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let (first, second) = (stock.item("i-1").await, stock.item("i-2").await);
    let requester = stock.patron("p-1").await;
    let page = place(client, &asked(&stock, "Page", &first, &requester)).await;
    // What is on the shelf is paged, whatever was asked for.
    let moved = move_to(client, &page, &second, Some("Hold"))
        .await
        .expect(200);
    assert_eq!(moved.json()["requestType"], "Page");
    assert_eq!(status(client, &first).await, "Available");
    assert_eq!(status(client, &second).await, "Paged");
    let other = stock.patron("p-2").await;
    let hold = place(client, &asked(&stock, "Hold", &second, &other)).await;
    let _ = move_to(client, &page, &first, None).await.expect(200);
    // Somebody waits for it still.
    assert_eq!(status(client, &second).await, "Paged");
    assert_eq!(places(client, &format!("itemId=={second}")).await, [1]);
    let _ = move_to(client, &hold, &first, None).await.expect(200);
    assert_eq!(places(client, &format!("itemId=={first}")).await, [1, 2]);
    assert_in_order(&library).await;
}

#[tokio::test]
async fn what_stands_against_a_move() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let (first, second) = (stock.item("i-1").await, stock.item("i-2").await);
    let requester = stock.patron("p-1").await;
    let page = place(client, &asked(&stock, "Page", &first, &requester)).await;
    let nothing = json!({"id": Uuid::new_v4()});
    let missing = move_to(client, &nothing, &second, None).await.expect(404);
    let id = nothing["id"].as_str().expect("an id");
    assert_eq!(
        missing.text,
        format!("request record with ID \"{id}\" cannot be found")
    );
    assert_eq!(
        only(move_to(client, &page, &first, None).await),
        "Page requests are not allowed for this patron and item combination"
    );
    let error = &errors(move_to(client, &page, &first, Some("Hold")).await)[0];
    assert_eq!(error["code"], "ITEM_ALREADY_REQUESTED");
    let other = "Request can only be moved to an item with the same instance ID";
    let unknown = Uuid::new_v4().to_string();
    assert_eq!(only(move_to(client, &page, &unknown, None).await), other);
    let title = json!({"title": "Romola", "source": "local",
        "instanceTypeId": "6312d172-f0cf-40f6-b27d-9fa8feaf332f"});
    let title = client
        .post("/instance-storage/instances", &title)
        .await
        .expect(201)
        .json();
    let path = format!("/holdings-storage/holdings/{}", stock.holdings);
    let mut holdings = client.get(&path).await.expect(200).json();
    for name in ["id", "hrid", "_version", "metadata"] {
        let _ = holdings.as_object_mut().expect("an object").remove(name);
    }
    holdings["instanceId"] = title["id"].clone();
    let holdings = client.post("/holdings-storage/holdings", &holdings).await;
    let elsewhere = Stock {
        holdings: holdings.expect(201).json()["id"]
            .as_str()
            .expect("an id")
            .to_owned(),
        ..stock.clone()
    };
    let romola = elsewhere.item("i-9").await;
    let error = &errors(move_to(client, &page, &romola, None).await)[0];
    assert_eq!(error["message"], other);
    assert_eq!(parameter(error, "itemId"), &json!(romola));
    assert_eq!(parameter(error, "instanceId"), &title["id"]);
    // What the requester has, and what cannot be asked for.
    let _ = client.post(OUT, &check_out("i-2", "p-1")).await.expect(201);
    let error = &errors(move_to(client, &page, &second, Some("Hold")).await)[0];
    assert_eq!(error["code"], "REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN");
    let withdrawn = stock
        .item_of("i-3", octavo_server_testkit::stock::DVD, "Withdrawn")
        .await;
    let error = &errors(move_to(client, &page, &withdrawn, Some("Hold")).await)[0];
    assert_eq!(
        error["code"],
        "REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION"
    );
    // The item is there for it: then it stays, and so does what is closed.
    let _ = client
        .post(IN, &check_in("i-1", CIRC_DESK_1))
        .await
        .expect(200);
    let third = stock.item("i-4").await;
    let error = only(move_to(client, &page, &third, None).await);
    assert_eq!(error, "Cannot move a request when fulfillment has begun");
    let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
    let error = &errors(move_to(client, &page, &third, None).await)[0];
    assert_eq!(error["code"], "REQUEST_ALREADY_CLOSED");
    assert_eq!(status(client, &third).await, "Available");
    assert_in_order(&library).await;
}

#[tokio::test]
async fn a_request_for_a_title_goes_to_the_end_of_its_queue() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    allow_titles(client, json!({})).await;
    let mut items = Vec::new();
    for number in 0..2 {
        items.push(stock.item(&format!("i-{number}")).await);
        let _ = stock.patron(&format!("p-{number}")).await;
        let lent = check_out(&format!("i-{number}"), &format!("p-{number}"));
        let _ = client.post(OUT, &lent).await.expect(201);
    }
    let mut queue = Vec::new();
    for number in 0..4 {
        let requester = stock.patron(&format!("r-{number}")).await;
        queue.push(place(client, &asked_title(&stock, "Recall", &requester)).await);
    }
    let hold = stock.patron("r-9").await;
    let hold = place(client, &asked_title(&stock, "Hold", &hold)).await;
    let from = queue[0]["itemId"].as_str().expect("an id");
    let to = items.iter().find(|item| *item != from).expect("another");
    let error = &errors(move_to(client, &queue[0], from, None).await)[0];
    assert_eq!(
        error["message"],
        "Not allowed to move title level page request to the same item"
    );
    assert_eq!(error["code"], "MOVING_REQUEST_TO_THE_SAME_ITEM");
    for (request, kind) in [(&hold, None), (&queue[0], Some("Hold"))] {
        let error = only(move_to(client, request, to, kind).await);
        assert_eq!(error, "Not allowed to move from/to Hold TLR");
    }
    let moved = move_to(client, &queue[0], to, None)
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&moved["position"], &moved["itemId"]),
        (&json!(5), &json!(to))
    );
    let title = format!("instanceId=={}", stock.instance);
    assert_eq!(places(client, &title).await, [1, 2, 3, 4, 5]);
    assert_in_order(&library).await;
}
