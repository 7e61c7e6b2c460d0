//! Codes that orders are refused with at their changes: numbers, statuses, what opening lacks, what is used.

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS};
use super::{made, new_id, text};

fn changed(mut record: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().expect("an object") {
        record[name] = value.clone();
    }
    record
}

#[tokio::test]
async fn the_number_of_an_order_fits_it() {
    let house = House::new().await;
    for (list, name) in [("prefixes", "PRE"), ("suffixes", "S")] {
        let path = format!("/orders/configuration/{list}");
        let _ = made(&house.client, &path, &json!({"name": name})).await;
    }
    let order = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    let stored = house.stored(&order).await;
    for (changes, status, wanted) in [
        (
            json!({"poNumber": null}),
            422,
            "poNumberRequired: PO Number is missing",
        ),
        (
            json!({"poNumberPrefix": "PRE", "poNumber": "10000"}),
            400,
            "poNumberPrefixRequired: PO Number must start with Prefix",
        ),
        (
            json!({"poNumberSuffix": "S", "poNumber": "10000"}),
            400,
            "poNumberSuffixRequired: PO Number must ends with Suffix",
        ),
        (
            json!({"poNumberPrefix": "NO", "poNumber": "NO1"}),
            404,
            "prefixNotFound: The prefix is not available",
        ),
        (
            json!({"poNumberSuffix": "NO", "poNumber": "1NO"}),
            404,
            "suffixNotFound: The suffix is not available",
        ),
    ] {
        let answer = house.put(&changed(stored.clone(), &changes)).await;
        assert_eq!(answer.expect(status).errors(), [wanted], "{changes}");
    }
    // Another order's number, in whatever case; its own is not looked up.
    let other = changed(house.order("Pending", &[]), &json!({"poNumber": "Other1"}));
    let _ = made(&house.client, ORDERS, &other).await;
    let taken = changed(stored.clone(), &json!({"poNumber": "Other1"}));
    let answer = house.put(&taken).await.expect(400);
    let unique = "poNumberNotUnique: PO Number already exists";
    assert_eq!(answer.errors(), [unique]);
    let _ = house.put(&stored).await.expect(204);
    let mut other = stored.clone();
    other["id"] = json!(new_id());
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let answer = house.client.put(&path, &other).await.expect(422);
    let mismatch = "idMismatch: Mismatch between id in path and request body";
    assert_eq!(answer.errors(), [mismatch]);
    let missing = format!("{ORDERS}/{}", new_id());
    let answer = house.client.get(&missing).await.expect(404);
    assert_eq!(answer.errors(), ["notFound: Not Found"]);
    assert_eq!(house.stored(&order).await["poNumber"], stored["poNumber"]);
    house.in_order().await;
}

#[tokio::test]
async fn lines_are_added_to_pending_orders() {
    let house = House::new().await;
    let open = house.ordered("Open", &[house.line(1, 1.0)]).await;
    let closed = house.ordered("Closed", &[house.line(1, 1.0)]).await;
    let new = |order: Value| changed(house.line(1, 1.0), &json!({"purchaseOrderId": order}));
    for (line, wanted) in [
        (
            house.line(1, 1.0),
            "orderIdRequired: Purchase order id is missing in PoLine object",
        ),
        (
            new(json!(new_id())),
            "orderNotFound: The order cannot be found by provided order id",
        ),
        (
            new(open["id"].clone()),
            "orderOpen: Order cannot be modified in Open status",
        ),
        (
            new(closed["id"].clone()),
            "orderClosed: Order cannot be modified in Closed status",
        ),
    ] {
        let answer = house.client.post(LINES, &line).await.expect(422);
        assert_eq!(answer.errors(), [wanted]);
    }
    for (order, wanted) in [
        (&open, "orderOpen: Order cannot be modified in Open status"),
        (
            &closed,
            "orderClosed: Order cannot be modified in Closed status",
        ),
    ] {
        let mut more = house.stored(order).await;
        let lines = more["compositePoLines"].as_array_mut().expect("lines");
        lines.push(house.line(1, 1.0));
        let answer = house.put(&more).await.expect(422);
        assert_eq!(answer.errors(), [wanted]);
    }
    let line = open["compositePoLines"][0].clone();
    let path = format!("{LINES}/{}", text(&line["id"]));
    let other = changed(line.clone(), &json!({"id": new_id()}));
    let answer = house.client.put(&path, &other).await.expect(422);
    let mismatch = "idMismatch: Mismatch between id in path and request body";
    assert_eq!(answer.errors(), [mismatch]);
    let other = changed(line, &json!({"purchaseOrderId": closed["id"]}));
    let answer = house.client.put(&path, &other).await.expect(422);
    let mismatch = "orderIdMismatch: Mismatch between order id in the request and storage";
    assert_eq!(answer.errors(), [mismatch]);
    house.in_order().await;
}

#[tokio::test]
async fn an_ongoing_order_keeps_its_terms() {
    let house = House::new().await;
    let mut body = house.order("Open", &[house.line(1, 10.0)]);
    body["orderType"] = json!("Ongoing");
    body["ongoing"] = json!({"interval": 12, "isSubscription": false,
                             "renewalDate": "2026-05-01T00:00:00.000+00:00"});
    let order = made(&house.client, ORDERS, &body).await;
    let wanted = "wrongOngoingNotSubscriptionFieldsChanged: Fields [interval, renewalDate, reviewPeriod, \
                  manualRenewal] could not be changed when ongoing subscription = false";
    for (name, value) in [
        ("interval", json!(6)),
        ("renewalDate", json!("2027-05-01T00:00:00.000+00:00")),
        ("reviewPeriod", json!(3)),
        ("manualRenewal", json!(true)),
    ] {
        let mut other = house.stored(&order).await;
        other["ongoing"][name] = value;
        let answer = house.put(&other).await.expect(400);
        assert_eq!(answer.errors(), [wanted], "{name}");
    }
    let mut other = house.stored(&order).await;
    other["ongoing"]["notes"] = json!("Ask the faculty");
    let _ = house.put(&other).await.expect(204);
    house.in_order().await;
}

