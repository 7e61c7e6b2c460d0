//! Requests after they are placed: changed, cancelled, deleted, put into another order.

mod change;
mod deletion;
mod long;
mod queue;
mod races;
mod rules;
mod storage;

use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

use octavo_server_testkit::stock::{CIRC_DESK_1, Stock};

pub const REQUESTS: &str = "/circulation/requests";
pub const STORED: &str = "/request-storage/requests";
pub const OPEN: &str = "Open - Not yet filled";
pub const LATER: &str = "2999-01-01T00:00:00Z";

/// Stores a request at a place; `more` says what is not as usual. Returns its id.
pub async fn request(stock: &Stock, item: &str, who: &str, place: u64, more: Value) -> String {
    let mut request = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": who,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": OPEN, "position": place, "pickupServicePointId": CIRC_DESK_1,
        "fulfillmentPreference": "Hold Shelf"});
    if let (Some(request), Some(more)) = (request.as_object_mut(), more.as_object()) {
        for (name, value) in more {
            match value {
                Value::Null => request.remove(name),
                value => request.insert(name.clone(), value.clone()),
            };
        }
    }
    let stored = stock.client.post(STORED, &request).await.expect(201).json();
    stored["id"].as_str().expect("an id").to_owned()
}

/// Holds for one item, of one patron each, in this order.
pub async fn holds(stock: &Stock, item: &str, name: &str, many: u64) -> Vec<String> {
    let mut ids = Vec::new();
    for place in 1..=many {
        let who = stock.patron(&format!("{name}-{place}")).await;
        ids.push(request(stock, item, &who, place, json!({})).await);
    }
    ids
}

/// The request as circulation shows it.
pub async fn shown(client: &Client, id: &str) -> Value {
    let path = format!("{REQUESTS}/{id}");
    client.get(&path).await.expect(200).json()
}

/// Sends the request again with these properties; what is null is left out.
pub async fn put(client: &Client, id: &str, change: Value) -> Answer {
    let mut request = shown(client, id).await;
    for (name, value) in change.as_object().expect("properties") {
        match value {
            Value::Null => request
                .as_object_mut()
                .and_then(|request| request.remove(name)),
            value => request
                .as_object_mut()
                .and_then(|request| request.insert(name.clone(), value.clone())),
        };
    }
    client.put(&format!("{REQUESTS}/{id}"), &request).await
}

/// The body that cancels a request.
pub async fn cancellation(client: &Client) -> Value {
    let reasons = "/cancellation-reason-storage/cancellation-reasons?query=name==\"Item*\"&limit=1";
    let reasons = client.get(reasons).await.expect(200).json();
    json!({"status": "Closed - Cancelled", "cancelledDate": "2026-03-01T10:00:00Z",
           "cancellationReasonId": reasons["cancellationReasons"][0]["id"],
           "cancellationAdditionalInformation": "No longer wanted"})
}

/// The places of requests as they are stored.
pub async fn places(client: &Client, ids: &[String]) -> Vec<Option<u64>> {
    let mut places = Vec::new();
    for id in ids {
        let stored = client.get(&format!("{STORED}/{id}")).await.expect(200);
        places.push(stored.json()["position"].as_u64());
    }
    places
}

pub async fn status(client: &Client, item: &str) -> String {
    let item = client.get(&format!("/item-storage/items/{item}")).await;
    let status = item.expect(200).json()["status"]["name"].clone();
    status.as_str().expect("a status").to_owned()
}

/// Switches requests for titles on or off.
pub async fn titles(client: &Client, on: bool) {
    let value = json!({"titleLevelRequestsFeatureEnabled": on});
    let setting = json!({"name": "generalTlr", "value": value});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
}

/// The body of a new order.
pub fn order<'i>(ids: impl IntoIterator<Item = &'i String>) -> Value {
    let order = (1..).zip(ids);
    let order: Vec<Value> = order
        .map(|(place, id): (u64, _)| json!({"id": id, "newPosition": place}))
        .collect();
    json!({"reorderedQueue": order})
}

/// Runs a statement that changes something.
pub async fn change(library: &Library, sql: &str) {
    let database = &library.platform.store.database;
    let _ = database.query(sql, &[]).await.expect(sql);
}
