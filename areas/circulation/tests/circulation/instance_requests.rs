//! Requests for any item of an instance: which item is taken, and what is said when none is.

use serde_json::{Value, json};

use super::support::{refused, rule_for};
use super::{OUT, messages, stocked};
use octavo_server_testkit::stock::{BOOK, CIRC_DESK_1, CIRC_DESK_2, DVD, Stock, check_out};

const PATH: &str = "/circulation/requests/instances";
const HOLD_ONLY: &str = "4c6e1fb0-2ef1-4666-bd15-f9190ff89060";

fn wish(stock: &Stock, patron: &str, point: &str) -> Value {
    json!({"instanceId": stock.instance, "requesterId": patron, "pickupServicePointId": point,
           "requestDate": "2026-03-01T10:00:00Z", "patronComments": "Any will do"})
}

/// Another location of the library, which the second desk serves, with holdings of the title.
async fn annex(stock: &mut Stock) -> (String, String) {
    let client = &stock.client;
    let first = (stock.location.clone(), stock.holdings.clone());
    let mut place = client
        .get(&format!("/locations/{}", first.0))
        .await
        .expect(200)
        .json();
    for (name, value) in [
        ("name", json!("Annex")),
        ("code", json!("T/C/M/A")),
        ("primaryServicePoint", json!(CIRC_DESK_2)),
        ("servicePointIds", json!([CIRC_DESK_2])),
    ] {
        place[name] = value;
    }
    let _ = place.as_object_mut().and_then(|place| place.remove("id"));
    let place = client.post("/locations", &place).await.expect(201).json();
    let mut holdings = client
        .get(&format!("/holdings-storage/holdings/{}", first.1))
        .await
        .expect(200)
        .json();
    holdings["permanentLocationId"] = place["id"].clone();
    if let Some(holdings) = holdings.as_object_mut() {
        for gone in ["id", "hrid", "_version", "effectiveLocationId", "metadata"] {
            let _ = holdings.remove(gone);
        }
    }
    let path = "/holdings-storage/holdings";
    let holdings = client.post(path, &holdings).await.expect(201).json();
    let id = |record: &Value| record["id"].as_str().expect("an id").to_owned();
    stock.location = id(&place);
    stock.holdings = id(&holdings);
    first
}

#[tokio::test]
async fn an_item_that_is_there_and_near_is_taken_first_then_what_is_awaited_least() {
    let (_library, mut stock) = stocked().await;
    let first = annex(&mut stock).await;
    let near = stock.item("near").await;
    (stock.location, stock.holdings) = first;
    let far = stock.item("far").await;
    let late = stock.item("late").await;
    let soon = stock.item("soon").await;
    let reader = stock.patron("reader").await;
    let client = &stock.client;
    for (barcode, date) in [
        ("late", "2026-02-02T10:00:00Z"),
        ("soon", "2026-02-01T10:00:00Z"),
    ] {
        let mut lent = check_out(barcode, "reader");
        lent["loanDate"] = json!(date);
        let _ = client.post(OUT, &lent).await.expect(201);
    }
    // FOLIO tries a recall before a hold.
    for (patron, item, kind) in [
        ("p-1", &near, "Page"),
        ("p-2", &far, "Page"),
        // Of what is lent the pages of others count: the lent ones are awaited by nobody.
        ("p-3", &soon, "Recall"),
        ("p-4", &late, "Recall"),
    ] {
        let patron = stock.patron(patron).await;
        let placed = client
            .post(PATH, &wish(&stock, &patron, CIRC_DESK_2))
            .await
            .expect(201)
            .json();
        assert_eq!(
            (&placed["itemId"], &placed["requestType"]),
            (&json!(item), &json!(kind)),
            "{patron}"
        );
        assert_eq!(placed["requestLevel"], "Item");
        assert_eq!(placed["fulfillmentPreference"], "Hold Shelf");
        assert_eq!(placed["status"], "Open - Not yet filled");
        assert_eq!(placed["patronComments"], "Any will do");
        let id = placed["id"].as_str().expect("an id");
        let path = format!("/circulation/requests/{id}");
        let stored = client.get(&path).await.expect(200).json();
        assert_eq!(stored["requesterId"], json!(patron));
    }
    // Who waits for one of the items does not wait for another.
    let again = client
        .post(PATH, &wish(&stock, &reader, CIRC_DESK_1))
        .await
        .expect(201)
        .json();
    let refusal = client
        .post(PATH, &wish(&stock, &reader, CIRC_DESK_1))
        .await
        .expect(422)
        .json();
    assert_eq!(
        refusal["errors"],
        json!([{"message":
            "This requester already has an open request for an item of this instance",
            "parameters": [{"key": "requesterId", "value": reader},
                {"key": "itemId", "value": again["itemId"]},
                {"key": "instanceId", "value": stock.instance}]}])
    );
}

