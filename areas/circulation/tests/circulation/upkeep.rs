//! Queues of requests as a whole: stored at once, expired, and numbered again.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::stocked;
use super::support::timer;
use octavo_server_testkit::composition;
use octavo_server_testkit::stock::Stock;

const REQUESTS: &str = "/request-storage/requests";
const BATCH: &str = "/request-storage-batch/requests";
const EXPIRE: &str = "/scheduled-request-expiration";
const JOBS: &str = "/tlr-feature-toggle-job-storage/tlr-feature-toggle-jobs";

async fn request(stock: &Stock, item: &str, place: u64, more: Value) -> Value {
    let requester = "0b117416-8dcf-45a1-be9a-ffaa847c4423";
    let mut request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": requester,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "position": place,
        "fulfillmentPreference": "Hold Shelf"});
    if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
        request.extend(more.clone());
    }
    stock
        .client
        .post(REQUESTS, &request)
        .await
        .expect(201)
        .json()
}

/// Status and place of requests, as they are now.
async fn now(client: &Client, requests: &[Value]) -> Vec<(String, Option<u64>)> {
    let mut all = Vec::new();
    for request in requests {
        let path = format!("{REQUESTS}/{}", request["id"].as_str().expect("an id"));
        let now = client.get(&path).await.expect(200).json();
        let status = now["status"].as_str().unwrap_or_default().to_owned();
        all.push((status, now["position"].as_u64()));
    }
    all
}

#[tokio::test]
async fn a_queue_is_stored_at_once_or_not_at_all() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let mut queue = Vec::new();
    for place in 1..=3 {
        queue.push(request(&stock, &item, place, json!({})).await);
    }
    // Turned round: two change places although each is taken.
    let mut turned = queue.clone();
    for (request, place) in turned.iter_mut().zip([3, 2, 1]) {
        request["position"] = json!(place);
    }
    let _ = client
        .post(BATCH, &json!({"requests": turned}))
        .await
        .expect(201);
    let open = "Open - Not yet filled";
    let places = |places: [u64; 3]| places.map(|one| (open.to_owned(), Some(one))).to_vec();
    assert_eq!(now(client, &queue).await, places([3, 2, 1]));
    let rows = library.platform.store.database.query(
        "SELECT new FROM tenant_diku.outbox
         WHERE topic = 'circulation.request-queue-reordering'",
        &[],
    );
    let rows = rows.await.expect("the outbox");
    let told: Value = rows[0].get(0);
    assert_eq!(told["requestLevel"], "Item");
    assert_eq!(told["instanceId"], json!(stock.instance));
    assert_eq!(told["itemId"], json!(item));
    assert_eq!(told["requestIds"].as_array().map(Vec::len), Some(3));
    // Two in one place: none is changed.
    let mut clash = queue.clone();
    for request in &mut clash {
        request["position"] = json!(1);
    }
    let answer = client
        .post(BATCH, &json!({"requests": clash}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        answer["errors"][0]["message"],
        "Cannot have more than one request with the same position in the queue"
    );
    assert_eq!(now(client, &queue).await, places([3, 2, 1]));
    // And others that are not well formed.
    let mut unknown = queue[0].clone();
    unknown["id"] = json!("0b117416-8dcf-45a1-be9a-ffaa847c4423");
    let _ = client
        .post(BATCH, &json!({"requests": [unknown]}))
        .await
        .expect(404);
    let mut lacking = queue[0].clone();
    lacking["requestType"] = json!(null);
    for body in [
        json!({}),
        json!({"requests": [lacking]}),
        json!({"requests": [queue[0], queue[0]]}),
    ] {
        let _ = client.post(BATCH, &body).await.expect(422);
    }
    let many = json!({"requests": vec![json!({}); 1_001]});
    let _ = client.post(BATCH, &many).await.expect(413);
}

