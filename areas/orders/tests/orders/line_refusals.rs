//! Every code that a line is refused with, with its message and parameters, for lines of new orders, new lines
//! and changed ones.

use serde_json::{Value, json};

use super::house::{House, LINES, ORDERS};
use super::{made, new_id, text};

const MISMATCH: &str = "physicalLocCostQtyMismatch: PO Line physical quantity and Locations physical \
                        quantity do not match";

fn merged(mut line: Value, changes: &Value) -> Value {
    for (name, value) in changes.as_object().expect("an object") {
        line[name] = value.clone();
    }
    line
}

/// What is changed of a printed copy for 10.00, and what it is refused with.
fn cases(house: &House) -> Vec<(Value, Vec<&'static str>)> {
    let here =
        |physical: i64| json!({"locationId": house.stock.location, "quantityPhysical": physical});
    let cost = |more: Value| {
        merged(
            json!({"currency": "USD", "listUnitPrice": 60, "quantityPhysical": 1}),
            &more,
        )
    };
    let electronic = |more: Value| {
        let mut line = json!({"orderFormat": "Electronic Resource", "physical": null, "locations": [],
            "eresource": {"createInventory": "None"},
            "cost": {"currency": "USD", "listUnitPriceElectronic": 5, "quantityElectronic": 1}});
        for (name, value) in more.as_object().expect("an object") {
            line[name] = value.clone();
        }
        line
    };
    vec![
        (
            json!({"cost": {"currency": "USD", "listUnitPrice": 60}}),
            vec![
                "zeroCostQtyPhysical: Physical cost quantity must be specified",
                MISMATCH,
            ],
        ),
        (
            electronic(
                json!({"eresource": {"createInventory": "Instance, Holding"},
                "cost": {"currency": "USD", "listUnitPriceElectronic": 5},
                "locations": [{"locationId": house.stock.location, "quantityElectronic": 1}]}),
            ),
            vec![
                "zeroCostQtyElectronic: Electronic cost quantity must be specified",
                "electronicLocCostQtyMismatch: PO Line electronic quantity and Locations electronic \
                 quantity do not match",
            ],
        ),
        (
            electronic(
                json!({"cost": {"currency": "USD", "listUnitPriceElectronic": 5,
                                       "quantityElectronic": 1, "quantityPhysical": 1}}),
            ),
            vec!["nonZeroCostQtyPhysical: Physical cost quantity must not be specified"],
        ),
        (
            json!({"cost": cost(json!({"quantityElectronic": 1}))}),
            vec!["nonZeroCostQtyElectronic: Electronic cost quantity must not be specified"],
        ),
        (
            json!({"locations": [here(1), here(0)]}),
            vec!["zeroLocQty: Physical or electronic location quantity must be specified"],
        ),
        (json!({"locations": [here(2)]}), vec![MISMATCH]),
        (
            json!({"locations": [{"quantityPhysical": 1}]}),
            vec![
                "locationIdAndHoldingIdAbsentError: Reference on holding or location must present",
            ],
        ),
        (
            json!({"locations": [merged(here(1), &json!({"holdingId": new_id()}))]}),
            vec![
                "mayBeLinkToEitherHoldingOrLocationError: There may be a link to either the holding \
                 or the location",
            ],
        ),
        (
            json!({"cost": cost(json!({"listUnitPrice": null}))}),
            vec!["costUnitPriceInvalid: Cost's list unit price is invalid"],
        ),
        (
            electronic(
                json!({"cost": {"currency": "USD", "listUnitPriceElectronic": 5,
                                       "listUnitPrice": 0.01, "quantityElectronic": 1}}),
            ),
            vec!["costUnitPriceInvalid: Cost's list unit price is invalid"],
        ),
        (
            json!({"cost": cost(json!({"listUnitPriceElectronic": 0.01}))}),
            vec![
                "costUnitPriceElectronicInvalid: Cost's list unit price for Electronic resource(s) is \
                 invalid",
            ],
        ),
        (
            json!({"cost": cost(json!({"additionalCost": -0.01}))}),
            vec!["costAdditionalCostInvalid: Cost's additional cost must be positive number"],
        ),
        (
            json!({"cost": cost(json!({"discount": 100.01, "discountType": "percentage"}))}),
            vec!["costDiscountInvalid: Cost's discount is invalid"],
        ),
        // A5: the price would be −1.00.
        (
            json!({"cost": cost(json!({"discount": 76, "discountType": "amount",
                                       "additionalCost": 15}))}),
            vec!["costDiscountInvalid: Cost's discount is invalid"],
        ),
        (
            json!({"claimingActive": true, "claimingInterval": 0}),
            vec![
                "claimingConfigInvalid: Claiming interval should be set and greater than 0 if \
                 claiming is active",
            ],
        ),
        (
            electronic(json!({"details": {"isBinderyActive": true}})),
            vec![
                "orderFormatIncorrectForBindaryActive: When PoLine is bindery active, its format must \
                 be 'P/E Mix' or 'Physical Resource'",
                "createInventoryIncorrectForBindaryActive: When PoLine is bindery active, Create \
                 Inventory must be 'Instance, Holding, Item'",
                "receivingWorkflowIncorrectForBindaryActive: When PoLine is bindery active, its \
                 receiving workflow must be set to 'Independent order and receipt quantity'",
            ],
        ),
        (
            json!({"isPackage": true, "instanceId": new_id()}),
            vec![
                "InstanceIdNotAllowedForPackagePoLine: Instance id not allowed for package poline",
            ],
        ),
    ]
}

