//! What opening, closing, reopening and unopening do: inventory, encumbrances and statuses.

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS, codes};
use super::{made, new_id, text};

#[tokio::test]
async fn an_order_that_opens_makes_what_it_orders() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(2, 50.0)]).await;
    assert_eq!(order["workflowStatus"], "Open");
    assert!(order["dateOrdered"].is_string());
    let line = &order["compositePoLines"][0];
    assert_eq!(line["paymentStatus"], "Awaiting Payment");
    assert_eq!(line["receiptStatus"], "Awaiting Receipt");
    let instance = house
        .get(&format!(
            "/instance-storage/instances/{}",
            text(&line["instanceId"])
        ))
        .await;
    assert_eq!(instance["title"], "A field guide to river mills");
    assert_eq!(instance["source"], "FOLIO");
    assert!(instance["hrid"].is_string());
    assert_eq!(instance["identifiers"][0]["value"], "9780866989732");
    let place = &line["locations"][0];
    assert!(place.get("locationId").is_none());
    let holdings = house
        .get(&format!(
            "/holdings-storage/holdings/{}",
            text(&place["holdingId"])
        ))
        .await;
    assert_eq!(holdings["instanceId"], line["instanceId"]);
    assert_eq!(holdings["permanentLocationId"], house.stock.location);
    assert_eq!(line["searchLocationIds"], json!([house.stock.location]));
    let items = house.items().await;
    assert_eq!(items.len(), 2);
    for item in &items {
        assert_eq!(item["status"]["name"], "On order");
        assert_eq!(item["holdingsRecordId"], place["holdingId"]);
        assert_eq!(item["purchaseOrderLineIdentifier"], line["id"]);
    }
    let pieces = house.pieces().await;
    assert_eq!(pieces.len(), 2);
    for piece in &pieces {
        assert_eq!(piece["receivingStatus"], "Expected");
        assert_eq!(piece["holdingId"], place["holdingId"]);
        assert!(items.iter().any(|item| item["id"] == piece["itemId"]));
    }
    let titles = house.all("/orders-storage/titles", "titles").await;
    assert_eq!(titles[0]["instanceId"], line["instanceId"]);
    assert_eq!(
        house.encumbrances().await,
        ["100/100/0/0/0 Unreleased Open"]
    );
    assert_eq!(house.budget().await, "100, 0, 0, 0");
    assert_eq!(house.stored(&order).await["totalEncumbered"], 100.0);
    // The same book again: the instance is found, the holdings are new.
    let again = house.ordered("Open", &[house.line(1, 10.0)]).await;
    let other = &again["compositePoLines"][0];
    assert_eq!(other["instanceId"], line["instanceId"]);
    assert_ne!(other["locations"][0]["holdingId"], place["holdingId"]);
    // Unless instances are not to be matched.
    let setting = "{\"isInstanceMatchingDisabled\":true}";
    house.set("disableInstanceMatching", setting).await;
    let third = house.ordered("Open", &[house.line(1, 10.0)]).await;
    assert_ne!(
        third["compositePoLines"][0]["instanceId"],
        line["instanceId"]
    );
}

#[tokio::test]
async fn each_kind_of_line_makes_its_own() {
    let house = House::new().await;
    let mut none = house.line(2, 1.0);
    none["physical"]["createInventory"] = json!("None");
    let mut instance = house.line(1, 1.0);
    instance["physical"]["createInventory"] = json!("Instance");
    let mut independent = house.line(2, 1.0);
    independent["checkinItems"] = json!(true);
    let mut mix = house.line(1, 1.0);
    mix["orderFormat"] = json!("P/E Mix");
    mix["cost"]["quantityElectronic"] = json!(1);
    mix["cost"]["listUnitPriceElectronic"] = json!(2);
    mix["eresource"] = json!({"createInventory": "None"});
    mix["locations"][0]["quantityElectronic"] = json!(1);
    let mut package = house.line(1, 1.0);
    package["isPackage"] = json!(true);
    let lines = [none, instance, independent, mix, package];
    let order = house.ordered("Open", &lines).await;
    let lines = order["compositePoLines"].as_array().expect("lines").clone();
    let of = |records: &[Value], line: &Value, property: &str| {
        records
            .iter()
            .filter(|one| one[property] == line["id"])
            .count()
    };
    let (pieces, items) = (house.pieces().await, house.items().await);
    for (line, wanted) in lines.iter().zip([(2, 0), (1, 0), (0, 0), (2, 1), (0, 0)]) {
        let made = (
            of(&pieces, line, "poLineId"),
            of(&items, line, "purchaseOrderLineIdentifier"),
        );
        assert_eq!(made, wanted, "{line}");
    }
    assert!(lines[0].get("instanceId").is_none());
    assert!(lines[1]["instanceId"].is_string());
    assert_eq!(lines[1]["locations"][0]["locationId"], house.stock.location);
    assert!(lines[2]["locations"][0]["holdingId"].is_string());
    // Only the printed copy has holdings.
    assert_eq!(lines[3]["locations"].as_array().map(Vec::len), Some(2));
    assert!(lines[3]["locations"][0]["holdingId"].is_string());
    assert_eq!(lines[3]["locations"][1]["locationId"], house.stock.location);
    assert!(lines[4].get("instanceId").is_none());
    assert_eq!(house.budget().await, "9, 0, 0, 0");
}

