//! What must hold of an order line, whenever it is written.

use rust_decimal::Decimal;

use super::amount::amount;
use super::doc::{Doc, at, flag, whole};
use super::line::{Kind, Line, Making, copies_at};
use super::price::is_discount_possible;
use crate::refusal::{Code, Wrong};

/// All that is wrong with a line.
#[must_use]
pub fn wrong_with(line: Line<'_>) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    if line.is_package() && at(line.0, "instanceId").is_some() {
        wrong.push(Code::InstanceIdNotAllowedForPackagePoLine.into());
    }
    claiming(line.0, &mut wrong);
    let says_nothing = Kind::BOTH.into_iter().all(|kind| line.copies(kind) == 0)
        && line.locations().next().is_none();
    if says_nothing {
        return wrong;
    }
    bindery(line, &mut wrong);
    quantities(line, &mut wrong);
    locations(line, &mut wrong);
    prices(line, &mut wrong);
    wrong
}

fn claiming(line: &Doc, wrong: &mut Vec<Wrong>) {
    if flag(line, "claimingActive") && whole(line, "claimingInterval").unwrap_or(0) <= 0 {
        wrong.push(Code::ClaimingConfigInvalid.into());
    }
}

fn bindery(line: Line<'_>, wrong: &mut Vec<Wrong>) {
    if !flag(line.0, "details.isBinderyActive") {
        return;
    }
    let format = super::doc::text(line.0, "orderFormat");
    if !matches!(format, Some("Physical Resource" | "P/E Mix")) {
        wrong.push(Code::OrderFormatIncorrectForBindaryActive.into());
    }
    if line.making(Kind::Physical) != Some(Making::Items) {
        wrong.push(Code::CreateInventoryIncorrectForBindaryActive.into());
    }
    if !line.is_independent() {
        wrong.push(Code::ReceivingWorkflowIncorrectForBindaryActive.into());
    }
}

fn quantities(line: Line<'_>, wrong: &mut Vec<Wrong>) {
    for kind in Kind::BOTH {
        let (missing, forbidden) = match kind {
            Kind::Physical => (Code::ZeroCostQtyPhysical, Code::NonZeroCostQtyPhysical),
            Kind::Electronic => (Code::ZeroCostQtyElectronic, Code::NonZeroCostQtyElectronic),
        };
        match (line.format().has(kind), line.copies(kind)) {
            (true, 0) => wrong.push(missing.into()),
            (false, copies) if copies > 0 => wrong.push(forbidden.into()),
            _ => {}
        }
    }
}

fn locations(line: Line<'_>, wrong: &mut Vec<Wrong>) {
    for kind in Kind::BOTH {
        let placed: i64 = line.locations().map(|one| copies_at(one, kind)).sum();
        let is_compared = line.makes_holdings(kind) || placed > 0;
        if is_compared && line.format().has(kind) && placed != line.copies(kind) {
            wrong.push(
                match kind {
                    Kind::Physical => Code::PhysicalLocCostQtyMismatch,
                    Kind::Electronic => Code::ElectronicLocCostQtyMismatch,
                }
                .into(),
            );
        }
    }
    let empty = |location: &&Doc| {
        Kind::BOTH
            .into_iter()
            .all(|kind| copies_at(location, kind) == 0)
    };
    if line.locations().any(|location| empty(&location)) {
        wrong.push(Code::ZeroLocQty.into());
    }
    for location in line.locations() {
        wrong.extend(place(location));
    }
}

/// Exactly one of a location and holdings.
#[must_use]
pub fn place(location: &Doc) -> Option<Wrong> {
    let given = ["locationId", "holdingId"].map(|name| at(location, name).is_some());
    match given {
        [false, false] => Some(Code::LocationIdAndHoldingIdAbsentError.into()),
        [true, true] => Some(Code::MayBeLinkToEitherHoldingOrLocationError.into()),
        _ => None,
    }
}

