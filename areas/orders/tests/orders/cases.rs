//! Worked cases of opening, reopening, unopening and receiving that no other file has.

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS, codes};
use super::{made, new_id, text};

const PIECES: &str = "/orders/pieces";

fn merged(mut line: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().expect("an object") {
        line[name] = value.clone();
    }
    line
}

/// C2, C3, C4, C9 and C11.
#[tokio::test]
async fn distributions_share_the_price() {
    let house = House::new().await;
    let row = |kind: &str, value: f64| json!({"fundId": house.fund, "distributionType": kind, "value": value});
    let classless = |line: Value, rows: Vec<Value>, funds: &[String]| {
        let rows: Vec<Value> = rows
            .into_iter()
            .zip(funds)
            .map(|(row, fund)| merged(row, &json!({"fundId": fund})))
            .collect();
        merged(line, &json!({"fundDistribution": rows}))
    };
    let (second, _) = house.funded("LAW", &json!({})).await;
    let (third, _) = house.funded("MAPS", &json!({})).await;
    let funds = [house.fund.clone(), second, third];
    let euro = |rate: Value| {
        json!({"currency": "EUR", "listUnitPrice": 10, "quantityPhysical": 1,
               "exchangeRate": rate})
    };
    const P: &str = "percentage";
    let dollars = |price: f64, rows: &[(&str, f64)]| {
        let rows = rows.iter().map(|(kind, value)| row(kind, *value)).collect();
        classless(house.line(1, price), rows, &funds)
    };
    let mut rated = dollars(80.05, &[(P, 50.0), (P, 50.0)]);
    rated["cost"]["exchangeRate"] = json!(1.3);
    for (case, lines, mut wanted) in [
        (
            "C2",
            vec![dollars(10.01, &[(P, 50.0), (P, 50.0)])],
            vec!["5", "5.01"],
        ),
        (
            "C3",
            vec![dollars(0.05, &[(P, 30.0), (P, 30.0), (P, 40.0)])],
            vec!["0.01", "0.02", "0.02"],
        ),
        (
            "C4",
            vec![dollars(10.0, &[("amount", 3.33), (P, 33.35), (P, 33.35)])],
            vec!["3.33", "3.33", "3.34"],
        ),
        (
            "C9",
            vec![
                merged(house.line(1, 1.0), &json!({"cost": euro(json!(null))})),
                merged(house.line(1, 1.0), &json!({"cost": euro(json!(1.2))})),
            ],
            vec!["12", "12"],
        ),
        ("C11", vec![rated], vec!["40.02", "40.03"]),
    ] {
        let order = house.ordered("Open", &lines).await;
        let query = format!("encumbrance.sourcePurchaseOrderId=={}", text(&order["id"]));
        let path = "/finance-storage/transactions";
        let found = house.found(path, &query, "transactions").await;
        let mut amounts: Vec<String> = found
            .iter()
            .map(|one| {
                let amount = one["amount"].to_string();
                amount.strip_suffix(".0").unwrap_or(&amount).to_owned()
            })
            .collect();
        amounts.sort_unstable();
        wanted.sort_unstable();
        assert_eq!(amounts, wanted, "{case}");
    }
    house.in_order().await;
}