#[tokio::test]
async fn a_refused_opening_leaves_nothing_but_the_pending_order() {
    let house = House::with(true).await;
    let (other, _) = house.funded("LAW", &json!({})).await;
    let nobody = new_id();
    let fund = |id: &str, value: f64| json!({"fundId": id, "distributionType": "percentage", "value": value});
    let with = |changes: Value| {
        let mut line = house.line(1, 10.0);
        for (name, value) in changes.as_object().expect("an object") {
            line[name] = value.clone();
        }
        line
    };
    let mut dear = house.line(1, 1000.01);
    dear["details"] = json!({});
    for (line, status, wanted) in [
        (dear, 422, "fundCannotBePaid"),
        (
            with(json!({"fundDistribution": [fund(&house.fund, 60.0), fund(&other, 39.0)]})),
            422,
            "incorrectFundDistributionTotal",
        ),
        (
            with(json!({"fundDistribution": [fund(&nobody, 100.0)]})),
            404,
            "fundsNotFound",
        ),
        (
            with(json!({"physical": {"createInventory": "Instance, Holding, Item"}})),
            422,
            "materialTypeRequired",
        ),
        (
            with(json!({"contributors": [{"contributor": "V", "contributorNameTypeId": nobody}]})),
            500,
            "missingContributorNameType",
        ),
    ] {
        let body = house.order("Open", std::slice::from_ref(&line));
        let answer = house.client.post(ORDERS, &body).await.expect(status);
        assert_eq!(codes(&answer), [wanted], "{line}");
    }
    let orders = house
        .all("/orders-storage/purchase-orders", "purchaseOrders")
        .await;
    assert_eq!(orders.len(), 5);
    assert!(
        orders
            .iter()
            .all(|order| order["workflowStatus"] == "Pending")
    );
    assert!(house.pieces().await.is_empty() && house.items().await.is_empty());
    assert!(house.encumbrances().await.is_empty());
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    let instances = house.all("/instance-storage/instances", "instances").await;
    assert_eq!(instances.len(), 1);
    // A PUT that is refused leaves the lines as they were.
    let mut order = house.stored(&orders[0]).await;
    order["workflowStatus"] = json!("Open");
    order["compositePoLines"][0]["titleOrPackage"] = json!("Another title");
    let answer = house.put(&order).await.expect(422);
    assert_eq!(codes(&answer), ["fundCannotBePaid"]);
    let stored = house.stored(&orders[0]).await;
    assert_ne!(
        stored["compositePoLines"][0]["titleOrPackage"],
        "Another title"
    );
    // Exactly the limit passes.
    let _ = house.ordered("Open", &[house.line(1, 1000.0)]).await;
}

#[tokio::test]
async fn a_restricted_fund_is_for_its_locations() {
    let house = House::new().await;
    let elsewhere = new_id();
    let here = json!([{"locationId": house.stock.location}]);
    let there = json!([{"locationId": elsewhere}]);
    for (code, locations, opens) in [("HERE", here, true), ("THERE", there, false)] {
        let more = json!({"restrictByLocations": true, "locations": locations});
        let (fund, _) = house.funded(code, &more).await;
        let mut line = house.line(1, 10.0);
        line["fundDistribution"][0]["fundId"] = json!(fund);
        let order = house.ordered("Pending", &[line]).await;
        let answer = house.turn(&order, "Open").await;
        if opens {
            let _ = answer.expect(204);
            continue;
        }
        let answer = answer.expect(422);
        assert_eq!(codes(&answer), ["fundLocationRestrictionViolation"]);
        let parameters = &answer.json()["errors"][0]["parameters"];
        assert_eq!(parameters[2]["key"], "restrictedLocations");
        assert_eq!(parameters[2]["value"], format!("[{elsewhere}]"));
    }
}

