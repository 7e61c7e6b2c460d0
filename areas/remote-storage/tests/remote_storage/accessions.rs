//! Items that a storage has taken in by itself, in both workflows.

use serde_json::{Value, json};

use super::{ACCESSIONS, Annex, CONFIGURATIONS, NOBODY, item_of, refused, stored};

const CHANGE: &str = "Change permanent location";
const DUPLICATE: &str = "Duplicate holdings";

fn taken(annex: &Annex, barcode: &str) -> Value {
    json!({"itemBarcode": barcode, "remoteStorageId": annex.storage})
}

async fn holdings(annex: &Annex, id: &str) -> Value {
    let path = format!("/holdings-storage/holdings/{id}");
    annex.client().get(&path).await.expect(200).json()
}

/// The holdings of the title.
async fn all_holdings(annex: &Annex) -> Vec<Value> {
    let query = format!("instanceId=={}", annex.stock.instance);
    let page = annex
        .client()
        .query("/holdings-storage/holdings", &query)
        .await;
    let page = page.expect(200).json();
    page["holdingsRecords"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn the_holdings_move_and_their_other_items_stay_where_they_are() {
    let annex = Annex::caia_soft(CHANGE, "Scanned to folio").await;
    let (client, stock) = (annex.client(), &annex.stock);
    let (one, other) = (stock.item("a-1").await, stock.item("a-2").await);
    let row = client.post(ACCESSIONS, &taken(&annex, "a-1")).await;
    let row = row.expect(201).json();
    assert_eq!(row["itemBarcode"], "a-1");
    assert_eq!(row["materialType"], "dvd");
    assert_eq!(row["permanentLocationId"], annex.location.as_str());
    assert!(row["accessionedDateTime"].is_string());
    let moved = holdings(&annex, &stock.holdings).await;
    assert_eq!(moved["permanentLocationId"], annex.location.as_str());
    let (one, other) = (item_of(client, &one).await, item_of(client, &other).await);
    assert_eq!(one["permanentLocationId"], annex.location.as_str());
    assert_eq!(one["effectiveLocationId"], annex.location.as_str());
    assert_eq!(other["permanentLocationId"], stock.location.as_str());
    assert_eq!(other["effectiveLocationId"], stock.location.as_str());
    // One row, and it is done.
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 0);
    let all = client.get(ACCESSIONS).await.expect(200).json();
    assert_eq!(all["accessions"], json!([row]));
    // The holdings are there already.
    let _ = client
        .post(ACCESSIONS, &taken(&annex, "a-2"))
        .await
        .expect(201);
    let later = item_of(client, other["id"].as_str().expect("an id")).await;
    assert_eq!(later["effectiveLocationId"], annex.location.as_str());
}

#[tokio::test]
async fn an_item_of_several_goes_to_holdings_that_are_there_or_to_a_copy() {
    let annex = Annex::caia_soft(DUPLICATE, "Scanned to folio").await;
    let (client, stock) = (annex.client(), &annex.stock);
    let mut ids = Vec::new();
    for barcode in ["b-1", "b-2", "b-3"] {
        ids.push(stock.item(barcode).await);
    }
    let _ = client
        .post(ACCESSIONS, &taken(&annex, "b-1"))
        .await
        .expect(201);
    let first = item_of(client, &ids[0]).await;
    let copy = first["holdingsRecordId"]
        .as_str()
        .expect("an id")
        .to_owned();
    assert_ne!(copy, stock.holdings);
    let (origin, copied) = (
        holdings(&annex, &stock.holdings).await,
        holdings(&annex, &copy).await,
    );
    assert_eq!(copied["permanentLocationId"], annex.location.as_str());
    assert_eq!(copied["callNumber"], origin["callNumber"]);
    assert_ne!(copied["hrid"], origin["hrid"]);
    assert_eq!(origin["permanentLocationId"], stock.location.as_str());
    // The second goes to the copy.
    let _ = client
        .post(ACCESSIONS, &taken(&annex, "b-2"))
        .await
        .expect(201);
    let second = item_of(client, &ids[1]).await;
    assert_eq!(second["holdingsRecordId"], copy.as_str());
    assert_eq!(all_holdings(&annex).await.len(), 2);
    // The last one of the holdings takes them along.
    let _ = client
        .post(ACCESSIONS, &taken(&annex, "b-3"))
        .await
        .expect(201);
    let third = item_of(client, &ids[2]).await;
    assert_eq!(third["holdingsRecordId"], stock.holdings.as_str());
    let origin = holdings(&annex, &stock.holdings).await;
    assert_eq!(origin["permanentLocationId"], annex.location.as_str());
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 0);
    // Two holdings could take the next one.
    let mut more = origin.clone();
    for name in ["id", "hrid", "_version", "metadata"] {
        let _ = more.as_object_mut().expect("a record").remove(name);
    }
    more["permanentLocationId"] = json!(stock.location);
    let shelf = stored(client, "/holdings-storage/holdings", &more).await;
    for barcode in ["b-4", "b-5"] {
        let item = json!({"barcode": barcode, "holdingsRecordId": shelf,
                          "status": {"name": "Available"},
                          "materialTypeId": octavo_server_testkit::stock::DVD,
                          "permanentLoanTypeId": octavo_server_testkit::stock::CAN_CIRCULATE});
        let _ = stored(client, "/item-storage/items", &item).await;
    }
    let refusal = client.post(ACCESSIONS, &taken(&annex, "b-4")).await;
    let message = format!(
        "More than one holdings record exist with permanent location id={}",
        annex.location
    );
    refused(refusal, 400, "Accession error", &message);
}

#[tokio::test]
async fn what_cannot_be_taken_in_is_told() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let code = "Accession error";
    let mut body = taken(&annex, "c-1");
    let refusal = client.post(ACCESSIONS, &body).await;
    let message = "Remote storage configuration does not contain accession details";
    refused(refusal, 400, code, message);
    body["remoteStorageId"] = json!(NOBODY);
    let refusal = client.post(ACCESSIONS, &body).await;
    let message = format!("No configuration was found for remote storage id={NOBODY}");
    refused(refusal, 400, code, &message);
    let unmapped = json!({"name": "Cave", "providerName": "CAIA_SOFT",
                          "accessionWorkflowDetails": CHANGE});
    let cave = stored(client, CONFIGURATIONS, &unmapped).await;
    body["remoteStorageId"] = json!(cave);
    let refusal = client.post(ACCESSIONS, &body).await;
    let message = format!("No location was found for remote storage id={cave}");
    refused(refusal, 400, code, &message);
    let _ = super::map(client, &annex.stock.location, &cave).await;
    let refusal = client.post(ACCESSIONS, &body).await;
    refused(refusal, 400, code, "Item with barcode=c-1 was not found");
    let refusal = client
        .post(ACCESSIONS, &json!({"itemBarcode": "c-1"}))
        .await;
    refused(refusal, 422, "Validation error", "must not be null");
    let body = json!({"itemBarcode": "c-1", "remoteStorageId": "x"});
    assert_eq!(client.post(ACCESSIONS, &body).await.status, 422);
}