#[tokio::test]
async fn expired_requests_are_closed_once_and_others_move_up() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let (past, future) = ("2026-01-01T00:00:00Z", "2999-01-01T00:00:00Z");
    let waiting = json!({"status": "Open - Awaiting pickup", "holdShelfExpirationDate": past,
                         "requestExpirationDate": future});
    let queue = [
        request(&stock, &item, 1, waiting).await,
        request(&stock, &item, 2, json!({"requestExpirationDate": future})).await,
        request(&stock, &item, 3, json!({"requestExpirationDate": past})).await,
        request(&stock, &item, 4, json!({})).await,
    ];
    let other = library.beside(composition).await;
    let _ = client
        .at(other.address)
        .get("/loan-storage/loans?limit=0")
        .await
        .expect(200);
    let (one, two) = tokio::join!(
        timer(&library, &library.platform, EXPIRE),
        timer(&library, &other.platform, EXPIRE),
    );
    assert_eq!((one, two), (204, 204));
    let open = "Open - Not yet filled".to_owned();
    assert_eq!(
        now(client, &queue).await,
        [
            ("Closed - Pickup expired".to_owned(), None),
            (open.clone(), Some(1)),
            ("Closed - Unfilled".to_owned(), None),
            (open, Some(2)),
        ]
    );
    let query = "object==Request sortby action";
    let logged = client
        .query("/audit-data/circulation/logs", query)
        .await
        .expect(200)
        .json();
    assert_eq!(logged["totalRecords"], 2);
    let line = &logged["logRecords"][0];
    assert_eq!(
        (&line["action"], &line["source"]),
        (&json!("Expired"), &json!("System"))
    );
    assert_eq!(
        line["description"],
        "Type: Hold. New request status: Closed - Unfilled (from: Open - Not yet filled)."
    );
    assert_eq!(logged["logRecords"][1]["action"], "Pickup expired");
}

#[tokio::test]
async fn queues_become_those_of_titles_and_of_items_again() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    let (one, two) = (stock.item("i-1").await, stock.item("i-2").await);
    let queue = [
        request(&stock, &one, 1, json!({})).await,
        request(&stock, &one, 3, json!({})).await,
        request(&stock, &two, 2, json!({})).await,
        request(&stock, &two, 5, json!({})).await,
    ];
    let start = "/tlr-feature-toggle-job/start";
    let job = async || {
        let made = client
            .post(JOBS, &json!({"status": "open"}))
            .await
            .expect(201);
        let id = made.json()["id"].as_str().expect("an id").to_owned();
        let (first, second) = tokio::join!(
            timer(&library, &library.platform, start),
            timer(&library, &library.platform, start),
        );
        assert_eq!((first, second), (202, 202));
        client.get(&format!("{JOBS}/{id}")).await.expect(200).json()
    };
    let places = async || {
        let now = now(client, &queue).await;
        now.into_iter()
            .filter_map(|(_, place)| place)
            .collect::<Vec<_>>()
    };
    let failed = job().await;
    assert_eq!(failed["status"], "failed");
    assert_eq!(failed["errors"], json!(["TLR settings not found"]));
    let set = async |on: bool| {
        let value = json!({"titleLevelRequestsFeatureEnabled": on});
        let setting = json!({"name": "generalTlr", "value": value});
        let _ = client
            .post("/circulation/settings", &setting)
            .await
            .expect(201);
    };
    set(true).await;
    let done = job().await;
    assert_eq!(
        (&done["status"], &done["numberOfUpdatedRequests"]),
        (&json!("done"), &json!(4))
    );
    assert_eq!(places().await, [1, 3, 2, 4]);
    set(false).await;
    assert_eq!(job().await["status"], "done");
    assert_eq!(places().await, [1, 2, 1, 2]);
    // While one is at work no other begins.
    let _ = client
        .post(JOBS, &json!({"status": "in-progress"}))
        .await
        .expect(201);
    assert_eq!(job().await["status"], "open");
}
