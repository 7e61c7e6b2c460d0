//! Pieces: added, received, checked in, expected again, bound and claimed; and their titles.

use octavo_testkit::Answer;
use serde_json::{Value, json};

use super::house::{House, LINES, codes};
use super::{made, new_id, text};

const PIECES: &str = "/orders/pieces";

/// An open order of three copies: its id, its line and its pieces.
async fn three(house: &House, independent: bool) -> (Value, Value, Vec<Value>) {
    let mut line = house.line(3, 10.0);
    line["checkinItems"] = json!(independent);
    let order = house.ordered("Open", &[line]).await;
    let line = order["compositePoLines"][0].clone();
    if independent {
        let titles = house.all("/orders-storage/titles", "titles").await;
        for _ in 0..3 {
            let piece = json!({"format": "Physical", "poLineId": line["id"],
                               "titleId": titles[0]["id"], "receivingStatus": "Expected",
                               "holdingId": line["locations"][0]["holdingId"]});
            let path = format!("{PIECES}?createItem=true");
            let _ = made(&house.client, &path, &piece).await;
        }
    }
    let pieces = house.pieces().await;
    assert_eq!(pieces.len(), 3);
    (order, line, pieces)
}

async fn receipt(house: &House, line: &Value) -> String {
    let line = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    text(&line["receiptStatus"])
}

async fn status(house: &House, order: &Value) -> String {
    text(&house.stored(order).await["workflowStatus"])
}

/// The outcomes of the pieces of one line.
fn outcomes(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let results = body["receivingResults"][0]["receivingItemResults"].clone();
    let outcome = |one: &Value| match one["processingStatus"]["type"].as_str() {
        Some("success") => "success".to_owned(),
        _ => text(&one["processingStatus"]["error"]["code"]),
    };
    results
        .as_array()
        .expect("results")
        .iter()
        .map(outcome)
        .collect()
}

async fn receive(house: &House, line: &Value, items: &[Value]) -> Answer {
    let body = json!({"toBeReceived": [{"poLineId": line["id"], "received": items.len(),
                      "receivedItems": items}], "totalRecords": items.len()});
    house
        .client
        .post("/orders/receive", &body)
        .await
        .expect(200)
}

async fn check_in(house: &House, line: &Value, pieces: &[Value]) -> Answer {
    let body = json!({"toBeCheckedIn": [{"poLineId": line["id"], "checkedIn": pieces.len(),
                      "checkInPieces": pieces}], "totalRecords": pieces.len()});
    house
        .client
        .post("/orders/check-in", &body)
        .await
        .expect(200)
}

pub(super) async fn item(house: &House, piece: &Value) -> Value {
    house
        .get(&format!("/item-storage/items/{}", text(&piece["itemId"])))
        .await
}

