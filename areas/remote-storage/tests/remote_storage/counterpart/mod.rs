//! Machines that speak the protocols of storages on loopback, edges between them and the routes, and what the two
//! do together. The protocols are written down here anew, and share nothing with the area.

mod caia_soft;
mod director;
mod edge;
mod ems;

use octavo_server_testkit::stock::check_out;
use serde_json::{Value, json};

use super::{ACCESSIONS, Annex, RETRIEVALS, item_of};
use caia_soft::CaiaSoft;
use director::Director;
use edge::Edge;

const OUT: &str = "/circulation/check-out-by-barcode";

#[tokio::test]
async fn a_staging_director_takes_in_sends_and_takes_back() {
    let annex = Annex::of(json!({"name": "Dematic", "providerName": "DEMATIC_SD",
                                 "accessionDelay": 1, "accessionTimeUnit": "minutes"}))
    .await;
    let client = annex.client();
    let mut director = Director::start(&["a-2"]).await;
    let mut edge = Edge::connect(&annex, director.address()).await;
    let mut ids = Vec::new();
    for barcode in ["a-1", "a-2", "a-3"] {
        ids.push(annex.item(barcode).await);
    }
    // It takes all three in, and confirms each.
    edge.poll_accessions().await;
    assert_eq!(annex.waiting(ACCESSIONS).await.len(), 0);
    assert_eq!(director.shelf(), ["a-1", "a-2", "a-3"]);
    let added = director.added("a-1");
    assert_eq!(added["callNumber"], "PR4662 .A1");
    assert_eq!(added["title"], "Middlemarch");
    assert_eq!(added["author"], "Eliot, George");
    // One is asked for and there, another is not found, the third is not asked for.
    let patron = annex.stock.patron("p-1").await;
    for id in &ids[..2] {
        let _ = annex.ask("Page", id, &patron).await;
    }
    edge.poll_retrievals().await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let picked = director.picked();
    assert_eq!(picked.len(), 1);
    assert_eq!(
        picked[0],
        json!({"sku": "a-1", "pickup": "cd1", "patron": "p-1", "name": "user-p-1",
               "callNumber": "PR4662 .A1", "title": "Middlemarch", "author": "Eliot, George"})
    );
    assert_eq!(item_of(client, &ids[1]).await["status"]["name"], "Missing");
    // It comes to the dock, goes out, and comes back while somebody else waits.
    let arrival = format!("/remote-storage/retrieve/{}/checkInItem", annex.storage);
    let body = json!({"itemBarcode": "a-1"});
    let _ = client.post(&arrival, &body).await.expect(200);
    let desk = json!({"itemBarcode": "a-1", "checkInDate": "2026-03-01T10:00:00Z",
                      "servicePointId": octavo_server_testkit::stock::CIRC_DESK_1});
    let _ = client
        .post("/circulation/check-in-by-barcode", &desk)
        .await
        .expect(200);
    let _ = client.post(OUT, &check_out("a-1", "p-1")).await.expect(201);
    let other = annex.stock.patron("p-2").await;
    let hold = annex.ask("Hold", &ids[0], &other).await;
    director.returned("a-1").await;
    assert_eq!(edge.hear().await, "a-1");
    let waiting = annex.waiting(RETRIEVALS).await;
    assert_eq!(waiting.len(), 1);
    assert_eq!(waiting[0]["holdId"], hold["id"]);
    edge.poll_retrievals().await;
    assert_eq!(director.picked().len(), 2);
    assert_eq!(director.picked()[1]["patron"], "p-2");
    assert!(director.wrong().is_empty(), "{:?}", director.wrong());
}

#[tokio::test]
async fn an_ems_reads_its_lists_and_reports_what_it_sends_and_has() {
    let annex = Annex::dematic().await;
    let client = annex.client();
    let id = annex.item("b-1").await;
    let _ = annex.item("b-2").await;
    let patron = annex.stock.patron("p-1").await;
    let new = ems::look_up(&annex, "lookupNewAsrItems").await;
    let numbers = ems::values(&new, "itemNumber");
    assert_eq!(numbers, ["b-1", "b-2"]);
    assert_eq!(
        ems::values(&new, "callNumber"),
        ["PR4662 .A1", "PR4662 .A1"]
    );
    // They are told once.
    let again = ems::look_up(&annex, "lookupNewAsrItems").await;
    assert_eq!(ems::values(&again, "itemNumber"), [] as [&str; 0]);
    let page = annex.ask("Page", &id, &patron).await;
    let asked = ems::look_up(&annex, "lookupAsrRequests").await;
    assert_eq!(
        ems::values(&asked, "holdId"),
        [page["id"].as_str().expect("an id")]
    );
    assert_eq!(ems::values(&asked, "patronBarcode"), ["p-1"]);
    assert_eq!(ems::values(&asked, "pickupLocation"), ["cd1"]);
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    ems::update(&annex, "updateASRItemStatusBeingRetrieved", "b-1").await;
    assert_eq!(item_of(client, &id).await["status"]["name"], "In transit");
    ems::update(&annex, "updateASRItemStatusAvailable", "b-2").await;
}

#[tokio::test]
async fn caiasoft_is_sent_each_request_until_it_takes_it() {
    let annex = Annex::caia_soft("Change permanent location", "Scanned to CaiaSoft").await;
    let client = annex.client();
    let id = annex.stock.item("c-1").await;
    let robot = CaiaSoft::start("s3cret").await;
    let path = format!("{}/{}", super::CONFIGURATIONS, annex.storage);
    let mut configuration = client.get(&path).await.expect(200).json();
    configuration["url"] = json!(robot.url());
    configuration["apiKey"] = json!("s3cret");
    let _ = client.put(&path, &configuration).await.expect(204);
    // It accessions by itself.
    let taken = json!({"itemBarcode": "c-1", "remoteStorageId": annex.storage});
    let _ = client.post(ACCESSIONS, &taken).await.expect(201);
    let patron = annex.stock.patron("p-1").await;
    let page = annex.ask("Page", &id, &patron).await;
    robot.refuse(true);
    caia_soft::poll(&annex).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 1, "it is sent again");
    robot.refuse(false);
    caia_soft::poll(&annex).await;
    assert_eq!(annex.waiting(RETRIEVALS).await.len(), 0);
    let expected = json!({"requests": [{"request_id": page["id"], "request_type": "PYR",
                                        "barcode": "c-1", "stop": "cd1"}]});
    assert_eq!(robot.taken(), [expected]);
    // It comes to the dock, and back.
    let path = format!(
        "/remote-storage/retrieve/{}/checkInItemByHoldId",
        annex.storage
    );
    let routed = json!({"holdId": page["id"]});
    let _ = client.post(&path, &routed).await.expect(200);
    assert_eq!(item_of(client, &id).await["status"]["name"], "In transit");
    let reshelved = format!("/remote-storage/return/{}", annex.storage);
    let answer = client
        .post(&reshelved, &json!({"itemBarcode": "c-1"}))
        .await;
    let answer: Value = answer.expect(200).json();
    assert_eq!(answer["isHoldRecallRequestExist"], false);
}