#[tokio::test]
async fn a_line_is_refused_wherever_it_comes_from() {
    let house = House::new().await;
    let order = house.ordered("Pending", &[house.line(1, 10.0)]).await;
    let line = order["compositePoLines"][0].clone();
    for (changes, wanted) in cases(&house) {
        let new = merged(house.line(1, 10.0), &changes);
        let body = house.order("Pending", std::slice::from_ref(&new));
        let answer = house.client.post(ORDERS, &body).await.expect(422);
        assert_eq!(answer.errors(), wanted, "a new order: {changes}");
        let mut added = new.clone();
        added["purchaseOrderId"] = order["id"].clone();
        let answer = house.client.post(LINES, &added).await.expect(422);
        assert_eq!(answer.errors(), wanted, "a new line: {changes}");
        let mut other = merged(
            new,
            &json!({"id": line["id"], "purchaseOrderId": order["id"]}),
        );
        other["poLineNumber"] = line["poLineNumber"].clone();
        let answer = house.put_line(&other).await.expect(422);
        assert_eq!(answer.errors(), wanted, "a changed line: {changes}");
    }
    // Nothing was stored, and nothing changed.
    let orders = house
        .all("/orders-storage/purchase-orders", "purchaseOrders")
        .await;
    assert_eq!(orders.len(), 1);
    assert_eq!(
        house.stored(&order).await["compositePoLines"],
        json!([line])
    );
    house.in_order().await;
}

/// A4, A6, A10 and P7: what is let through at the borders.
#[tokio::test]
async fn a_line_is_let_through_at_the_borders() {
    let house = House::new().await;
    for (changes, price) in [
        (
            json!({"cost": {"currency": "USD", "listUnitPrice": 60, "quantityPhysical": 1,
                            "discount": 70, "discountType": "amount", "additionalCost": 15}}),
            5.0,
        ),
        (
            json!({"cost": {"currency": "USD", "listUnitPrice": 60, "quantityPhysical": 1,
                            "discount": 100, "discountType": "percentage"}}),
            0.0,
        ),
        (
            json!({"orderFormat": "Electronic Resource", "physical": null, "locations": [],
                   "eresource": {"createInventory": "None"},
                   "cost": {"currency": "USD", "listUnitPrice": 0, "listUnitPriceElectronic": 5,
                            "quantityElectronic": 1}}),
            5.0,
        ),
        (
            json!({"locations": [], "physical": {"createInventory": "None"},
                   "cost": {"currency": "USD", "listUnitPrice": 2, "quantityPhysical": 3}}),
            6.0,
        ),
    ] {
        let line = merged(house.line(1, 10.0), &changes);
        let order = house.ordered("Pending", &[line]).await;
        let cost = &order["compositePoLines"][0]["cost"];
        assert_eq!(cost["poLineEstimatedPrice"], price, "{changes}");
    }
    house.in_order().await;
}

