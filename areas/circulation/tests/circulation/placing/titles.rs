//! Requests for titles: which item they are for, and what prevents them.

use serde_json::json;

use super::*;
use crate::{OUT, stocked};
use octavo_server_testkit::stock::{CIRC_DESK_2, DVD, check_out};

#[tokio::test]
async fn a_page_for_a_title_takes_the_item_that_is_nearest_to_its_pickup() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    allow_titles(client, json!({})).await;
    // Another location in another library of the same campus, which the second desk serves.
    let location = format!("/locations/{}", stock.location);
    let mut other = client.get(&location).await.expect(200).json();
    let unit = json!({"name": "Branch", "code": "B", "campusId": other["campusId"]});
    let unit = client
        .post("/location-units/libraries", &unit)
        .await
        .expect(201)
        .json();
    for name in ["id", "metadata"] {
        let _ = other.as_object_mut().expect("an object").remove(name);
    }
    let more = json!({"name": "Branch stacks", "code": "T/C/B/S", "libraryId": unit["id"],
                      "primaryServicePoint": CIRC_DESK_2, "servicePointIds": [CIRC_DESK_2]});
    other
        .as_object_mut()
        .expect("an object")
        .extend(more.as_object().expect("an object").clone());
    let other = client.post("/locations", &other).await.expect(201).json();
    let mut items = Vec::new();
    for number in 0..6 {
        let mut item = json!({"barcode": format!("i-{number}"), "holdingsRecordId": stock.holdings,
            "status": {"name": "Available"}, "materialTypeId": DVD,
            "permanentLoanTypeId": octavo_server_testkit::stock::CAN_CIRCULATE});
        if number == 3 {
            item["temporaryLocationId"] = other["id"].clone();
        }
        let stored = client
            .post("/item-storage/items", &item)
            .await
            .expect(201)
            .json();
        items.push(stored["id"].clone());
    }
    let requester = stock.patron("p-1").await;
    let mut body = asked_title(&stock, "Page", &requester);
    body["pickupServicePointId"] = json!(CIRC_DESK_2);
    let placed = place(client, &body).await;
    assert_eq!(placed["itemId"], items[3]);
    assert_eq!(placed["holdingsRecordId"], json!(stock.holdings));
    assert_eq!(
        status(client, items[3].as_str().expect("an id")).await,
        "Paged"
    );
    // One request a title and patron.
    let error = &errors(client.post(REQUESTS, &body).await)[0];
    assert_eq!(
        error["message"],
        "This requester already has an open request for this instance"
    );
    assert_eq!(error["code"], "INSTANCE_ALREADY_REQUESTED");
    // Items and titles are in one queue.
    let second = stock.patron("p-2").await;
    let item = items[0].as_str().expect("an id");
    let placed = place(client, &asked(&stock, "Page", item, &second)).await;
    assert_eq!(placed["position"], 2);
    let error = &errors(
        client
            .post(REQUESTS, &asked_title(&stock, "Page", &second))
            .await,
    )[0];
    assert_eq!(error["code"], "ITEM_OF_THIS_INSTANCE_ALREADY_REQUESTED");
    // Of a location that is named.
    let third = stock.patron("p-3").await;
    let mut body = asked_title(&stock, "Page", &third);
    body["itemLocationCode"] = json!("T/C/B/S");
    let error = &errors(client.post(REQUESTS, &body).await)[0];
    assert_eq!(parameter(error, "itemLocationCode"), "T/C/B/S");
    let mut body = asked_title(&stock, "Page", &third);
    body["itemId"] = items[1].clone();
    body["holdingsRecordId"] = json!(stock.holdings);
    let error = &errors(client.post(REQUESTS, &body).await)[0];
    assert_eq!(error["code"], "CANNOT_CREATE_PAGE_TLR_WITHOUT_ITEM_ID");
    octavo_server_testkit::assert_in_order(&library).await;
}

