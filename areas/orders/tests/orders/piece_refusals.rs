//! Codes that pieces are refused with: adding, deleting, receiving, binding.

use octavo_server_testkit::staff;
use octavo_server_testkit::stock::{BOOK, CAN_CIRCULATE, CIRC_DESK_1};
use octavo_testkit::Answer;
use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS};
use super::{made, new_id, text};
use octavo_testkit::error_text;

const PIECES: &str = "/orders/pieces";

/// An open order for copies: the order, its line and the title.
async fn opened(
    house: &House,
    copies: i64,
    making: &str,
    independent: bool,
) -> (Value, Value, Value) {
    let mut line = house.line(copies, 10.0);
    line["physical"]["createInventory"] = json!(making);
    line["checkinItems"] = json!(independent);
    let order = house.ordered("Open", &[line]).await;
    let line = order["compositePoLines"][0].clone();
    let query = format!("poLineId=={}", text(&line["id"]));
    let titles = house.found("/orders/titles", &query, "titles").await;
    (order, line, titles[0].clone())
}

async fn pieces_of(house: &House, line: &Value) -> Vec<Value> {
    let query = format!("poLineId=={}", text(&line["id"]));
    house.found(PIECES, &query, "pieces").await
}

#[tokio::test]
async fn a_new_piece_fits_its_line() {
    let house = House::new().await;
    let (_, line, title) = opened(&house, 1, "Instance, Holding", false).await;
    let pending = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    let pending = &pending["compositePoLines"][0]["id"];
    let piece = |changes: Value| {
        let mut piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": title["id"],
            "receivingStatus": "Expected", "holdingId": line["locations"][0]["holdingId"]});
        for (name, value) in changes.as_object().expect("an object") {
            piece[name] = value.clone();
        }
        piece
    };
    let of_line = text(&line["id"]);
    let item = format!(
        "createItemForPieceIsNotAllowedError: Create item for piece format Physical is not allowed. \
         Please check inventory option in the purchase order line {of_line}"
    );
    for (piece, query, wanted) in [
        (
            piece(json!({"holdingId": null})),
            "",
            "locationIdAndHoldingIdAbsentError: Reference on holding or location must present",
        ),
        (
            piece(json!({"locationId": house.stock.location})),
            "",
            "mayBeLinkToEitherHoldingOrLocationError: There may be a link to either the holding or the \
             location",
        ),
        (
            piece(json!({"format": "Electronic"})),
            "",
            "pieceFormatIsNotValid: Piece format Electronic is not compatible with purchase line \
             Physical Resource",
        ),
        (
            piece(json!({"displayToPublic": true, "displayOnHolding": false})),
            "",
            "pieceDisplayOnHoldingsIsNotConsistent: Display On Holdings could not be set to false when \
             Display To Public is true",
        ),
        (piece(json!({})), "?createItem=true", item.as_str()),
        (
            piece(json!({"poLineId": pending})),
            "",
            "pieceRelatedOrderDataIsNotValid: Adding piece for pending order with synchronized workflow \
             is not allowed",
        ),
    ] {
        let path = format!("{PIECES}{query}");
        let answer = house.client.post(&path, &piece).await.expect(400);
        assert_eq!(answer.errors(), [wanted], "{piece}");
        if query.is_empty() {
            let batch = json!({"pieces": [piece], "totalRecords": 1});
            let answer = house.client.post("/orders/pieces-batch", &batch).await;
            assert_eq!(answer.expect(400).errors(), [wanted], "{piece}");
        }
    }
    let lost = piece(json!({"titleId": new_id()}));
    let answer = house.client.post(PIECES, &lost).await.expect(404);
    let wanted = "titleNotFound: Associated title not found for PO Line";
    assert_eq!(answer.errors(), [wanted]);
    let two = json!({"pieces": [piece(json!({})), piece(json!({"poLineId": pending}))],
                     "totalRecords": 2});
    let answer = house.client.post("/orders/pieces-batch", &two).await;
    let wanted = "allPiecesMustHaveTheSamePoLineIdAndTitleId: All pieces in the batch should have the \
                  same titleId and poLineId";
    assert_eq!(answer.expect(422).errors(), [wanted]);
    let nobody = new_id();
    let late = json!({"pieceIds": [nobody], "receivingStatus": "Late"});
    let path = "/orders/pieces-batch/status";
    let answer = house.client.put(path, &late).await.expect(400);
    let wanted = format!("pieceNotFound: The piece record is not found {{pieceIds={nobody}}}");
    assert_eq!(answer.errors(), [wanted]);
    assert_eq!(pieces_of(&house, &line).await.len(), 1);
    assert_eq!(house.budget().await, "10, 0, 0, 0");
    house.in_order().await;
}