/// A class must be of an active budget of the fund; where the order opens, it must be active there.
#[tokio::test]
async fn an_expense_class_is_one_of_the_fund() {
    let house = House::new().await;
    let class = json!({"name": "Print it", "code": "PrnIt"});
    let class = made(&house.client, "/finance-storage/expense-classes", &class).await;
    let mut line = house.line(1, 10.0);
    line["fundDistribution"][0]["expenseClassId"] = class["id"].clone();
    let lines = std::slice::from_ref(&line);
    let pending = house.order("Pending", lines);
    let answer = house.client.post(ORDERS, &pending).await.expect(400);
    let named = "{fundCode=HIST, expenseClassName=Print it}";
    let unknown = format!("budgetExpenseClassNotFound: Budget expense class not found {named}");
    assert_eq!(answer.errors(), [unknown]);
    let link = json!({"budgetId": house.budget, "expenseClassId": class["id"],
                      "status": "Inactive"});
    let _ = made(
        &house.client,
        "/finance-storage/budget-expense-classes",
        &link,
    )
    .await;
    let order = made(&house.client, ORDERS, &pending).await;
    let answer = house.turn(&order, "Open").await.expect(400);
    let inactive = format!("inactiveExpenseClass: Expense class is Inactive {named}");
    assert_eq!(answer.errors(), [inactive]);
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    house.in_order().await;
}

/// B2, B3, B6 and B8 at a PUT of a line, and where FOLIO does not ask.
#[tokio::test]
async fn distributions_make_the_price() {
    let house = House::new().await;
    let rows = |rows: &[(&str, f64)]| -> Value {
        let row = |(kind, value): &(&str, f64)| json!({"fundId": house.fund, "distributionType": kind, "value": value});
        rows.iter().map(row).collect()
    };
    const P: &str = "percentage";
    let total =
        "incorrectFundDistributionTotal: Fund distribution total must add to 100% or totalPrice";
    let order = house.ordered("Pending", &[house.line(1, 10.0)]).await;
    let stored = order["compositePoLines"][0].clone();
    for (price, parts, wanted) in [
        (
            120.0,
            vec![("amount", 30.0), (P, 50.0), (P, 24.99)],
            format!("{total} {{remainingAmount=0.01}}"),
        ),
        (
            120.0,
            vec![("amount", 30.0), (P, 50.0), (P, 26.0)],
            format!("{total} {{remainingAmount=-1.20}}"),
        ),
        (
            0.0,
            vec![("amount", 5.0)],
            format!("{total} {{remainingAmount=0.00}}"),
        ),
        (
            0.0,
            vec![("amount", 0.0), (P, 100.0)],
            "cannotMixTypesForZeroPrice: Fund distribution types cannot be mixed for a price of 0"
                .to_owned(),
        ),
    ] {
        let mut line = stored.clone();
        line["cost"]["listUnitPrice"] = json!(price);
        line["fundDistribution"] = rows(&parts);
        let answer = house.put_line(&line).await.expect(422);
        assert_eq!(answer.errors(), std::slice::from_ref(&wanted), "{parts:?}");
        // A new order stores it, and is refused when it is to be opened.
        let mut body = house.line(1, price);
        body["fundDistribution"] = rows(&parts);
        let new = house.ordered("Pending", &[body]).await;
        let answer = house.turn(&new, "Open").await.expect(422);
        assert_eq!(answer.errors(), [wanted], "{parts:?}");
        assert_eq!(text(&house.stored(&new).await["workflowStatus"]), "Pending");
    }
    assert_eq!(house.budget().await, "0, 0, 0, 0");
    house.in_order().await;
}
