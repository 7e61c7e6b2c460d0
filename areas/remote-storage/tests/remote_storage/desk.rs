//! Items that come from a storage, return to it, or are not found there.

use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2, check_out};
use serde_json::{Value, json};

use super::{Annex, NOBODY, RETRIEVALS, item_of, location, map, refused};

const OUT: &str = "/circulation/check-out-by-barcode";
const IN: &str = "/circulation/check-in-by-barcode";

fn arrival(annex: &Annex) -> String {
    format!("/remote-storage/retrieve/{}/checkInItem", annex.storage)
}

fn back(annex: &Annex) -> String {
    format!("/remote-storage/return/{}", annex.storage)
}

fn item(barcode: &str) -> Value {
    json!({"itemBarcode": barcode})
}

#[tokio::test]
async fn an_item_that_arrives_is_checked_in_where_its_location_is_served() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("a-1").await;
    let patron = annex.stock.patron("p-1").await;
    let page = annex.ask("Page", &id, &patron).await;
    let done = client.post(&arrival(&annex), &item("a-1")).await;
    assert_eq!(done.expect(200).text, "");
    let taken = item_of(client, &id).await;
    assert_eq!(taken["lastCheckIn"]["servicePointId"], CIRC_DESK_2);
    // It is to be picked up at the first desk.
    assert_eq!(taken["status"]["name"], "In transit");
    // The same by the request; the newest row counts.
    let path = format!("{}ByHoldId", arrival(&annex));
    let hold = json!({"holdId": page["id"]});
    let _ = client.post(&path, &hold).await.expect(200);
    let unknown = client.post(&path, &json!({"holdId": NOBODY})).await;
    let message = format!(
        "Retrieval Queue Record with holdId={NOBODY} not found for remoteStorageId={}",
        annex.storage
    );
    refused(unknown, 400, "Check in by barcode error", &message);
    let wrong = client.post(&path, &json!({})).await;
    refused(wrong, 422, "Validation error", "must not be null");
}

#[tokio::test]
async fn an_item_is_checked_in_at_its_own_of_several_locations() {
    let annex = Annex::dematic().await;
    let (client, stock) = (annex.client(), &annex.stock);
    let code = "Check in by barcode error";
    let nowhere = format!("/remote-storage/retrieve/{NOBODY}/checkInItem");
    let refusal = client.post(&nowhere, &item("b-1")).await;
    let message = "Folio location does not exist for remoteStorageConfigurationId";
    refused(refusal, 400, code, message);
    // One location serves all items, wherever they are.
    let outside = stock.item("b-1").await;
    let _ = client
        .post(&arrival(&annex), &item("b-1"))
        .await
        .expect(200);
    assert_eq!(
        item_of(client, &outside).await["lastCheckIn"]["servicePointId"],
        CIRC_DESK_2
    );
    let cave = location(stock, "Cave", Some(CIRC_DESK_1)).await;
    let _ = map(client, &cave, &annex.storage).await;
    let refusal = client.post(&arrival(&annex), &item("b-1")).await;
    let message = "Item's location doesn't match any remote location";
    refused(refusal, 400, code, message);
    let inside = annex.item("b-2").await;
    let _ = client
        .post(&arrival(&annex), &item("b-2"))
        .await
        .expect(200);
    assert_eq!(
        item_of(client, &inside).await["lastCheckIn"]["servicePointId"],
        CIRC_DESK_2
    );
    // Circulation's own refusal.
    let path = format!("/remote-storage/mappings/{cave}");
    let _ = client.delete(&path).await.expect(204);
    let refusal = client.post(&arrival(&annex), &item("nothing")).await;
    let message = "No item with barcode nothing exists";
    refused(refusal, 500, "Unknown error", message);
}

#[tokio::test]
async fn a_storage_hears_at_the_return_that_somebody_waits() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("c-1").await;
    let _ = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let free = client.post(&back(&annex), &item("c-1")).await;
    assert_eq!(
        free.expect(200).json(),
        json!({"isHoldRecallRequestExist": false})
    );
    let _ = client.post(OUT, &check_out("c-1", "p-1")).await.expect(201);
    let hold = annex.ask("Hold", &id, &other).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let awaited = client.post(&back(&annex), &item("c-1")).await;
    assert_eq!(
        awaited.expect(200).json(),
        json!({"isHoldRecallRequestExist": true})
    );
    let rows = annex.waiting(RETRIEVALS).await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0]["holdId"], hold["id"]);
    assert_eq!(rows[0]["requestType"], "PYR");
    assert_eq!(rows[0]["patronBarcode"], "p-2");
    assert_eq!(item_of(client, &id).await["status"]["name"], "In transit");
    let unknown = format!("/remote-storage/return/{NOBODY}");
    let refusal = client.post(&unknown, &item("c-1")).await;
    let message = format!("Remote storage configuration does not exist for id {NOBODY}");
    refused(refusal, 400, "Item return error", &message);
}

