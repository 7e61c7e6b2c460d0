//! Printed slips are counted, and requests show the count.

use octavo_testkit::Client;
use serde_json::{Value, json};

use super::stocked;
use super::support::refused;
use octavo_server_testkit::stock::Stock;

const ENTRY: &str = "/circulation/print-events-entry";
const STORE: &str = "/print-events-storage/print-events-entry";
const STATUS: &str = "/print-events-storage/print-events-status";
const NOBODY: &str = "0b117416-8dcf-45a1-be9a-ffaa847c4423";

async fn request(stock: &Stock, item: &str) -> String {
    let item = stock.item(item).await;
    let request = json!({"requestLevel": "Item", "requestType": "Page",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": NOBODY,
        "instanceId": stock.instance, "holdingsRecordId": stock.holdings, "itemId": item,
        "status": "Open - Not yet filled", "position": 1, "fulfillmentPreference": "Hold Shelf"});
    let stored = stock
        .client
        .post("/request-storage/requests", &request)
        .await;
    let id = stored.expect(201).json()["id"].clone();
    id.as_str().expect("an id").to_owned()
}

fn event(ids: &[&str], at: &str) -> Value {
    json!({"requestIds": ids, "requesterId": NOBODY, "requesterName": "Brooke, Dorothea",
           "printEventDate": at})
}

async fn switch(client: &Client, on: Value) {
    let setting = json!({"name": "printEventLogFeature", "value": {"enablePrintLog": on}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
}

#[tokio::test]
async fn printing_is_kept_when_the_tenant_wants_it_and_all_requests_exist() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let one = request(&stock, "i-1").await;
    let two = request(&stock, "i-2").await;
    let both = event(&[&one, &two], "2026-03-01T10:00:00Z");
    let message = "No configuration found for print event feature";
    refused(client.post(ENTRY, &both).await, message, "", "");
    switch(client, json!(false)).await;
    let message = "print event feature is disabled for this tenant";
    refused(client.post(ENTRY, &both).await, message, "", "");
    switch(client, json!("true")).await;
    for ids in [[one.as_str(), NOBODY], [one.as_str(), one.as_str()]] {
        let body = event(&ids, "2026-03-01T10:00:00Z");
        refused(
            client.post(ENTRY, &body).await,
            "invalid request found",
            "",
            "",
        );
    }
    let mut more = both.clone();
    more["colour"] = json!("red");
    for body in [json!({}), event(&[], "2026-03-01T10:00:00Z"), more] {
        let message = "Print Event Request  JSON is invalid";
        refused(client.post(ENTRY, &body).await, message, "", "");
    }
    let late = event(&[&one], "tomorrow");
    let _ = client.post(ENTRY, &late).await.expect(422);
    let _ = client.post(ENTRY, &both).await.expect(204);
    let later = event(&[&one], "2026-03-02T10:00:00Z");
    let _ = client.post(ENTRY, &later).await.expect(204);
    let body = json!({"requestIds": [one, two, NOBODY]});
    let status = client.post(STATUS, &body).await.expect(200).json();
    assert_eq!(status["totalRecords"], 2);
    let found = status["printEventsStatusResponses"]
        .as_array()
        .expect("a list");
    let of = |id: &str| {
        found
            .iter()
            .find(|one| one["requestId"] == *id)
            .expect("it")
    };
    assert_eq!(
        *of(&one),
        json!({"requestId": one, "requesterId": NOBODY, "requesterName": "Brooke, Dorothea",
               "count": 2, "printEventDate": "2026-03-02T10:00:00.000+00:00"})
    );
    assert_eq!(of(&two)["count"], 1);
    let told = client
        .get(&format!("/request-storage/requests/{one}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        told["printDetails"],
        json!({"printCount": 2, "requesterId": NOBODY, "isPrinted": true,
               "printEventDate": "2026-03-02T10:00:00.000+00:00"})
    );
}

#[tokio::test]
async fn the_storage_counts_what_many_print_at_once() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let one = request(&stock, "i-1").await;
    let printers: Vec<_> = (0..8)
        .map(|_| {
            let client = client.clone();
            let body = event(&[&one, NOBODY], "2026-03-01T10:00:00Z");
            tokio::spawn(async move { client.post(STORE, &body).await.expect(201) })
        })
        .collect();
    for printer in printers {
        let _ = printer.await.expect("it ends");
    }
    let told = client
        .get(&format!("/request-storage/requests/{one}"))
        .await
        .expect(200)
        .json();
    assert_eq!(told["printDetails"]["printCount"], 8);
    let message = "size must be between 1 and 2147483647";
    for (path, body) in [
        (STORE, event(&[], "2026-03-01")),
        (STATUS, json!({"requestIds": []})),
    ] {
        refused(client.post(path, &body).await, message, "requestIds", "[]");
    }
    let mut blank = event(&[&one], "2026-03-01");
    blank["requesterName"] = json!(" ");
    let message = "must match \"^(?!\\s*$).+\"";
    refused(
        client.post(STORE, &blank).await,
        message,
        "requesterName",
        " ",
    );
    let body = json!({"requestIds": ["x"]});
    let _ = client.post(STATUS, &body).await.expect(422);
    let body = json!({"requestIds": vec![NOBODY; 5_001]});
    let _ = client.post(STATUS, &body).await.expect(413);
}