fn prices(line: Line<'_>, wrong: &mut Vec<Wrong>) {
    for kind in Kind::BOTH {
        let (path, code) = match kind {
            Kind::Physical => ("cost.listUnitPrice", Code::CostUnitPriceInvalid),
            Kind::Electronic => (
                "cost.listUnitPriceElectronic",
                Code::CostUnitPriceElectronicInvalid,
            ),
        };
        let price = super::amount::number(line.0, path);
        let is_wrong = match line.format().has(kind) {
            true => price.is_none_or(|price| price < Decimal::ZERO),
            false => price.is_some_and(|price| price > Decimal::ZERO),
        };
        if is_wrong {
            wrong.push(code.into());
        }
    }
    if amount(line.0, "cost.additionalCost") < Decimal::ZERO {
        wrong.push(Code::CostAdditionalCostInvalid.into());
    }
    let cost = at(line.0, "cost").and_then(serde_json::Value::as_object);
    if cost.is_some_and(|cost| !is_discount_possible(cost)) {
        wrong.push(Code::CostDiscountInvalid.into());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rules::doc::object;

    fn codes(changes: &Value) -> Vec<&'static str> {
        let mut line = object(json!({
            "orderFormat": "Physical Resource",
            "cost": {"currency": "USD", "listUnitPrice": 10, "quantityPhysical": 3},
            "physical": {"createInventory": "Instance, Holding"},
            "locations": [{"locationId": "a", "quantityPhysical": 3}]
        }));
        line.extend(object(changes.clone()));
        wrong_with(Line(&line))
            .iter()
            .map(|wrong| wrong.code.code())
            .collect()
    }

    #[test]
    fn a_line_counts_its_copies_twice_alike() {
        let at = |quantity: i64| json!({"locationId": "a", "quantityPhysical": quantity});
        let mismatch = "physicalLocCostQtyMismatch";
        for (changes, wanted) in [
            (json!({}), vec![]),
            (
                json!({"locations": [at(2), at(0)]}),
                vec![mismatch, "zeroLocQty"],
            ),
            (json!({"locations": [at(2), at(1)]}), vec![]),
            (json!({"locations": []}), vec![mismatch]),
            (
                json!({"locations": [], "physical": {"createInventory": "None"}}),
                vec![],
            ),
            (
                json!({"locations": [], "cost": {"currency": "USD"}}),
                vec![],
            ),
            (
                json!({"locations": [{"quantityPhysical": 3}]}),
                vec!["locationIdAndHoldingIdAbsentError"],
            ),
            (
                json!({"locations": [{"locationId": "a", "holdingId": "b", "quantityPhysical": 3}]}),
                vec!["mayBeLinkToEitherHoldingOrLocationError"],
            ),
        ] {
            assert_eq!(codes(&changes), wanted, "{changes}");
        }
    }

    #[test]
    fn a_line_has_the_copies_and_prices_of_its_format() {
        let electronic = |price: f64| {
            json!({"orderFormat": "Electronic Resource", "locations": [],
                   "physical": null, "eresource": {"createInventory": "None"},
                   "cost": {"currency": "USD", "listUnitPrice": price,
                            "listUnitPriceElectronic": 5, "quantityElectronic": 1}})
        };
        let cost = |more: Value| {
            let mut cost = object(json!({"currency": "USD", "listUnitPrice": 60,
                                         "quantityPhysical": 3}));
            cost.extend(object(more));
            json!({"cost": cost})
        };
        for (changes, wanted) in [
            (electronic(0.0), vec![]),
            (electronic(0.01), vec!["costUnitPriceInvalid"]),
            (
                cost(json!({"listUnitPrice": null})),
                vec!["costUnitPriceInvalid"],
            ),
            (
                cost(json!({"listUnitPrice": -1})),
                vec!["costUnitPriceInvalid"],
            ),
            (
                cost(json!({"quantityElectronic": 1})),
                vec!["nonZeroCostQtyElectronic"],
            ),
            (
                cost(json!({"additionalCost": -1})),
                vec!["costAdditionalCostInvalid"],
            ),
            (
                cost(json!({"discount": 100.01})),
                vec!["costDiscountInvalid"],
            ),
            (
                json!({"orderFormat": "P/E Mix"}),
                vec!["zeroCostQtyElectronic", "costUnitPriceElectronicInvalid"],
            ),
        ] {
            assert_eq!(codes(&changes), wanted, "{changes}");
        }
    }

    #[test]
    fn claiming_and_binding_have_conditions() {
        for (changes, wanted) in [
            (
                json!({"claimingActive": true}),
                vec!["claimingConfigInvalid"],
            ),
            (
                json!({"claimingActive": true, "claimingInterval": 5}),
                vec![],
            ),
            (
                json!({"details": {"isBinderyActive": true}}),
                vec![
                    "createInventoryIncorrectForBindaryActive",
                    "receivingWorkflowIncorrectForBindaryActive",
                ],
            ),
            (
                json!({"isPackage": true, "instanceId": "x", "locations": [],
                       "cost": {"currency": "USD"}}),
                vec!["InstanceIdNotAllowedForPackagePoLine"],
            ),
        ] {
            assert_eq!(codes(&changes), wanted, "{changes}");
        }
    }
}