#[tokio::test]
async fn a_return_that_cannot_be_checked_in_leaves_nothing() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("d-1").await;
    let _ = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let _ = client.post(OUT, &check_out("d-1", "p-1")).await.expect(201);
    let _ = annex.ask("Hold", &id, &other).await;
    let path = format!("/remote-storage/mappings/{}", annex.location);
    let _ = client.delete(&path).await.expect(204);
    let refusal = client.post(&back(&annex), &item("d-1")).await;
    let message = "Folio location does not exist for remoteStorageConfigurationId";
    refused(refusal, 400, "Check in by barcode error", message);
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    assert_eq!(item_of(client, &id).await["status"]["name"], "Checked out");
}

#[tokio::test]
async fn a_check_in_at_the_desk_tells_caiasoft_that_the_item_stays_out() {
    let annex = Annex::caia_soft("Change permanent location", "Scanned to folio").await;
    let client = annex.client();
    let id = annex.item("e-1").await;
    let outside = annex.stock.item("e-2").await;
    let other = annex.stock.patron("p-2").await;
    for (barcode, patron) in [("e-1", "p-1"), ("e-2", "p-3")] {
        let _ = annex.stock.patron(patron).await;
        let _ = client
            .post(OUT, &check_out(barcode, patron))
            .await
            .expect(201);
    }
    let hold = annex.ask("Recall", &id, &other).await;
    let _ = annex.ask("Hold", &outside, &other).await;
    for barcode in ["e-1", "e-2"] {
        let body = json!({"itemBarcode": barcode, "servicePointId": CIRC_DESK_1,
                          "checkInDate": "2026-03-01T10:00:00Z"});
        let _ = client.post(IN, &body).await.expect(200);
    }
    let rows = annex.waiting(RETRIEVALS).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["requestType"], "REF");
    assert_eq!(rows[0]["holdId"], hold["id"]);
    assert_eq!(rows[0]["requestStatus"], "Open - Awaiting pickup");
    // Once it is told it counts as sent.
    let row = rows[0]["id"].as_str().expect("an id");
    let path = format!("{RETRIEVALS}/id/{row}");
    let _ = client.put(&path, &json!(null)).await.expect(204);
    let done = client.get(&format!("{RETRIEVALS}?retrieved=true")).await;
    assert_eq!(
        done.expect(200).json()["retrievals"][0]["requestType"],
        "PYR"
    );
}

#[tokio::test]
async fn a_return_to_caiasoft_that_scans_to_folio_is_told_by_the_check_in() {
    let annex = Annex::caia_soft("Change permanent location", "Scanned to folio").await;
    let client = annex.client();
    let id = annex.item("f-1").await;
    let _ = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let _ = client.post(OUT, &check_out("f-1", "p-1")).await.expect(201);
    let _ = annex.ask("Hold", &id, &other).await;
    let done = client.post(&back(&annex), &item("f-1")).await;
    assert_eq!(
        done.expect(200).json(),
        json!({"isHoldRecallRequestExist": false})
    );
    let rows = annex.waiting(RETRIEVALS).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["requestType"], "REF");
}

#[tokio::test]
async fn an_item_that_the_storage_does_not_find_is_missing() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("g-1").await;
    let path = |barcode: &str| format!("/remote-storage/items/barcode/{barcode}/markAsMissing");
    let marked = client.post(&path("g-1"), &json!(null)).await;
    assert_eq!(marked.expect(201).text, "");
    assert_eq!(item_of(client, &id).await["status"]["name"], "Missing");
    let again = client.post(&path("g-1"), &json!(null)).await;
    let message = "Item is not allowed to be marked as Missing";
    refused(again, 500, "Unknown error", message);
    let _ = client
        .post(&path("nothing"), &json!(null))
        .await
        .expect(201);
}