/// A patron's hold on an item.
async fn requested(house: &House, item: &Value, instance: &Value, barcode: &str) -> Value {
    let patron = house.stock.patron(barcode).await;
    let path = format!("/item-storage/items/{}", text(item));
    let holdings = house.get(&path).await["holdingsRecordId"].clone();
    let body = json!({"requestLevel": "Item", "requestType": "Hold",
        "requestDate": "2026-02-02T10:00:00Z", "requesterId": patron, "instanceId": instance,
        "holdingsRecordId": holdings, "itemId": item, "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": CIRC_DESK_1});
    made(&house.client, "/circulation/requests", &body).await
}

const REQUESTS: &str = "thereAreRequestsOnItem: There are requests on item";

#[tokio::test]
async fn a_piece_that_is_needed_stays() {
    let house = House::new().await;
    let (order, line, _) = opened(&house, 1, "Instance, Holding, Item", false).await;
    let pieces = pieces_of(&house, &line).await;
    let path = format!("{PIECES}/{}", text(&pieces[0]["id"]));
    let answer = house.client.delete(&path).await.expect(422);
    let wanted = format!(
        "lastPiece: The piece cannot be deleted because it is the last piece for the poLine with \
         Receiving Workflow 'Synchronized order and receipt quantity' and cost quantity '1' \
         {{OverallCostQuantity=1, PoLineId={}}}",
        text(&line["id"])
    );
    assert_eq!(answer.errors(), [wanted]);
    // A patron waits for the item of one of two.
    let (_, two, _) = opened(&house, 2, "Instance, Holding, Item", false).await;
    let pieces = pieces_of(&house, &two).await;
    let item = &pieces[0]["itemId"];
    let _ = requested(&house, item, &two["instanceId"], "p-1").await;
    let path = format!("{PIECES}/{}", text(&pieces[0]["id"]));
    let answer = house.client.delete(&path).await.expect(422);
    assert_eq!(answer.errors(), [REQUESTS]);
    let path = format!(
        "/orders/pieces-requests?pieceIds={}",
        text(&pieces[0]["id"])
    );
    let _ = house.client.get(&path).await.expect(200);
    // Unopening with holdings asks for requests, without holdings it does not.
    let _ = requested(
        &house,
        &pieces_of(&house, &line).await[0]["itemId"],
        &line["instanceId"],
        "p-2",
    )
    .await;
    let mut unopened = house.stored(&order).await;
    unopened["workflowStatus"] = json!("Pending");
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let with = format!("{path}?deleteHoldings=true");
    let answer = house.client.put(&with, &unopened).await.expect(422);
    assert_eq!(answer.errors(), [REQUESTS]);
    assert_eq!(house.budget().await, "30, 0, 0, 0");
    assert_eq!(house.items().await.len(), 3);
}

/// The reasons of a receiving request's pieces.
fn reasons(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let results = body["receivingResults"][0]["receivingItemResults"].clone();
    let reason = |one: &Value| match &one["processingStatus"]["error"] {
        Value::Null => text(&one["processingStatus"]["type"]),
        error => error_text(error),
    };
    results
        .as_array()
        .expect("results")
        .iter()
        .map(reason)
        .collect()
}

async fn receive(
    client: &octavo_testkit::Client,
    line: &Value,
    piece: &Value,
    more: &Value,
) -> Answer {
    let mut item = json!({"pieceId": piece});
    for (name, value) in more.as_object().expect("an object") {
        item[name] = value.clone();
    }
    let body = json!({"toBeReceived": [{"poLineId": line, "received": 1, "receivedItems": [item]}],
                      "totalRecords": 1});
    client.post("/orders/receive", &body).await
}