/// With whom and in which year an order is opened.
#[tokio::test]
async fn an_order_opens_with_a_vendor_and_one_year() {
    let house = House::new().await;
    let organization = async |code: &str, status: &str, vendor: bool| {
        let body = json!({"name": code, "code": code, "status": status, "isVendor": vendor});
        let path = "/organizations-storage/organizations";
        text(&made(&house.client, path, &body).await["id"])
    };
    let resting = organization("REST", "Inactive", true).await;
    let friends = organization("FRIENDS", "Active", false).await;
    let opened = async |vendor: &str, lines: &[Value], status: u16| {
        let mut order = house.order("Open", lines);
        order["vendor"] = json!(vendor);
        codes(&house.client.post(ORDERS, &order).await.expect(status))
    };
    let line = house.line(1, 10.0);
    let one = [line.clone()];
    assert_eq!(opened(&resting, &one, 422).await, ["vendorIsInactive"]);
    assert_eq!(
        opened(&friends, &one, 422).await,
        ["organizationNotAVendor"]
    );
    let electronic = |provider: &str| {
        merged(
            line.clone(),
            &json!({"orderFormat": "Electronic Resource", "physical": null, "locations": [],
                    "cost": {"currency": "USD", "listUnitPriceElectronic": 5,
                             "quantityElectronic": 1},
                    "eresource": {"createInventory": "None", "accessProvider": provider}}),
        )
    };
    let missing = [electronic(&new_id())];
    assert_eq!(
        opened(&house.vendor, &missing, 422).await,
        ["accessProviderNotFound"]
    );
    let inactive = [electronic(&resting)];
    assert_eq!(
        opened(&house.vendor, &inactive, 422).await,
        ["accessProviderIsInactive"]
    );
    // A provider need not be a vendor.
    let mut order = house.order("Open", &[electronic(&friends)]);
    order["vendor"] = json!(house.vendor);
    let _ = made(&house.client, ORDERS, &order).await;
    // A PUT asks for lines.
    let empty = house.ordered("Pending", &[]).await;
    let answer = house.turn(&empty, "Open").await.expect(422);
    assert_eq!(codes(&answer), ["compositeOrderMissingPoLines"]);
    // Funds of other years, without a year and without a budget.
    let ledger = async |code: &str, end: &str| {
        let year = json!({"name": code, "code": format!("{code}2026"), "series": code,
                          "currency": "USD", "periodStart": "2000-01-01", "periodEnd": end});
        let year = made(&house.client, "/finance-storage/fiscal-years", &year).await;
        let ledger = json!({"name": code, "code": code, "fiscalYearOneId": year["id"],
                            "ledgerStatus": "Active"});
        let ledger = made(&house.client, "/finance-storage/ledgers", &ledger).await;
        (text(&year["id"]), text(&ledger["id"]))
    };
    let fund = async |code: &str, ledger: &str| {
        let fund = json!({"name": code, "code": code, "fundStatus": "Active",
                          "ledgerId": ledger});
        text(&made(&house.client, "/finance-storage/funds", &fund).await["id"])
    };
    let (year, other_ledger) = ledger("AY", "2150-12-31").await;
    let (_, past_ledger) = ledger("PY", "2001-12-31").await;
    let other = fund("OTHER", &other_ledger).await;
    let past = fund("PAST", &past_ledger).await;
    let poor = fund("POOR", &house.ledger).await;
    let on = |funds: &[&str]| {
        #[expect(clippy::cast_precision_loss, reason = "two or one")]
        let share = 100.0 / funds.len() as f64;
        let rows: Vec<Value> = funds
            .iter()
            .map(|fund| json!({"fundId": fund, "distributionType": "percentage", "value": share}))
            .collect();
        house.order(
            "Open",
            &[merged(line.clone(), &json!({"fundDistribution": rows}))],
        )
    };
    for (funds, status, code, key, value) in [
        (
            vec![house.fund.as_str(), other.as_str()],
            422,
            "multipleFiscalYears",
            "fiscalYearIds",
            year.as_str(),
        ),
        (vec![past.as_str()], 404, "currentFYearNotFound", "", ""),
        (
            vec![poor.as_str()],
            422,
            "budgetNotFoundForFiscalYear",
            "fundCodes",
            "POOR",
        ),
    ] {
        let answer = house.client.post(ORDERS, &on(&funds)).await.expect(status);
        assert_eq!(codes(&answer), [code]);
        let parameters = answer.json()["errors"][0]["parameters"].clone();
        let found = parameters
            .as_array()
            .expect("a list")
            .iter()
            .find(|one| one["key"] == key);
        if !key.is_empty() {
            let found = text(&found.expect("the parameter")["value"]);
            assert!(found.contains(value), "{found}");
        }
    }
    assert!(house.items().await.is_empty());
}

/// Unopening by what was made, by the workflow and by what is asked for.
#[tokio::test]
async fn an_unopened_order_takes_back_what_is_only_expected() {
    let house = House::new().await;
    for (making, independent, delete, pieces, items, holdings_stay) in [
        ("None", false, false, 0, 0, None),
        ("Instance", false, true, 0, 0, None),
        ("Instance, Holding", false, false, 0, 0, Some(true)),
        ("Instance, Holding", false, true, 0, 0, Some(false)),
        ("Instance, Holding, Item", false, false, 0, 0, Some(true)),
        ("Instance, Holding, Item", false, true, 0, 0, Some(false)),
        ("Instance, Holding", true, false, 1, 0, Some(true)),
        ("Instance, Holding", true, true, 1, 0, Some(false)),
        ("Instance, Holding, Item", true, true, 1, 1, Some(true)),
    ] {
        let case = format!("{making} {independent} {delete}");
        let mut line = house.line(1, 1.0);
        line["physical"]["createInventory"] = json!(making);
        line["checkinItems"] = json!(independent);
        let order = house.ordered("Open", &[line]).await;
        let line = order["compositePoLines"][0].clone();
        let holdings = line["locations"][0]["holdingId"]
            .as_str()
            .map(str::to_owned);
        let of_line = format!("poLineId=={}", text(&line["id"]));
        if independent {
            let titles = house.found("/orders/titles", &of_line, "titles").await;
            let piece = json!({"format": "Physical", "poLineId": line["id"],
                               "titleId": titles[0]["id"], "receivingStatus": "Expected",
                               "holdingId": holdings});
            let path = format!("{PIECES}?createItem={}", making.ends_with("Item"));
            let _ = made(&house.client, &path, &piece).await;
        }
        let mut unopened = house.stored(&order).await;
        unopened["workflowStatus"] = json!("Pending");
        let path = format!("{ORDERS}/{}?deleteHoldings={delete}", text(&order["id"]));
        let _ = house.client.put(&path, &unopened).await.expect(204);
        let left = house.found(PIECES, &of_line, "pieces").await;
        assert_eq!(left.len(), pieces, "pieces: {case}");
        let query = format!("purchaseOrderLineIdentifier=={}", text(&line["id"]));
        let left = house.found("/item-storage/items", &query, "items").await;
        assert_eq!(left.len(), items, "items: {case}");
        let stored = house.stored(&order).await;
        let line = &stored["compositePoLines"][0];
        assert_eq!(line["paymentStatus"], "Pending", "{case}");
        assert_eq!(line["receiptStatus"], "Pending", "{case}");
        let place = &line["locations"][0];
        assert_eq!(holdings.is_some(), holdings_stay.is_some(), "{case}");
        if let (Some(holdings), Some(stay)) = (holdings, holdings_stay) {
            let path = format!("/holdings-storage/holdings/{holdings}");
            let status = house.client.get(&path).await.status;
            assert_eq!(status, if stay { 200 } else { 404 }, "holdings: {case}");
            assert_eq!(place.get("holdingId").is_some(), stay, "{case}");
        }
        if holdings_stay != Some(true) {
            assert_eq!(place["locationId"], house.stock.location, "{case}");
        }
    }
    house.in_order().await;
}