/// What opening needs of the inventory, with the name of what is missing; and holdings that are none.
#[tokio::test]
async fn opening_names_what_the_inventory_lacks() {
    let house = House::new().await;
    for (setting, code, message) in [
        (
            "inventory-instanceTypeCode",
            "missingInstanceType",
            "Instance-type is a required field for creating an Instance in Inventory",
        ),
        (
            "inventory-instanceStatusCode",
            "missingInstanceStatus",
            "Instance-status is a required field for creating an Instance in Inventory",
        ),
        (
            "inventory-holdingsSourceName",
            "missingHoldingsSourceId",
            "Holdings source id were not found in inventory-storage",
        ),
        (
            "inventory-loanTypeName",
            "missingLoanType",
            "Loan-type is a required field for creating an Item in Inventory",
        ),
    ] {
        let order = house.ordered("Pending", &[house.line(1, 10.0)]).await;
        let entry = json!({"module": "ORDERS", "configName": setting, "value": "nowhere"});
        let entry = made(&house.client, "/configurations/entries", &entry).await;
        let answer = house.turn(&order, "Open").await.expect(500);
        let wanted = format!("{code}: {message} {{missingEntry=nowhere}}");
        assert_eq!(answer.errors(), [wanted]);
        let path = format!("/configurations/entries/{}", text(&entry["id"]));
        let _ = house.client.delete(&path).await.expect(204);
    }
    let mut line = house.line(1, 10.0);
    let nowhere = new_id();
    line["locations"] = json!([{"holdingId": nowhere, "quantityPhysical": 1}]);
    let order = house.ordered("Pending", &[line]).await;
    let answer = house.turn(&order, "Open").await.expect(404);
    let wanted = format!("holdingsByIdNotFoundError: Holdings with id {nowhere} not found");
    assert_eq!(answer.errors(), [wanted]);
    // All of that made nothing.
    assert!(house.items().await.is_empty() && house.pieces().await.is_empty());
    let instances = house.all("/instance-storage/instances", "instances").await;
    assert_eq!(instances.len(), 1);
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    house.in_order().await;
}

/// An order with more pieces at a place than copies is not opened.
#[tokio::test]
async fn pieces_fit_the_locations_of_an_order_that_opens() {
    let house = House::new().await;
    let mut line = house.line(1, 10.0);
    line["physical"]["createInventory"] = json!("None");
    let order = house.ordered("Pending", &[line]).await;
    let line = &order["compositePoLines"][0]["id"];
    let titles = house.all("/orders-storage/titles", "titles").await;
    let piece = json!({"format": "Physical", "poLineId": line, "titleId": titles[0]["id"],
                       "receivingStatus": "Expected", "locationId": house.stock.location});
    let mut last = json!(null);
    for _ in 0..2 {
        last = made(&house.client, "/orders-storage/pieces", &piece).await;
    }
    let answer = house.turn(&order, "Open").await.expect(422);
    assert_eq!(
        answer.errors(),
        ["piecesNeedToBeDeleted: Pieces need to be deleted"]
    );
    let path = format!("/orders-storage/pieces/{}", text(&last["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    let _ = house.turn(&order, "Open").await.expect(204);
    // Fewer pieces than copies are completed: FOLIO's piecesNeedToBeCreated is never answered.
    let mut line = house.line(2, 10.0);
    line["physical"]["createInventory"] = json!("None");
    let order = house.ordered("Pending", &[line]).await;
    let _ = house.turn(&order, "Open").await.expect(204);
    assert_eq!(house.pieces().await.len(), 3);
    house.in_order().await;
}

#[tokio::test]
async fn what_orders_use_stays() {
    let house = House::new().await;
    let client = &house.client;
    let suffix = json!({"name": "s"});
    let suffix = made(client, "/orders/configuration/suffixes", &suffix).await;
    let method = json!({"value": "By barter"});
    let method = made(client, "/orders/acquisition-methods", &method).await;
    let line = changed(
        house.line(1, 1.0),
        &json!({"acquisitionMethod": method["id"]}),
    );
    let mut order = house.order("Pending", &[line]);
    order["poNumberSuffix"] = json!("s");
    let order = made(client, ORDERS, &order).await;
    let suffix = format!("/orders/configuration/suffixes/{}", text(&suffix["id"]));
    let method = format!("/orders/acquisition-methods/{}", text(&method["id"]));
    for (path, wanted) in [
        (
            &suffix,
            "suffixIsUsed: The suffix cannot be deleted as it is used by one or more orders",
        ),
        (
            &method,
            "forbiddenDeleteUsedValue: Deleting the value used is prohibited",
        ),
    ] {
        let answer = client.delete(path).await.expect(400);
        assert_eq!(answer.errors(), [wanted]);
    }
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let _ = client.delete(&path).await.expect(204);
    for path in [&suffix, &method] {
        let _ = client.delete(path).await.expect(204);
    }
}