#[tokio::test]
async fn a_line_is_received_piece_by_piece() {
    let house = House::new().await;
    let (order, line, pieces) = three(&house, false).await;
    for (at, wanted) in ["Partially Received", "Partially Received", "Fully Received"]
        .into_iter()
        .enumerate()
    {
        let barcode = format!("3000{at}");
        let one = json!({"pieceId": pieces[at]["id"], "barcode": barcode, "callNumber": "QA 7",
                         "itemStatus": "In process", "comment": "dusty"});
        let answer = receive(&house, &line, &[one]).await;
        assert_eq!(outcomes(&answer), ["success"]);
        assert_eq!(receipt(&house, &line).await, wanted);
        let item = item(&house, &pieces[at]).await;
        assert_eq!(item["status"]["name"], "In process");
        assert_eq!(item["barcode"], barcode);
        assert_eq!(item["itemLevelCallNumber"], "QA 7");
    }
    let piece = house
        .get(&format!("{PIECES}/{}", text(&pieces[0]["id"])))
        .await;
    assert_eq!(piece["receivingStatus"], "Received");
    assert_eq!(piece["comment"], "dusty");
    assert!(piece["receivedDate"].is_string() && piece.get("barcode").is_none());
    let stored = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    assert!(stored["receiptDate"].is_string());
    // A barcode that is taken, and pieces that are none of the line's.
    let taken = json!({"pieceId": pieces[1]["id"], "barcode": "30000"});
    let unknown = json!({"pieceId": new_id()});
    let answer = receive(&house, &line, &[taken, unknown]).await;
    assert_eq!(outcomes(&answer), ["barcodeIsNotUnique", "pieceNotFound"]);
    assert_eq!(
        answer.json()["receivingResults"][0]["processedWithError"],
        2
    );
    // Un-received, and what cannot be expected.
    let back = json!({"pieceId": pieces[2]["id"], "itemStatus": "On order"});
    let answer = receive(&house, &line, &[back]).await;
    assert_eq!(outcomes(&answer), ["success"]);
    assert_eq!(receipt(&house, &line).await, "Partially Received");
    let piece = house
        .get(&format!("{PIECES}/{}", text(&pieces[2]["id"])))
        .await;
    assert_eq!(piece["receivingStatus"], "Expected");
    assert!(piece.get("receivedDate").is_none());
    assert_eq!(item(&house, &pieces[2]).await["status"]["name"], "On order");
    let expected = json!({"toBeExpected": [{"poLineId": line["id"], "expectPieces": [
        {"id": pieces[0]["id"]}, {"id": pieces[2]["id"]}]}], "totalRecords": 2});
    let answer = house
        .client
        .post("/orders/expect", &expected)
        .await
        .expect(200);
    assert_eq!(outcomes(&answer), ["pieceAlreadyReceived", "success"]);
    // Paid and received, it closes.
    let mut paid = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    paid["paymentStatus"] = json!("Fully Paid");
    let _ = house.put_line(&paid).await.expect(204);
    assert_eq!(status(&house, &order).await, "Open");
    let last = json!({"pieceId": pieces[2]["id"], "itemStatus": "In process"});
    let _ = receive(&house, &line, &[last]).await;
    assert_eq!(status(&house, &order).await, "Closed");
    // Receiving a piece with item of a closed order expects it again.
    let again = json!({"pieceId": pieces[2]["id"], "itemStatus": "In process"});
    let answer = receive(&house, &line, &[again]).await;
    assert_eq!(outcomes(&answer), ["success"]);
    assert_eq!(
        item(&house, &pieces[2]).await["status"]["name"],
        "Order closed"
    );
    let piece = house
        .get(&format!("{PIECES}/{}", text(&pieces[2]["id"])))
        .await;
    assert_eq!(piece["receivingStatus"], "Expected");
}

#[tokio::test]
async fn an_independent_line_is_received_in_part_at_the_desk() {
    let house = House::new().await;
    let (order, line, pieces) = three(&house, true).await;
    let all: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({"id": piece["id"], "itemStatus": "Order closed"}))
        .collect();
    let answer = check_in(&house, &line, &all).await;
    assert_eq!(outcomes(&answer), ["success"; 3]);
    assert_eq!(receipt(&house, &line).await, "Partially Received");
    assert_eq!(
        item(&house, &pieces[0]).await["status"]["name"],
        "In process"
    );
    // A piece by itself can complete it.
    let mut last = house
        .get(&format!("{PIECES}/{}", text(&pieces[2]["id"])))
        .await;
    let path = format!("{PIECES}/{}", text(&pieces[2]["id"]));
    last["receivingStatus"] = json!("Expected");
    let _ = house.client.put(&path, &last).await.expect(204);
    assert_eq!(receipt(&house, &line).await, "Partially Received");
    last["receivingStatus"] = json!("Received");
    let _ = house.client.put(&path, &last).await.expect(204);
    assert_eq!(receipt(&house, &line).await, "Fully Received");
    assert!(house.get(&path).await["statusUpdatedDate"].is_string());
    assert_eq!(status(&house, &order).await, "Open");
}