#[tokio::test]
async fn each_piece_says_why_it_was_not_received() {
    let house = House::new().await;
    let (_, line, title) = opened(&house, 2, "Instance, Holding, Item", false).await;
    let (_, other, _) = opened(&house, 1, "Instance, Holding, Item", false).await;
    let pieces = pieces_of(&house, &line).await;
    let bare = json!({"format": "Physical", "poLineId": line["id"], "titleId": title["id"],
                      "receivingStatus": "Expected"});
    let bare = made(&house.client, "/orders-storage/pieces", &bare).await;
    // An item that somebody deleted meanwhile.
    let path = format!("/item-storage/items/{}", text(&pieces[1]["itemId"]));
    let _ = house.client.delete(&path).await.expect(204);
    let none = json!({});
    for (of, piece, more, wanted) in [
        (
            &line,
            &json!(new_id()),
            &none,
            "pieceNotFound: The piece record is not found".to_owned(),
        ),
        (
            &other,
            &pieces[0]["id"],
            &none,
            "piecePolMismatch: The piece does not correspond to PO line".to_owned(),
        ),
        (
            &line,
            &bare["id"],
            &none,
            "locNotProvided: Location not provided".to_owned(),
        ),
        (
            &line,
            &pieces[1]["id"],
            &none,
            "itemNotRetrieved: The item record is not retrieved".to_owned(),
        ),
    ] {
        let answer = receive(&house.client, &of["id"], piece, more).await;
        assert_eq!(reasons(&answer.expect(200)), [wanted]);
    }
    // Units of the title protect its pieces.
    let unit = json!({"name": "Law", "protectUpdate": true, "protectRead": false});
    let unit = made(&house.client, "/acquisitions-units/units", &unit).await;
    let path = format!("/orders-storage/titles/{}", text(&title["id"]));
    let mut protected = house.get(&path).await;
    protected["acqUnitIds"] = json!([unit["id"]]);
    let _ = house.client.put(&path, &protected).await.expect(204);
    let has = ["orders.receiving.collection.post"];
    let (clerk, _) = staff(&house.library, &house.client, "clerk", &has).await;
    let answer = receive(&clerk, &line["id"], &pieces[0]["id"], &none).await;
    let wanted = "userHasNoPermission: User does not have permissions - operation is restricted";
    assert_eq!(reasons(&answer.expect(200)), [wanted]);
    let stored = house
        .get(&format!("{PIECES}/{}", text(&pieces[0]["id"])))
        .await;
    assert_eq!(stored["receivingStatus"], "Expected");
    let stored = house.get(&format!("{LINES}/{}", text(&line["id"]))).await;
    assert_eq!(stored["receiptStatus"], "Awaiting Receipt");
}

/// What the inventory refuses fails one piece, and the others arrive.
#[tokio::test]
async fn an_item_that_cannot_be_written_fails_its_piece() {
    let house = House::new().await;
    let mut line = house.line(3, 10.0);
    line["checkinItems"] = json!(true);
    line["physical"]["materialType"] = json!(new_id());
    let order = house.ordered("Open", &[line]).await;
    let line = order["compositePoLines"][0].clone();
    let titles = house.all("/orders-storage/titles", "titles").await;
    let stock = format!("/item-storage/items/{}", house.stock.item("i-1").await);
    let mut item = house.get(&stock).await;
    item["holdingsRecordId"] = line["locations"][0]["holdingId"].clone();
    let _ = house.client.put(&stock, &item).await.expect(204);
    let mut pieces = Vec::new();
    for with in [json!(null), item["id"].clone(), json!(null)] {
        let piece = json!({"format": "Physical", "poLineId": line["id"],
            "titleId": titles[0]["id"], "receivingStatus": "Expected", "itemId": with,
            "holdingId": line["locations"][0]["holdingId"]});
        pieces.push(made(&house.client, "/orders-storage/pieces", &piece).await);
    }
    let body = json!({"toBeCheckedIn": [{"poLineId": line["id"], "checkedIn": 3, "checkInPieces": [
        {"id": pieces[0]["id"], "createItem": true},
        {"id": pieces[1]["id"], "materialTypeId": new_id()},
        {"id": pieces[2]["id"]}]}], "totalRecords": 3});
    let answer = house.client.post("/orders/check-in", &body).await;
    let reasons = reasons(&answer.expect(200));
    let wanted = [
        "itemCreationFailed: The item record failed to be created {cause=",
        "itemUpdateFailed: The item record failed to be updated {cause=",
        "success",
    ];
    for (reason, wanted) in reasons.iter().zip(wanted) {
        assert!(reason.starts_with(wanted), "{reason}");
    }
    let of_pieces = pieces_of(&house, &line).await;
    let received = of_pieces
        .iter()
        .filter(|piece| piece["receivingStatus"] == "Received");
    assert_eq!(received.count(), 1);
    house.in_order().await;
}

