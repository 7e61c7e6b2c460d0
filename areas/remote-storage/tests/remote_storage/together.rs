//! What happens when two do the same at once.

use serde_json::json;
use tokio::task::JoinSet;

use super::{ACCESSIONS, Annex, EXTENDED, RETRIEVALS, location};

#[tokio::test]
async fn two_items_that_come_in_at_once_share_one_copy_of_the_holdings() {
    let annex = Annex::caia_soft("Duplicate holdings", "Scanned to folio").await;
    let stock = &annex.stock;
    let barcodes: Vec<String> = (0..6).map(|number| format!("a-{number}")).collect();
    for barcode in &barcodes {
        let _ = stock.item(barcode).await;
    }
    // One stays, so that the holdings do.
    let all = barcodes.iter().take(5).map(|barcode| {
        let body = json!({"itemBarcode": barcode, "remoteStorageId": annex.storage});
        let client = annex.client().clone();
        async move { client.post(ACCESSIONS, &body).await.status }
    });
    let statuses = all.collect::<JoinSet<_>>().join_all().await;
    assert_eq!(statuses, [201; 5]);
    let query = format!("instanceId=={}", stock.instance);
    let path = "/holdings-storage/holdings";
    let found = annex.client().query(path, &query).await.expect(200).json();
    assert_eq!(found["totalRecords"], 2, "{found}");
    let path = format!("{ACCESSIONS}?accessioned=true");
    let done = annex.client().get(&path).await.expect(200).json();
    assert_eq!(done["totalRecords"], 5);
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 0);
}

#[tokio::test]
async fn a_row_is_done_by_one_poller_and_a_pair_is_in_one_place() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("b-1").await;
    let patron = annex.stock.patron("p-1").await;
    let _ = annex.ask("Page", &id, &patron).await;
    let path = format!("{RETRIEVALS}/barcode/b-1");
    let all = (0..6).map(|_| {
        let (client, path) = (client.clone(), path.clone());
        async move { client.put(&path, &json!(null)).await.status }
    });
    let mut statuses = all.collect::<JoinSet<_>>().join_all().await;
    statuses.sort_unstable();
    assert_eq!(statuses, [204, 404, 404, 404, 404, 404]);
    let mut places = Vec::new();
    for number in 0..4 {
        places.push(location(&annex.stock, &format!("Cave {number}"), None).await);
    }
    let all = places.into_iter().map(|place| {
        let body = json!({"finalLocationId": place, "remoteConfigurationId": annex.storage,
                          "originalLocationId": annex.stock.location});
        let client = client.clone();
        async move { client.post(EXTENDED, &body).await.status }
    });
    let statuses = all.collect::<JoinSet<_>>().join_all().await;
    assert_eq!(statuses, [201; 4]);
    let pairs = client.get(EXTENDED).await.expect(200).json();
    assert_eq!(pairs["totalRecords"], 1, "{pairs}");
}

#[tokio::test]
async fn two_returns_of_one_item_line_it_up_and_check_it_in_without_harm() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("c-1").await;
    let _ = annex.stock.patron("p-1").await;
    let other = annex.stock.patron("p-2").await;
    let out = octavo_server_testkit::stock::check_out("c-1", "p-1");
    let _ = client
        .post("/circulation/check-out-by-barcode", &out)
        .await
        .expect(201);
    let _ = annex.ask("Hold", &id, &other).await;
    let path = format!("/remote-storage/return/{}", annex.storage);
    let all = (0..4).map(|_| {
        let (client, path) = (client.clone(), path.clone());
        async move {
            let answer = client.post(&path, &json!({"itemBarcode": "c-1"})).await;
            answer.expect(200).json()["isHoldRecallRequestExist"].clone()
        }
    });
    let told = all.collect::<JoinSet<_>>().join_all().await;
    assert_eq!(told, [true; 4]);
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 4);
    octavo_server_testkit::assert_in_order(&annex.library).await;
}
