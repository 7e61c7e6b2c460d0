//! Events of the circulation log that somebody delivers.

use octavo_server_testkit::stock::{CIRC_DESK_1, check_out};
use serde_json::{Value, json};

use super::{Annex, NOBODY, RETRIEVALS, refused};

const HANDLER: &str = "/remote-storage/pub-sub-handlers/log-record-event";

fn created(kind: &str, barcode: &str, requester: &str) -> Value {
    let request = json!({"id": NOBODY, "requestType": kind, "requesterId": requester,
                         "pickupServicePointId": CIRC_DESK_1, "status": "Open - Not yet filled",
                         "patronComments": "soon", "item": {"barcode": barcode}});
    json!({"logEventType": "REQUEST_CREATED_EVENT",
           "payload": {"itemBarcode": barcode, "source": "local", "requests": {"created": request}}})
}

#[tokio::test]
async fn a_delivered_event_lines_a_page_up() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let _ = annex.item("a-1").await;
    let _ = annex.stock.item("a-2").await;
    let patron = annex.stock.patron("p-1").await;
    for (event, rows) in [
        (created("Hold", "a-1", &patron), 0),
        (created("Page", "a-2", &patron), 0),
        (json!({"logEventType": "LOAN", "payload": {}}), 0),
        (created("Page", "a-1", &patron), 1),
    ] {
        let _ = client.post(HANDLER, &event).await.expect(204);
        assert_eq!(annex.waiting(RETRIEVALS).await.len(), rows, "{event}");
    }
    let row = annex.waiting(RETRIEVALS).await.remove(0);
    assert_eq!(
        (
            &row["holdId"],
            &row["pickupLocation"],
            &row["requestNote"],
            &row["requestType"]
        ),
        (&json!(NOBODY), &json!("cd1"), &json!("soon"), &json!("PYR"))
    );
    let refusal = client
        .post(HANDLER, &created("Page", "nothing", &patron))
        .await;
    refused(
        refusal,
        404,
        "Not found",
        "Item with barcode nothing not found",
    );
    for requester in [NOBODY, "nobody"] {
        let refusal = client
            .post(HANDLER, &created("Page", "a-1", requester))
            .await;
        let message = format!("User with id {requester} not found");
        refused(refusal, 404, "Not found", &message);
    }
    let refusal = client.post(HANDLER, &json!({"payload": {}})).await;
    refused(refusal, 422, "Validation error", "must not be null");
}

#[tokio::test]
async fn a_delivered_check_in_is_looked_at_like_one_at_the_desk() {
    let annex = Annex::caia_soft("Duplicate holdings", "Scanned to folio").await;
    let client = annex.client();
    let id = annex.item("b-1").await;
    let _ = annex.stock.item("b-2").await;
    let _ = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let checked_in =
        |barcode: &str| json!({"logEventType": "CHECK_IN_EVENT", "itemBarcode": barcode});
    let _ = client.post(HANDLER, &checked_in("b-1")).await.expect(204);
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let out = check_out("b-1", "p-1");
    let _ = client
        .post("/circulation/check-out-by-barcode", &out)
        .await
        .expect(201);
    let _ = annex.ask("Hold", &id, &other).await;
    let _ = client.post(HANDLER, &checked_in("b-1")).await.expect(204);
    assert_eq!(annex.waiting(RETRIEVALS).await[0]["requestType"], "REF");
    let refusal = client.post(HANDLER, &checked_in("b-2")).await;
    let message = format!(
        "Mapping does not exist for folioLocationId {}",
        annex.stock.location
    );
    refused(refusal, 400, "Item return error", &message);
}