#[tokio::test]
async fn a_synchronized_line_counts_its_pieces() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(2, 10.0)]).await;
    let line = order["compositePoLines"][0].clone();
    let path = format!("{LINES}/{}", text(&line["id"]));
    let first = house.pieces().await[0].clone();
    let mut piece = json!({"format": "Physical", "poLineId": line["id"],
                           "titleId": first["titleId"], "receivingStatus": "Expected",
                           "holdingId": first["holdingId"]});
    // P9.
    let added = made(&house.client, PIECES, &piece).await;
    let counted = |line: &Value| {
        (
            line["cost"]["quantityPhysical"].clone(),
            line["cost"]["poLineEstimatedPrice"].clone(),
            line["locations"].as_array().map(Vec::len),
        )
    };
    assert_eq!(
        counted(&house.get(&path).await),
        (json!(3), json!(30.0), Some(1))
    );
    assert_eq!(house.budget().await, "30, 0, 0, 0");
    // P10: it moves.
    let mut moved = added.clone();
    moved
        .as_object_mut()
        .expect("an object")
        .remove("holdingId");
    moved["locationId"] = json!(house.stock.location);
    moved["holdingId"] = json!(null);
    let other = json!({"instanceId": line["instanceId"], "sourceId": "f32d531e-df79-46b3-8932-cdd35f7a2264",
                       "permanentLocationId": house.stock.location});
    let other = made(&house.client, "/holdings-storage/holdings", &other).await;
    moved["locationId"] = json!(null);
    moved["holdingId"] = other["id"].clone();
    let piece_path = format!("{PIECES}/{}", text(&added["id"]));
    let _ = house.client.put(&piece_path, &moved).await.expect(204);
    assert_eq!(
        counted(&house.get(&path).await),
        (json!(3), json!(30.0), Some(2))
    );
    assert_eq!(house.budget().await, "30, 0, 0, 0");
    let removing = format!("{piece_path}?deleteHolding=true");
    let _ = house.client.delete(&removing).await.expect(204);
    assert_eq!(
        counted(&house.get(&path).await),
        (json!(2), json!(20.0), Some(1))
    );
    assert_eq!(house.budget().await, "20, 0, 0, 0");
    let gone = format!("/holdings-storage/holdings/{}", text(&other["id"]));
    let _ = house.client.get(&gone).await.expect(404);
    // With its item, and refused ones.
    let with_item = made(&house.client, &format!("{PIECES}?createItem=true"), &piece).await;
    let item = item(&house, &with_item).await;
    assert_eq!(item["status"]["name"], "On order");
    let delete = format!("{PIECES}/{}", text(&with_item["id"]));
    let _ = house.client.delete(&delete).await.expect(204);
    let items = format!("/item-storage/items/{}", text(&item["id"]));
    let _ = house.client.get(&items).await.expect(404);
    let _ = house
        .client
        .delete(&format!(
            "{PIECES}/{}",
            text(&house.pieces().await[1]["id"])
        ))
        .await
        .expect(204);
    // P8.
    let last = format!("{PIECES}/{}", text(&house.pieces().await[0]["id"]));
    let answer = house.client.delete(&last).await.expect(422);
    assert_eq!(codes(&answer), ["lastPiece"]);
    assert_eq!(answer.json()["errors"][0]["parameters"][0]["value"], "1");
    piece["format"] = json!("Electronic");
    piece["displayToPublic"] = json!(true);
    let answer = house.client.post(PIECES, &piece).await.expect(400);
    assert_eq!(
        codes(&answer),
        [
            "pieceFormatIsNotValid",
            "pieceDisplayOnHoldingsIsNotConsistent"
        ]
    );
    let mut other_title = piece.clone();
    other_title["titleId"] = json!(new_id());
    let batch = json!({"pieces": [piece, other_title], "totalRecords": 2});
    let answer = house
        .client
        .post("/orders/pieces-batch", &batch)
        .await
        .expect(422);
    assert_eq!(
        codes(&answer),
        ["allPiecesMustHaveTheSamePoLineIdAndTitleId"]
    );
    let status = json!({"pieceIds": [new_id()], "receivingStatus": "Late"});
    let path = "/orders/pieces-batch/status";
    let answer = house.client.put(path, &status).await.expect(400);
    assert_eq!(codes(&answer), ["pieceNotFound"]);
}

#[tokio::test]
async fn many_pieces_get_a_status_at_once() {
    let house = House::new().await;
    let (_, line, pieces) = three(&house, false).await;
    let ids: Vec<&Value> = pieces.iter().map(|piece| &piece["id"]).collect();
    let path = "/orders/pieces-batch/status";
    for (status, wanted) in [
        ("Unreceivable", "Fully Received"),
        ("Claim delayed", "Awaiting Receipt"),
    ] {
        let body = json!({"pieceIds": ids, "receivingStatus": status, "claimingInterval": 7});
        let _ = house.client.put(path, &body).await.expect(204);
        assert_eq!(receipt(&house, &line).await, wanted);
        assert!(
            house
                .pieces()
                .await
                .iter()
                .all(|piece| piece["claimingInterval"] == 7)
        );
    }
}

