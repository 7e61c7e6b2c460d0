//! Requests that are placed and moved: what they become, and what prevents them.

mod blocks;
mod moving;
mod placed;
mod refusals;
mod titles;
mod together;
mod trips;

use octavo_testkit::{Answer, Client, Library};
use serde_json::{Value, json};

use octavo_server_testkit::stock::{CIRC_DESK_1, Stock};

const REQUESTS: &str = "/circulation/requests";
const STORED: &str = "/request-storage/requests";

/// A request for an item.
fn asked(stock: &Stock, kind: &str, item: &str, requester: &str) -> Value {
    json!({"requestLevel": "Item", "requestType": kind, "requestDate": "2026-02-02T10:00:00Z",
           "requesterId": requester, "instanceId": stock.instance,
           "holdingsRecordId": stock.holdings, "itemId": item,
           "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": CIRC_DESK_1})
}

/// A request for the title.
fn asked_title(stock: &Stock, kind: &str, requester: &str) -> Value {
    let mut body = asked(stock, kind, "", requester);
    body["requestLevel"] = json!("Title");
    for name in ["itemId", "holdingsRecordId"] {
        let _ = body.as_object_mut().expect("an object").remove(name);
    }
    body
}

/// Places a request that nothing prevents.
async fn place(client: &Client, body: &Value) -> Value {
    client.post(REQUESTS, body).await.expect(201).json()
}

/// Allows requests for titles.
async fn allow_titles(client: &Client, more: Value) {
    let mut value = json!({"titleLevelRequestsFeatureEnabled": true});
    if let (Some(value), Some(more)) = (value.as_object_mut(), more.as_object()) {
        value.extend(more.clone());
    }
    let setting = json!({"name": "generalTlr", "value": value});
    let answer = client.post("/circulation/settings", &setting).await;
    let _ = answer.expect(201);
}

/// The errors of a refusal, each as message, code and parameters.
fn errors(answer: Answer) -> Vec<Value> {
    let body: Value = answer.expect(422).json();
    body["errors"].as_array().expect("errors").clone()
}

/// The first error's message, and that there is no other.
#[track_caller]
fn only(answer: Answer) -> String {
    let errors = errors(answer);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0]["message"].as_str().expect("a message").to_owned()
}

fn parameter<'e>(error: &'e Value, key: &str) -> &'e Value {
    let all = error["parameters"].as_array().expect("parameters");
    let one = all.iter().find(|one| one["key"] == key);
    &one.unwrap_or_else(|| panic!("no {key} in {error}"))["value"]
}

/// Statuses of items.
async fn status(client: &Client, item: &str) -> String {
    let path = format!("/item-storage/items/{item}");
    let item = client.get(&path).await.expect(200).json();
    item["status"]["name"]
        .as_str()
        .expect("a status")
        .to_owned()
}

/// The places of the open requests that a search finds, in their order.
async fn places(client: &Client, query: &str) -> Vec<u64> {
    let query = format!("{query} and status=\"Open\" sortBy position/number");
    let found = client
        .send(
            client
                .request(reqwest::Method::GET, STORED)
                .query(&[("query", query.as_str()), ("limit", "2000")]),
        )
        .await
        .expect(200)
        .json();
    let requests = found["requests"].as_array().expect("requests");
    let mut places: Vec<u64> = requests
        .iter()
        .map(|one| one["position"].as_u64().expect("a place"))
        .collect();
    places.sort_unstable();
    places
}

/// The lines of the circulation log about requests, oldest first: action and description.
async fn log(library: &Library) -> Vec<(String, String)> {
    let database = &library.platform.store.database;
    let sql = "SELECT jsonb->>'action', jsonb->>'description' FROM tenant_diku.circulation_logs
               WHERE jsonb->>'object' = 'Request' ORDER BY jsonb->>'date'";
    let rows = database.query(sql, &[]).await.expect("the log");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

/// The outbox's events of a topic, oldest first.
async fn told(library: &Library, topic: &str) -> Vec<(String, Value)> {
    let database = &library.platform.store.database;
    let sql = "SELECT type, new FROM tenant_diku.outbox WHERE topic = $1 ORDER BY position";
    let rows = database.query(sql, &[&topic]).await.expect("the outbox");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}