#[tokio::test]
async fn one_encumbrance_through_its_life() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 100.0)]).await;
    assert_eq!(house.budget().await, "100, 0, 0, 0");
    let line = || async { house.stored(&order).await["compositePoLines"][0].clone() };
    let price = |mut line: Value, price: f64| {
        line["cost"]["listUnitPrice"] = json!(price);
        line
    };
    let paid = |mut line: Value, status: &str| {
        line["paymentStatus"] = json!(status);
        line
    };
    // D2, D7, D8, D9.
    for (sent, after, budget) in [
        (
            price(line().await, 120.0),
            "120/120/0/0/0 Unreleased Open",
            "120, 0, 0, 0",
        ),
        (
            paid(price(line().await, 120.0), "Cancelled"),
            "0/120/0/0/0 Released Open",
            "0, 0, 0, 0",
        ),
        (
            paid(price(line().await, 120.0), "Awaiting Payment"),
            "120/120/0/0/0 Unreleased Open",
            "120, 0, 0, 0",
        ),
        (
            price(line().await, 150.0),
            "150/150/0/0/0 Unreleased Open",
            "150, 0, 0, 0",
        ),
    ] {
        let _ = house.put_line(&sent).await.expect(204);
        assert_eq!(house.encumbrances().await, [after]);
        assert_eq!(house.budget().await, budget);
    }
    // D28: a PUT of the order touches no encumbrance.
    let mut same = house.stored(&order).await;
    same["compositePoLines"][0]["cost"]["listUnitPrice"] = json!(500);
    same["compositePoLines"][0]["paymentStatus"] = json!("Cancelled");
    let _ = house.put(&same).await.expect(204);
    assert_eq!(house.budget().await, "150, 0, 0, 0");
    let back = paid(price(line().await, 150.0), "Awaiting Payment");
    let _ = house.put_line(&back).await.expect(204);
    // D10 to D13: closed, reopened, unopened, opened again.
    for (status, after, budget) in [
        ("Closed", "0/150/0/0/0 Released Closed", "0, 0, 0, 0"),
        ("Open", "150/150/0/0/0 Unreleased Open", "150, 0, 0, 0"),
        ("Pending", "0/0/0/0/0 Pending Pending", "0, 0, 0, 0"),
        ("Open", "150/150/0/0/0 Unreleased Open", "150, 0, 0, 0"),
    ] {
        let _ = house.turn(&order, status).await.expect(204);
        assert_eq!(house.encumbrances().await, [after], "{status}");
        assert_eq!(house.budget().await, budget, "{status}");
        let stored = house.stored(&order).await;
        assert_eq!(stored["workflowStatus"], status);
    }
    // Another fund: the encumbrance moves.
    let (other, budget) = house.funded("LAW", &json!({})).await;
    let mut moved = line().await;
    moved["fundDistribution"][0]["fundId"] = json!(other);
    let _ = house.put_line(&moved).await.expect(204);
    assert_eq!(
        house.encumbrances().await,
        ["150/150/0/0/0 Unreleased Open"]
    );
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    let budget = house
        .get(&format!("/finance-storage/budgets/{budget}"))
        .await;
    assert_eq!(budget["encumbered"], 150.0);
    // Deleted with its order.
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    assert!(house.encumbrances().await.is_empty());
}