#[tokio::test]
async fn bound_pieces_are_one_item() {
    let house = House::new().await;
    let (_, line, pieces) = three(&house, true).await;
    let holdings = &line["locations"][0]["holdingId"];
    let ids: Vec<&Value> = pieces.iter().map(|piece| &piece["id"]).collect();
    let mut body = json!({"poLineId": line["id"], "bindPieceIds": ids, "bindItem": {
        "barcode": "BOUND1", "holdingId": holdings, "callNumber": "QA 8",
        "materialTypeId": line["physical"]["materialType"],
        "permanentLoanTypeId": octavo_server_testkit::stock::CAN_CIRCULATE}});
    let path = "/orders/bind-pieces";
    let answer = house.client.post(path, &body).await.expect(422);
    assert_eq!(codes(&answer), ["piecesMustHaveReceivedStatus"]);
    let all: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({"id": piece["id"]}))
        .collect();
    let _ = check_in(&house, &line, &all).await;
    body["bindItem"]["holdingId"] = json!(null);
    let answer = house.client.post(path, &body).await.expect(422);
    assert_eq!(
        codes(&answer),
        ["bindItemMustIncludeEitherHoldingIdOrLocationId"]
    );
    body["bindItem"]["holdingId"] = holdings.clone();
    let bound = house.client.post(path, &body).await.expect(200).json();
    let item_path = format!("/item-storage/items/{}", text(&bound["itemId"]));
    assert_eq!(house.get(&item_path).await["status"]["name"], "In process");
    assert_eq!(
        item(&house, &pieces[0]).await["status"]["name"],
        "Unavailable"
    );
    for piece in house.pieces().await {
        assert_eq!(piece["isBound"], true);
        assert_eq!(piece["bindItemId"], bound["itemId"]);
        assert_eq!(piece["bindItemTenantId"], "diku");
    }
    let title = || async { house.all("/orders-storage/titles", "titles").await[0].clone() };
    assert_eq!(title().await["bindItemIds"], json!([bound["itemId"]]));
    for (at, left) in [(0, 1), (1, 1), (2, 0)] {
        let path = format!("/orders/bind-pieces/{}", text(&pieces[at]["id"]));
        let _ = house.client.delete(&path).await.expect(204);
        let ids = title().await["bindItemIds"].as_array().map(Vec::len);
        assert_eq!(ids, Some(left));
    }
}

#[tokio::test]
async fn late_pieces_are_claimed() {
    let house = House::new().await;
    let (_, _, pieces) = three(&house, false).await;
    let path = "/pieces/claim";
    let body = |ids: &[Value]| json!({"claimingPieceIds": ids, "claimingInterval": 5});
    let ids: Vec<Value> = pieces.iter().map(|piece| piece["id"].clone()).collect();
    let refused = |answer: Answer, status: u16| codes(&answer.expect(status));
    let answer = house.client.post(path, &body(&[])).await;
    assert_eq!(refused(answer, 400), ["cannotSendClaimsPieceIdsAreEmpty"]);
    let answer = house.client.post(path, &body(&ids)).await;
    assert_eq!(refused(answer, 400), ["cannotRetrieveConfigEntries"]);
    let entry = |vendor: &str| {
        json!({"module": "mod-data-export-spring", "configName": format!("CLAIMS_{vendor}_x"),
               "value": "{}"})
    };
    let _ = made(&house.client, "/configurations/entries", &entry("other")).await;
    let answer = house.client.post(path, &body(&ids)).await;
    assert_eq!(
        refused(answer, 400),
        ["cannotFindPiecesWithLatestStatusToProcess"]
    );
    let late = json!({"pieceIds": ids[..2], "receivingStatus": "Late"});
    let _ = house
        .client
        .put("/orders/pieces-batch/status", &late)
        .await
        .expect(204);
    let answer = house.client.post(path, &body(&ids)).await;
    assert_eq!(
        refused(answer, 422),
        ["unableToGenerateClaimsForOrgNoIntegrationDetails"]
    );
    let _ = made(
        &house.client,
        "/configurations/entries",
        &entry(&house.vendor),
    )
    .await;
    let claimed = house
        .client
        .post(path, &body(&ids))
        .await
        .expect(200)
        .json();
    assert_eq!(
        claimed["claimingPieceResults"].as_array().map(Vec::len),
        Some(2)
    );
    let query = "receivingStatus==\"Claim sent\"";
    let sent = house.found("/orders/pieces", query, "pieces").await;
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0]["claimingInterval"], 5);
}