/// A package that is none any more keeps its titles, and its pieces are not received before they are one.
#[tokio::test]
async fn a_line_that_is_no_package_has_one_title() {
    let house = House::new().await;
    let mut package = house.line(1, 10.0);
    package["isPackage"] = json!(true);
    package["checkinItems"] = json!(true);
    let order = house.ordered("Open", &[package]).await;
    let line = order["compositePoLines"][0].clone();
    let mut title = json!(null);
    for name in ["Weirs", "Locks"] {
        let body = json!({"title": name, "poLineId": line["id"]});
        title = made(&house.client, "/orders/titles", &body).await;
    }
    let piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": title["id"],
                       "receivingStatus": "Expected", "locationId": house.stock.location});
    let piece = made(&house.client, PIECES, &piece).await;
    let path = format!("/orders-storage/po-lines/{}", text(&line["id"]));
    let mut single = house.get(&path).await;
    single["isPackage"] = json!(false);
    let _ = house.client.put(&path, &single).await.expect(204);
    let answer = receive(&house.client, &line["id"], &piece["id"], &json!({})).await;
    let wanted = "multipleNonPackageTitles: Non package PO Line must contain only one title.";
    assert_eq!(answer.expect(400).errors(), [wanted]);
    single["isPackage"] = json!(true);
    let _ = house.client.put(&path, &single).await.expect(204);
    let answer = receive(&house.client, &line["id"], &piece["id"], &json!({})).await;
    assert_eq!(reasons(&answer.expect(200)), ["success"]);
}

/// Requests on what is bound move to the bound item through circulation, or stop the binding.
#[tokio::test]
async fn requests_on_bound_pieces_are_decided_about() {
    let house = House::new().await;
    let (_, line, title) = opened(&house, 2, "Instance, Holding, Item", true).await;
    let holdings = &line["locations"][0]["holdingId"];
    for _ in 0..2 {
        let piece = json!({"format": "Physical", "poLineId": line["id"], "titleId": title["id"],
                           "receivingStatus": "Expected", "holdingId": holdings});
        let path = format!("{PIECES}?createItem=true");
        let _ = made(&house.client, &path, &piece).await;
    }
    let pieces = pieces_of(&house, &line).await;
    let arrived: Vec<Value> = pieces
        .iter()
        .map(|piece| json!({"id": piece["id"]}))
        .collect();
    let body = json!({"toBeCheckedIn": [{"poLineId": line["id"], "checkedIn": 2,
                      "checkInPieces": arrived}], "totalRecords": 2});
    let _ = house
        .client
        .post("/orders/check-in", &body)
        .await
        .expect(200);
    let mut held = Vec::new();
    for (at, barcode) in [(0, "p-1"), (0, "p-2"), (1, "p-3")] {
        let item = &pieces[at]["itemId"];
        held.push(requested(&house, item, &line["instanceId"], barcode).await);
    }
    let ids: Vec<&Value> = pieces.iter().map(|piece| &piece["id"]).collect();
    let mut body = json!({"poLineId": line["id"], "bindPieceIds": ids, "bindItem": {
        "barcode": "BOUND1", "holdingId": holdings, "materialTypeId": BOOK,
        "permanentLoanTypeId": CAN_CIRCULATE}});
    let path = "/orders/bind-pieces";
    let answer = house.client.post(path, &body).await.expect(422);
    let wanted = "requestsActionRequired: There are circulation requests on items and requestsAction \
                  should be populated";
    assert_eq!(answer.errors(), [wanted]);
    body["requestsAction"] = json!("Transfer");
    body["bindItem"]["tenantId"] = json!("elsewhere");
    let stored = format!("{PIECES}/{}", text(&pieces[0]["id"]));
    let mut piece = house.get(&stored).await;
    piece["receivingTenantId"] = json!("diku");
    let _ = house.client.put(&stored, &piece).await.expect(204);
    let answer = house.client.post(path, &body).await.expect(422);
    let wanted = "piecesHaveDifferentReceivingTenantIds: All pieces do not have the same \
                  receivingTenantId";
    assert_eq!(answer.errors(), [wanted]);
    body["bindItem"]["tenantId"] = json!("diku");
    let bound = house.client.post(path, &body).await.expect(200).json();
    let request = async |at: usize| {
        let path = format!("/request-storage/requests/{}", text(&held[at]["id"]));
        house.get(&path).await
    };
    let mut places = Vec::new();
    for at in 0..3 {
        let request = request(at).await;
        assert_eq!(request["itemId"], bound["itemId"]);
        assert_eq!(request["item"]["barcode"], "BOUND1");
        places.push(request["position"].as_i64().expect("a position"));
    }
    places.sort_unstable();
    assert_eq!(places, [1, 2, 3]);
    // Circulation has written what happened.
    let log = "/audit-data/circulation/logs";
    let query = "object==Request and action==Moved";
    let moved = house.found(log, query, "logRecords").await;
    assert_eq!(moved.len(), 3);
    house.in_order().await;
}