#[tokio::test]
async fn nothing_is_held_or_recalled_that_can_be_fetched_from_the_shelf() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    allow_titles(client, json!({"tlrHoldShouldFollowCirculationRules": true})).await;
    let item = stock.item("i-1").await;
    let requester = stock.patron("p-1").await;
    let hold = asked_title(&stock, "Hold", &requester);
    let error = &errors(client.post(REQUESTS, &hold).await)[0];
    assert_eq!(
        error["code"],
        "HOLD_AND_RECALL_TLR_NOT_ALLOWED_PAGEABLE_AVAILABLE_ITEM_FOUND"
    );
    assert_eq!(parameter(error, "itemId"), &json!(item));
    assert_eq!(parameter(error, "instanceId"), &json!(stock.instance));
    let _ = stock.patron("p-0").await;
    let _ = client.post(OUT, &check_out("i-1", "p-0")).await.expect(201);
    let placed = place(client, &hold).await;
    assert_eq!(
        (placed.get("itemId"), &placed["position"]),
        (None, &json!(1))
    );
    let page = asked_title(&stock, "Page", &requester);
    let error = only(client.post(REQUESTS, &page).await);
    assert_eq!(
        error,
        "Cannot create page TLR for this instance ID - no pageable available items found"
    );
    // Where no policy allows a hold there is none, as long as the rules are to be followed.
    let policy = "/request-policy-storage/request-policies/334e5a9e-94f9-4673-8d1d-ab552863886b";
    let mut changed = client.get(policy).await.expect(200).json();
    changed["requestTypes"] = json!(["Recall"]);
    let _ = client.put(policy, &changed).await.expect(204);
    let second = stock.patron("p-2").await;
    let answer = client
        .post(REQUESTS, &asked_title(&stock, "Hold", &second))
        .await;
    let error = &errors(answer)[0];
    assert_eq!(
        error["code"],
        "REQUEST_NOT_ALLOWED_FOR_PATRON_TITLE_COMBINATION"
    );
    // Who has one of them does not ask for another.
    let borrower = client
        .query("/users", "barcode==p-0")
        .await
        .expect(200)
        .json();
    let borrower = borrower["users"][0]["id"]
        .as_str()
        .expect("an id")
        .to_owned();
    let answer = client
        .post(REQUESTS, &asked_title(&stock, "Recall", &borrower))
        .await;
    let error = &errors(answer)[0];
    assert_eq!(
        error["code"],
        "REQUESTER_ALREADY_HAS_LOAN_FOR_ONE_OF_INSTANCES_ITEMS"
    );
    octavo_server_testkit::assert_in_order(&library).await;
}

#[tokio::test]
async fn a_recall_of_a_title_calls_back_what_is_due_first_and_was_not_recalled() {
    let (library, stock) = stocked().await;
    let client = &stock.client;
    allow_titles(client, json!({})).await;
    let recall = async |number: usize| {
        let requester = stock.patron(&format!("r-{number}")).await;
        client
            .post(REQUESTS, &asked_title(&stock, "Recall", &requester))
            .await
    };
    let error = only(recall(0).await);
    assert_eq!(error, "Request has no loan or recallable item");
    let mut items = Vec::new();
    for number in 1..=3 {
        items.push(stock.item(&format!("i-{number}")).await);
        let _ = stock.patron(&format!("p-{number}")).await;
        let mut body = check_out(&format!("i-{number}"), &format!("p-{number}"));
        // The second is due first, then the third.
        body["loanDate"] = json!(format!("2026-02-0{}T10:00:00Z", [7, 1, 4][number - 1]));
        let _ = client.post(OUT, &body).await.expect(201);
    }
    let mut chosen = Vec::new();
    for number in 1..=5 {
        let placed = recall(number).await.expect(201).json();
        assert_eq!(placed["position"], json!(number));
        chosen.push(placed["itemId"].as_str().expect("an id").to_owned());
    }
    let expected = [1, 2, 0].map(|number: usize| items[number].clone());
    assert_eq!(chosen[..3], expected);
    // All are recalled now: again one after the other, as they are due now.
    assert_ne!(chosen[3], chosen[4]);
    octavo_server_testkit::assert_in_order(&library).await;
}