#[tokio::test]
async fn titles_of_a_package_get_instances_and_holdings() {
    let house = House::new().await;
    let mut package = house.line(1, 10.0);
    package["isPackage"] = json!(true);
    package["checkinItems"] = json!(true);
    let order = house.ordered("Open", &[package]).await;
    let line = order["compositePoLines"][0].clone();
    let title = json!({"title": "Weirs", "poLineId": line["id"]});
    let title = made(&house.client, "/orders/titles", &title).await;
    assert_eq!(title["packageName"], "A field guide to river mills");
    let instance = format!("/instance-storage/instances/{}", text(&title["instanceId"]));
    assert_eq!(house.get(&instance).await["title"], "Weirs");
    let piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": title["id"],
                       "receivingStatus": "Expected", "locationId": house.stock.location});
    let piece = made(&house.client, PIECES, &piece).await;
    assert!(piece.get("locationId").is_none());
    let holdings = format!("/holdings-storage/holdings/{}", text(&piece["holdingId"]));
    assert_eq!(
        house.get(&holdings).await["instanceId"],
        title["instanceId"]
    );
    let summary = format!("/orders/holding-summary/{}", text(&piece["holdingId"]));
    let summary = house.get(&summary).await;
    assert_eq!(summary["totalRecords"], 1);
    assert_eq!(summary["holdingSummaries"][0]["poLineId"], line["id"]);
    let path = format!("/orders/titles/{}", text(&title["id"]));
    let mut changed = house.get(&path).await;
    changed["isAcknowledged"] = json!(true);
    let _ = house.client.put(&path, &changed).await.expect(204);
    let _ = house.client.delete(&path).await.expect(400);
    let query = "purchaseOrderId==";
    let query = format!("{query}{}", text(&order["id"]));
    let rows = house
        .found("/orders/receiving-history", &query, "receivingHistory")
        .await;
    assert_eq!(rows.len(), 1);
}

#[tokio::test]
async fn another_instance_takes_holdings_along() {
    let house = House::new().await;
    for operation in ["Move", "Create", "Find or Create", "None"] {
        let order = house.ordered("Open", &[house.line(1, 10.0)]).await;
        let line = order["compositePoLines"][0].clone();
        let holdings = text(&line["locations"][0]["holdingId"]);
        let path = format!("{LINES}/{}", text(&line["id"]));
        let body = json!({"operation": "Replace Instance Ref", "replaceInstanceRef": {
            "newInstanceId": house.stock.instance, "holdingsOperation": operation,
            "deleteAbandonedHoldings": true}});
        let request = house
            .client
            .request(reqwest::Method::PATCH, &path)
            .json(&body);
        let _ = house.client.send(request).await.expect(204);
        let changed = house.get(&path).await;
        assert_eq!(changed["instanceId"], house.stock.instance, "{operation}");
        assert_eq!(changed["titleOrPackage"], "Middlemarch");
        let now = text(&changed["locations"][0]["holdingId"]);
        let old = house
            .client
            .get(&format!("/holdings-storage/holdings/{holdings}"))
            .await;
        match operation {
            "Move" => {
                assert_eq!(now, holdings);
                assert_eq!(old.expect(200).json()["instanceId"], house.stock.instance);
            }
            "None" => {
                assert_eq!(now, holdings);
                assert_eq!(old.expect(200).json()["instanceId"], line["instanceId"]);
            }
            other => {
                assert_ne!(now, holdings);
                let _ = old.expect(404);
                assert_eq!(now == house.stock.holdings, other == "Find or Create");
                let query = format!("purchaseOrderLineIdentifier=={}", text(&line["id"]));
                let items = house.found("/item-storage/items", &query, "items").await;
                assert_eq!(items[0]["holdingsRecordId"], now);
            }
        }
    }
}

#[tokio::test]
async fn routing_lists_are_for_printed_copies() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    let mut electronic = house.line(1, 1.0);
    electronic["orderFormat"] = json!("Electronic Resource");
    electronic["cost"] =
        json!({"currency": "USD", "listUnitPriceElectronic": 1, "quantityElectronic": 1});
    electronic["eresource"] = json!({"createInventory": "None"});
    electronic["physical"] = json!(null);
    electronic["locations"] = json!([]);
    let other = house.ordered("Pending", &[electronic]).await;
    let path = "/orders/routing-lists";
    let list = |name: &str, line: &Value| json!({"name": name, "poLineId": line["compositePoLines"][0]["id"], "userIds": []});
    let stored = made(&house.client, path, &list("Readers", &order)).await;
    let answer = house
        .client
        .post(path, &list("More", &order))
        .await
        .expect(422);
    assert_eq!(codes(&answer), ["routingListLimitReachedForPoLine"]);
    let answer = house
        .client
        .post(path, &list("Screens", &other))
        .await
        .expect(422);
    assert_eq!(codes(&answer)[0], "invalidRoutingListForPoLineFormat");
    let nobody = json!({"name": "x", "poLineId": new_id(), "userIds": []});
    let answer = house.client.post(path, &nobody).await.expect(422);
    assert_eq!(codes(&answer), ["poLineNotFoundForRoutingList"]);
    let third = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    let answer = house
        .client
        .post(path, &list("readers", &third))
        .await
        .expect(409);
    assert_eq!(codes(&answer), ["routingListUniqueNameViolation"]);
    let template = format!("{path}/{}/template", text(&stored["id"]));
    let _ = house.client.get(&template).await.expect(404);
}