#[tokio::test]
async fn what_the_policy_forbids_is_passed_over() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    rule_for(client, &format!("m {DVD}"), "r", HOLD_ONLY).await;
    let _ = stock.item("there").await;
    let book = stock.item_of("lent", BOOK, "Available").await;
    let _ = stock.patron("reader").await;
    let _ = client
        .post(OUT, &check_out("lent", "reader"))
        .await
        .expect(201);
    let patron = stock.patron("p-1").await;
    let placed = client
        .post(PATH, &wish(&stock, &patron, CIRC_DESK_1))
        .await
        .expect(201)
        .json();
    assert_eq!(placed["itemId"], json!(book));
    assert_eq!(placed["requestType"], "Recall");
}

#[tokio::test]
async fn nothing_to_ask_for_and_nothing_that_is_taken_are_told() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let patron = stock.patron("p-1").await;
    let asked = wish(&stock, &patron, CIRC_DESK_1);
    let none = client.post(PATH, &asked).await;
    refused(
        none,
        "There are no items for this instance",
        "items",
        "empty",
    );
    let mut nowhere = asked.clone();
    nowhere["instanceId"] = json!("0b117416-8dcf-45a1-be9a-ffaa847c4423");
    let none = client.post(PATH, &nowhere).await;
    let sentence = "There are no holdings for this instance";
    refused(none, sentence, "holdingsRecords", "null");
    for (property, sentence) in [
        ("requestDate", "Request must have a request date"),
        ("requesterId", "Request must have a requester id"),
        ("instanceId", "Request must have an instance id"),
    ] {
        let mut without = asked.clone();
        without[property] = Value::Null;
        let refusal = client.post(PATH, &without).await.expect(422).json();
        assert_eq!(messages(&refusal), [sentence]);
        let parameter = &refusal["errors"][0]["parameters"][0];
        assert_eq!(*parameter, json!({"key": property}));
    }
    // What is lost cannot be had in any way: three tries, each with its reason.
    let _ = stock.item_of("lost", DVD, "Declared lost").await;
    let refusal = client.post(PATH, &asked).await.expect(422).json();
    assert!(!messages(&refusal).is_empty(), "{refusal}");
    let _ = client.post(PATH, &json!([])).await.expect(400);
    // Nothing is left of what was refused.
    let stored = client.get("/request-storage/requests").await.expect(200);
    assert_eq!(stored.json()["totalRecords"], 0);
}

#[tokio::test]
async fn where_requests_are_for_titles_the_title_is_asked_for() {
    let (_library, stock) = stocked().await;
    let client = &stock.client;
    let setting = json!({"name": "generalTlr", "value": {
        "titleLevelRequestsFeatureEnabled": true, "tlrHoldShouldFollowCirculationRules": false}});
    let _ = client
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    let item = stock.item("i-1").await;
    for (patron, kind, of) in [("p-1", "Page", Some(&item)), ("p-2", "Recall", Some(&item))] {
        if kind == "Recall" {
            // The page is over and the item lent.
            let _ = client.post(OUT, &check_out("i-1", "p-1")).await.expect(201);
        }
        let patron = stock.patron(patron).await;
        let placed = client
            .post(PATH, &wish(&stock, &patron, CIRC_DESK_1))
            .await
            .expect(201)
            .json();
        assert_eq!(placed["requestLevel"], "Title");
        assert_eq!(placed["requestType"], kind);
        assert_eq!(placed["itemId"].as_str(), of.map(String::as_str));
    }
}
