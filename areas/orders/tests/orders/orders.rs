//! `/orders/composite-orders`: created, changed, opened, closed and deleted.

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS, codes};
use super::{made, text};

#[tokio::test]
async fn an_order_gets_numbers_and_totals() {
    let house = House::new().await;
    for (list, name) in [("prefixes", "PRE"), ("suffixes", "S")] {
        let path = format!("/orders/configuration/{list}");
        let _ = made(&house.client, &path, &json!({"name": name})).await;
    }
    let mut first = house.line(3, 12.5);
    first["cost"]["discount"] = json!(10);
    first["cost"]["additionalCost"] = json!(4.25);
    first["tags"] = json!({"tagList": ["Im Portant"]});
    first["alerts"] = json!([{"alert": "Look at the binding"}]);
    first["reportingCodes"] = json!([{"code": "CODE1"}]);
    let mut second = house.line(1, 20.0);
    second["cost"]["currency"] = json!("EUR");
    second["cost"]["exchangeRate"] = json!(1.25);
    let mut order = house.order("Pending", &[first, second]);
    order["poNumberPrefix"] = json!("PRE");
    order["poNumberSuffix"] = json!("S");
    let order = made(&house.client, ORDERS, &order).await;
    assert_eq!(order["poNumber"], "PRE10000S");
    assert_eq!(order["totalEstimatedPrice"], 63.0);
    assert_eq!(order["totalItems"], 4);
    assert!(order.get("totalEncumbered").is_none());
    let lines = order["compositePoLines"].as_array().expect("lines");
    assert_eq!(lines[0]["poLineNumber"], "PRE10000S-1");
    assert_eq!(lines[1]["poLineNumber"], "PRE10000S-2");
    assert_eq!(lines[0]["cost"]["poLineEstimatedPrice"], 38.0);
    assert_eq!(lines[0]["paymentStatus"], "Pending");
    assert_eq!(lines[0]["tags"]["tagList"], json!(["important"]));
    assert_eq!(lines[0]["alerts"][0]["alert"], "Look at the binding");
    assert_eq!(lines[0]["reportingCodes"][0]["code"], "CODE1");
    assert_eq!(lines[0]["locations"][0]["quantity"], 3);
    assert_eq!(lines[0]["searchLocationIds"], json!([house.stock.location]));
    let tags = house.found("/tags", "label==important", "tags").await;
    assert_eq!(tags.len(), 1);
    let stored = house.stored(&order).await;
    assert_eq!(stored["totalEncumbered"], 0.0);
    assert_eq!(stored["needReEncumber"], false);
    assert_eq!(stored["compositePoLines"], order["compositePoLines"]);
    // A number of a line is not given again.
    let path = format!("{LINES}/{}", text(&lines[1]["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    let mut third = house.line(1, 1.0);
    third["purchaseOrderId"] = order["id"].clone();
    let third = made(&house.client, LINES, &third).await;
    assert_eq!(third["poLineNumber"], "PRE10000S-3");
    // Another number renumbers the lines.
    let mut changed = house.stored(&order).await;
    changed["poNumber"] = json!("PRE7S");
    let _ = house.put(&changed).await.expect(204);
    let lines = house.stored(&order).await["compositePoLines"].clone();
    assert_eq!(lines[0]["poLineNumber"], "PRE7S-1");
    assert_eq!(lines[1]["poLineNumber"], "PRE7S-3");
    assert_eq!(lines[0]["alerts"], order["compositePoLines"][0]["alerts"]);
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    let _ = house.client.get(&path).await.expect(404);
    for (list, key) in [
        ("po-lines", "poLines"),
        ("titles", "titles"),
        ("alerts", "alerts"),
    ] {
        let left = house.all(&format!("/orders-storage/{list}"), key).await;
        assert!(left.is_empty(), "{list}");
    }
}

#[tokio::test]
async fn an_order_is_refused_with_all_reasons() {
    let house = House::new().await;
    let order = |changes: Value| {
        let mut order = house.order("Pending", &[]);
        for (name, value) in changes.as_object().expect("an object") {
            order[name] = value.clone();
        }
        order
    };
    let mut short = house.line(3, -1.0);
    short["locations"][0]["quantityPhysical"] = json!(2);
    let taken = house.order("Pending", &[]);
    let taken = made(&house.client, ORDERS, &taken).await;
    for (body, status, wanted) in [
        (
            order(json!({"orderType": "Ongoing"})),
            422,
            vec!["missingOngoing"],
        ),
        (
            order(json!({"ongoing": {"interval": 1}})),
            422,
            vec!["ongoingNotAllowed"],
        ),
        (
            order(json!({"compositePoLines": [short]})),
            422,
            vec!["physicalLocCostQtyMismatch", "costUnitPriceInvalid"],
        ),
        (
            order(json!({"poNumberPrefix": "NO"})),
            404,
            vec!["prefixNotFound"],
        ),
        (
            order(json!({"poNumberSuffix": "NO"})),
            404,
            vec!["suffixNotFound"],
        ),
        (
            order(json!({"poNumber": taken["poNumber"]})),
            400,
            vec!["poNumberNotUnique"],
        ),
        (
            order(json!({"acqUnitIds": [super::new_id()]})),
            422,
            vec!["orderAcqUnitsNotFound"],
        ),
        (
            order(json!({"vendor": super::new_id(), "workflowStatus": "Open"})),
            422,
            vec!["vendorNotFound"],
        ),
    ] {
        let answer = house.client.post(ORDERS, &body).await.expect(status);
        assert_eq!(codes(&answer), wanted, "{body}");
    }
    for body in [
        order(json!({"poLines": []})),
        order(json!({"poNumber": "A-1"})),
    ] {
        let _ = house.client.post(ORDERS, &body).await.expect(422);
    }
    let left = house
        .all("/orders-storage/purchase-orders", "purchaseOrders")
        .await;
    assert_eq!(left.len(), 1);
    // The validating routes.
    let number = json!({"poNumber": taken["poNumber"]});
    let path = "/orders/po-number/validate";
    let answer = house.client.post(path, &number).await.expect(400);
    assert_eq!(codes(&answer), ["poNumberNotUnique"]);
    let free = json!({"poNumber": "FREE1"});
    let _ = house.client.post(path, &free).await.expect(204);
    let long = json!({"poNumber": "A2345678901234567"});
    let _ = house.client.post(path, &long).await.expect(422);
    let path = "/orders/order-lines/fund-distributions/validate";
    let row = |value: f64| json!({"fundId": house.fund, "distributionType": "percentage", "value": value});
    let cost = json!({"currency": "USD", "listUnitPrice": 120, "quantityPhysical": 1});
    let body = json!({"cost": cost, "fundDistribution": [row(60.0), row(40.0)]});
    let _ = house.client.put(path, &body).await.expect(204);
    let body = json!({"cost": cost, "fundDistribution": [row(60.0), row(39.99)]});
    let answer = house.client.put(path, &body).await.expect(422);
    assert_eq!(codes(&answer), ["incorrectFundDistributionTotal"]);
    assert_eq!(
        answer.json()["errors"][0]["parameters"],
        json!([{"key": "remainingAmount", "value": "0.01"}])
    );
}

#[tokio::test]
async fn the_number_of_lines_has_a_limit() {
    let house = House::new().await;
    let entries = house
        .found(
            "/configurations/entries",
            "configName==poLines-limit",
            "configs",
        )
        .await;
    let path = format!("/configurations/entries/{}", text(&entries[0]["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    let two = house.order("Pending", &[house.line(1, 1.0), house.line(1, 1.0)]);
    let answer = house.client.post(ORDERS, &two).await.expect(422);
    assert_eq!(codes(&answer), ["polLimitExceeded"]);
    let one = house.ordered("Pending", &[house.line(1, 1.0)]).await;
    let mut line = house.line(1, 1.0);
    line["purchaseOrderId"] = one["id"].clone();
    let answer = house.client.post(LINES, &line).await.expect(422);
    assert_eq!(codes(&answer), ["polLimitExceeded"]);
}

#[tokio::test]
async fn approval_is_asked_for_before_opening() {
    let house = House::new().await;
    house
        .set("approvals", "{\"isApprovalRequired\":true}")
        .await;
    let body = house.order("Open", &[house.line(1, 1.0)]);
    let answer = house.client.post(ORDERS, &body).await.expect(400);
    assert_eq!(codes(&answer), ["orderApprovalRequired"]);
    // The Pending order stays, and can be opened later.
    let stored = house
        .all("/orders-storage/purchase-orders", "purchaseOrders")
        .await;
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0]["workflowStatus"], "Pending");
    let mut order = house.stored(&stored[0]).await;
    order["approved"] = json!(true);
    order["workflowStatus"] = json!("Open");
    let _ = house.put(&order).await.expect(204);
    let order = house.stored(&stored[0]).await;
    assert_eq!(order["workflowStatus"], "Open");
    assert!(order["approvalDate"].is_string() && order["approvedById"].is_string());
}

#[tokio::test]
async fn a_closed_order_is_only_stored() {
    let house = House::new().await;
    let order = house.ordered("Closed", &[house.line(1, 10.0)]).await;
    assert_eq!(order["workflowStatus"], "Closed");
    assert!(house.encumbrances().await.is_empty());
    assert!(house.pieces().await.is_empty() && house.items().await.is_empty());
}

#[tokio::test]
async fn protected_properties_stay() {
    let house = House::new().await;
    let order = house.ordered("Open", &[house.line(1, 10.0)]).await;
    let mut changed = house.stored(&order).await;
    changed["poNumber"] = json!("OTHER1");
    changed["reEncumber"] = json!(true);
    let answer = house.put(&changed).await.expect(400);
    assert_eq!(codes(&answer), ["protectedFieldChanging"]);
    assert_eq!(
        answer.json()["errors"][0]["protectedAndModifiedFields"],
        json!(["poNumber", "reEncumber"])
    );
    let mut line = house.stored(&order).await["compositePoLines"][0].clone();
    line["rush"] = json!(true);
    let answer = house.put_line(&line).await.expect(400);
    assert_eq!(codes(&answer), ["protectedFieldChanging"]);
    line["rush"] = json!(false);
    line["locations"][0]["quantityPhysical"] = json!(2);
    line["cost"]["quantityPhysical"] = json!(2);
    let answer = house.put_line(&line).await.expect(400);
    assert_eq!(codes(&answer), ["locationCannotBeModifiedAfterOpen"]);
    line["purchaseOrderId"] = json!(super::new_id());
    let answer = house.put_line(&line).await.expect(422);
    assert_eq!(codes(&answer), ["orderIdMismatch"]);
    let mut late = house.line(1, 1.0);
    late["purchaseOrderId"] = order["id"].clone();
    let answer = house.client.post(LINES, &late).await.expect(422);
    assert_eq!(codes(&answer), ["orderOpen"]);
    let mut grown = house.stored(&order).await;
    grown["compositePoLines"]
        .as_array_mut()
        .expect("lines")
        .push(house.line(1, 1.0));
    let answer = house.put(&grown).await.expect(422);
    assert_eq!(codes(&answer), ["orderOpen"]);
}

#[tokio::test]
async fn an_order_with_invoices_stays() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(1, 10.0)]).await;
    let tie = json!({"purchaseOrderId": order["id"], "invoiceId": super::new_id()});
    let _ = made(&house.client, "/orders-storage/order-invoice-relns", &tie).await;
    let path = format!("{ORDERS}/{}", text(&order["id"]));
    let answer = house.client.delete(&path).await.expect(400);
    assert_eq!(codes(&answer), ["orderRelatesToInvoice"]);
}

#[tokio::test]
async fn small_lists_keep_what_is_used() {
    let house = House::new().await;
    let client = &house.client;
    let prefix = made(
        client,
        "/orders/configuration/prefixes",
        &json!({"name": "p"}),
    )
    .await;
    let mut order = house.order("Pending", &[house.line(1, 1.0)]);
    order["poNumberPrefix"] = json!("p");
    let _ = made(client, ORDERS, &order).await;
    let path = format!("/orders/configuration/prefixes/{}", text(&prefix["id"]));
    let answer = client.delete(&path).await.expect(400);
    assert_eq!(codes(&answer), ["prefixIsUsed"]);
    let mismatch = json!({"id": super::new_id(), "name": "q"});
    let answer = client.put(&path, &mismatch).await.expect(422);
    assert_eq!(codes(&answer), ["idMismatch"]);
    let system = format!("/orders/acquisition-methods/{}", super::METHOD);
    let answer = client.delete(&system).await.expect(400);
    assert_eq!(codes(&answer), ["forbiddenDeleteSystemValues"]);
    let reasons = "/orders/configuration/reasons-for-closure";
    let reason = json!({"reason": "No room", "source": "System"});
    assert_eq!(made(client, reasons, &reason).await["source"], "User");
    let template = json!({"templateName": "Books", "vendor": house.vendor});
    let _ = made(client, "/orders/order-templates", &template).await;
    let answer = client.post("/orders/order-templates", &template).await;
    assert_eq!(codes(&answer), ["templateNameNotUnique"]);
    let unit = made(client, "/acquisitions-units/units", &json!({"name": "Law"})).await;
    let path = format!("/acquisitions-units/units/{}", text(&unit["id"]));
    let _ = client.delete(&path).await.expect(204);
    assert_eq!(house.get(&path).await["isDeleted"], true);
    let units = house
        .all("/acquisitions-units/units", "acquisitionsUnits")
        .await;
    assert!(units.is_empty());
    let deleted = house
        .found(
            "/acquisitions-units/units",
            "isDeleted==true",
            "acquisitionsUnits",
        )
        .await;
    assert_eq!(deleted.len(), 1);
}