#[tokio::test]
async fn items_follow_their_order() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(2, 10.0)]).await;
    let statuses = || async {
        let items = house.items().await;
        let names: Vec<String> = items
            .iter()
            .map(|one| text(&one["status"]["name"]))
            .collect();
        names.join(", ")
    };
    let mut closed = house.stored(&order).await;
    closed["workflowStatus"] = json!("Closed");
    closed["closeReason"] = json!({"reason": "Cancelled"});
    let _ = house.put(&closed).await.expect(204);
    assert_eq!(statuses().await, "Order closed, Order closed");
    let line = house.stored(&order).await["compositePoLines"][0].clone();
    assert_eq!(line["paymentStatus"], "Cancelled");
    assert_eq!(line["receiptStatus"], "Cancelled");
    let _ = house.turn(&order, "Open").await.expect(204);
    assert_eq!(statuses().await, "On order, On order");
    let line = house.stored(&order).await["compositePoLines"][0].clone();
    assert_eq!(line["paymentStatus"], "Awaiting Payment");
    assert_eq!(line["receiptStatus"], "Awaiting Receipt");
    // Unopened: what was expected goes, the holdings stay unless they are to go too.
    let _ = house.turn(&order, "Pending").await.expect(204);
    assert!(house.items().await.is_empty() && house.pieces().await.is_empty());
    let line = house.stored(&order).await["compositePoLines"][0].clone();
    assert_eq!(line["paymentStatus"], "Pending");
    let holdings = text(&line["locations"][0]["holdingId"]);
    let _ = house.turn(&order, "Open").await.expect(204);
    assert_eq!(house.pieces().await.len(), 2);
    let mut unopened = house.stored(&order).await;
    unopened["workflowStatus"] = json!("Pending");
    let path = format!("{ORDERS}/{}?deleteHoldings=true", text(&order["id"]));
    let _ = house.client.put(&path, &unopened).await.expect(204);
    let line = house.stored(&order).await["compositePoLines"][0].clone();
    assert_eq!(line["locations"][0]["locationId"], house.stock.location);
    let path = format!("/holdings-storage/holdings/{holdings}");
    let _ = house.client.get(&path).await.expect(404);
}

#[tokio::test]
async fn an_order_closes_when_all_is_done() {
    let house = House::new().await;
    let order = house
        .ordered("Open", &[house.line(1, 10.0), house.line(1, 20.0)])
        .await;
    let lines = house.stored(&order).await["compositePoLines"].clone();
    for (at, payment, receipt, status) in [
        (0, "Fully Paid", "Fully Received", "Open"),
        (1, "Payment Not Required", "Cancelled", "Closed"),
        // One side is not enough to open it again.
        (1, "Fully Paid", "Awaiting Receipt", "Closed"),
        (1, "Partially Paid", "Awaiting Receipt", "Open"),
    ] {
        let mut line = house
            .get(&format!("{LINES}/{}", text(&lines[at]["id"])))
            .await;
        line["paymentStatus"] = json!(payment);
        line["receiptStatus"] = json!(receipt);
        let _ = house.put_line(&line).await.expect(204);
        let stored = house.stored(&order).await;
        assert_eq!(stored["workflowStatus"], status, "{payment} {receipt}");
        if status == "Closed" {
            assert_eq!(stored["closeReason"]["reason"], "Complete");
        }
    }
    // What was released stays so.
    for encumbrance in house.encumbrances().await {
        assert!(encumbrance.ends_with("Released Open"), "{encumbrance}");
    }
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    // Cancelled in both: for that reason.
    let order = house.ordered("Open", &[house.line(1, 5.0)]).await;
    let mut line = house.stored(&order).await["compositePoLines"][0].clone();
    line["paymentStatus"] = json!("Cancelled");
    line["receiptStatus"] = json!("Cancelled");
    let _ = house.put_line(&line).await.expect(204);
    let stored = house.stored(&order).await;
    assert_eq!(stored["closeReason"], json!({"reason": "Cancelled"}));
    let items = house
        .found(
            "/item-storage/items",
            "status.name==\"Order closed\"",
            "items",
        )
        .await;
    assert_eq!(items.len(), 1);
}

#[tokio::test]
async fn an_ongoing_order_stays_open() {
    let house = House::new().await;
    let mut body = house.order("Open", &[house.line(1, 10.0)]);
    body["orderType"] = json!("Ongoing");
    body["ongoing"] = json!({"interval": 12, "isSubscription": true});
    let order = made(&house.client, ORDERS, &body).await;
    let line = order["compositePoLines"][0].clone();
    assert_eq!(line["paymentStatus"], "Ongoing");
    assert_eq!(line["receiptStatus"], "Ongoing");
    let mut changed = house.stored(&order).await;
    changed["ongoing"]["manualRenewal"] = json!(true);
    let answer = house.put(&changed).await.expect(400);
    assert_eq!(codes(&answer), ["wrongOngoingSubscriptionFieldsChanged"]);
}
