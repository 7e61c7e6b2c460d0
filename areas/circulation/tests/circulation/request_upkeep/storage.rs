//! What the storage of requests asks of them, and reasons that are in use.

use serde_json::json;
use uuid::Uuid;

use super::super::stocked;
use super::super::support::refused;
use super::{STORED, cancellation, put, request, shown};

#[tokio::test]
async fn the_storage_refuses_halves_of_an_item_and_unknown_reasons() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let item = stock.item("i-1").await;
    let who = stock.patron("p-1").await;
    let id = request(&stock, &item, &who, 1, json!({})).await;
    let path = format!("{STORED}/{id}");
    let stored = client.get(&path).await.expect(200).json();
    let messages = async |level: &str, item: bool, holdings: bool| {
        let mut sent = stored.clone();
        sent["requestLevel"] = json!(level);
        let properties = sent.as_object_mut().expect("a request");
        for (name, there) in [("itemId", item), ("holdingsRecordId", holdings)] {
            if !there {
                properties.remove(name);
            }
        }
        let replaced = client.put(&path, &sent).await.expect(422).json();
        sent["id"] = json!(Uuid::new_v4());
        let created = client.post(STORED, &sent).await.expect(422).json();
        assert_eq!(replaced, created);
        let errors = created["errors"].as_array().expect("errors").clone();
        let errors = errors.into_iter();
        errors.map(|one| one["message"].clone()).collect::<Vec<_>>()
    };
    let item_absent = "Item ID in item level request should not be absent";
    let holdings_absent = "Holdings record ID in item level request should not be absent";
    let both = "Title level request must have both itemId and holdingsRecordId or neither";
    assert_eq!(messages("Item", false, true).await, [item_absent]);
    assert_eq!(messages("Item", true, false).await, [holdings_absent]);
    assert_eq!(
        messages("Item", false, false).await,
        [item_absent, holdings_absent]
    );
    assert_eq!(messages("Title", true, false).await, [both]);
    let mut cancelled = stored.clone();
    cancelled["status"] = json!("Closed - Cancelled");
    cancelled["cancellationReasonId"] = json!(Uuid::new_v4());
    let body = client.put(&path, &cancelled).await.expect(422).text;
    assert!(
        body.contains("does not exist in cancellation_reason.id"),
        "{body}"
    );
    assert!(!body.contains("INVALID_CANCELLATION_REASON"), "{body}");
    // A reason that a request names cannot be deleted.
    let cancel = cancellation(client).await;
    let _ = put(client, &id, cancel.clone()).await.expect(204);
    let reason = cancel["cancellationReasonId"].as_str().expect("an id");
    let path = format!("/cancellation-reason-storage/cancellation-reasons/{reason}");
    let _ = client.delete(&path).await.expect(400);
    assert_eq!(shown(client, &id).await["status"], "Closed - Cancelled");
}

#[tokio::test]
async fn a_patron_has_one_preference_for_requests() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let path = "/request-preference-storage/request-preference";
    let (one, two) = (stock.patron("p-1").await, stock.patron("p-2").await);
    let preference = |who: &str| json!({"userId": who, "holdShelf": true, "delivery": false, "fulfillment": "Hold Shelf"});
    let _ = client.post(path, &preference(&one)).await.expect(201);
    let other = client
        .post(path, &preference(&two))
        .await
        .expect(201)
        .json();
    let sentence = "Request preference for specified user already exists";
    refused(
        client.post(path, &preference(&one)).await,
        sentence,
        "userId",
        &one,
    );
    let path = format!("{path}/{}", other["id"].as_str().expect("an id"));
    refused(
        client.put(&path, &preference(&one)).await,
        sentence,
        "userId",
        &one,
    );
}