/// A reopening without money is an unforeseen error, and changes nothing.
#[tokio::test]
async fn an_order_reopens_only_with_money() {
    let house = House::with(true).await;
    let first = house.ordered("Open", &[house.line(1, 600.0)]).await;
    let _ = house.turn(&first, "Closed").await.expect(204);
    let _ = house.ordered("Open", &[house.line(1, 500.0)]).await;
    let _ = house.turn(&first, "Open").await.expect(500);
    let stored = house.stored(&first).await;
    assert_eq!(stored["workflowStatus"], "Closed");
    assert_eq!(house.budget().await, "500, 0, 0, 0");
    let mut statuses: Vec<String> = house
        .items()
        .await
        .iter()
        .map(|item| text(&item["status"]["name"]))
        .collect();
    statuses.sort_unstable();
    assert_eq!(statuses, ["On order", "Order closed"]);
    house.in_order().await;
}

/// M14 to M17.
#[tokio::test]
async fn lines_follow_pieces_and_orders() {
    let house = House::new().await;
    let statuses = async |order: &Value| {
        let order = house.stored(order).await;
        let line = &order["compositePoLines"][0];
        [
            text(&order["workflowStatus"]),
            text(&line["paymentStatus"]),
            text(&line["receiptStatus"]),
        ]
    };
    // M14.
    let none = json!({"paymentStatus": "Payment Not Required",
                      "receiptStatus": "Receipt Not Required"});
    let order = house
        .ordered("Closed", &[merged(house.line(1, 1.0), &none)])
        .await;
    let _ = house.turn(&order, "Open").await.expect(204);
    assert_eq!(
        statuses(&order).await,
        ["Open", "Awaiting Payment", "Awaiting Receipt"]
    );
    let receive = async |piece: &Value| {
        let path = format!("{PIECES}/{}", text(&piece["id"]));
        let mut piece = house.get(&path).await;
        piece["receivingStatus"] = json!("Received");
        let _ = house.client.put(&path, &piece).await.expect(204);
    };
    let pieces_of = async |order: &Value| {
        let line = text(&order["compositePoLines"][0]["id"]);
        house
            .found(PIECES, &format!("poLineId=={line}"), "pieces")
            .await
    };
    // M15.
    let mut ongoing = house.order("Open", &[house.line(1, 10.0)]);
    ongoing["orderType"] = json!("Ongoing");
    ongoing["ongoing"] = json!({"interval": 12, "isSubscription": false});
    let ongoing = made(&house.client, ORDERS, &ongoing).await;
    receive(&pieces_of(&ongoing).await[0]).await;
    assert_eq!(statuses(&ongoing).await, ["Open", "Ongoing", "Ongoing"]);
    // M16.
    let independent = json!({"checkinItems": true});
    let pending = house
        .ordered("Pending", &[merged(house.line(1, 1.0), &independent)])
        .await;
    let line = text(&pending["compositePoLines"][0]["id"]);
    let query = format!("poLineId=={line}");
    let titles = house.found("/orders/titles", &query, "titles").await;
    let piece = json!({"format": "Physical", "poLineId": line, "titleId": titles[0]["id"],
                       "receivingStatus": "Expected", "locationId": house.stock.location});
    let piece = made(&house.client, PIECES, &piece).await;
    receive(&piece).await;
    assert_eq!(
        statuses(&pending).await,
        ["Pending", "Pending", "Fully Received"]
    );
    // M17.
    let three = house.ordered("Open", &[house.line(3, 1.0)]).await;
    let pieces = pieces_of(&three).await;
    for piece in &pieces[..2] {
        receive(piece).await;
    }
    let path = format!("{PIECES}/{}", text(&pieces[2]["id"]));
    let _ = house.client.delete(&path).await.expect(204);
    assert_eq!(
        statuses(&three).await,
        ["Open", "Awaiting Payment", "Partially Received"]
    );
    let path = format!("{LINES}/{}", text(&three["compositePoLines"][0]["id"]));
    assert_eq!(house.get(&path).await["cost"]["quantityPhysical"], 2);
    house.in_order().await;
}
