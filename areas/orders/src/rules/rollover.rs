//! What a rollover makes of an order line: it costs what its new encumbrances amount to.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::amount::{amount, json as number, round};
use super::doc::{Doc, id, object_in, set, text};
use super::line::Line;
use super::price::{of_line, units};

/// An encumbrance of the new fiscal year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEncumbrance {
    pub id: Uuid,
    pub fund_id: Option<Uuid>,
    pub expense_class_id: Option<Uuid>,
    pub initial: Decimal,
}

/// Lets a line of an open order follow its new encumbrances; one without any stays as it is. `rate` is what
/// one unit of the line's currency is worth in that of the encumbrances. Returns whether it changed.
pub fn follow(line: &mut Doc, new: &[NewEncumbrance], rate: Decimal) -> bool {
    if new.is_empty() || rate.is_zero() {
        return false;
    }
    let total: Decimal = new.iter().map(|one| one.initial).sum();
    adjust(line, total / rate);
    if let Some(Value::Array(rows)) = line.get_mut("fundDistribution") {
        for row in rows.iter_mut().filter_map(Value::as_object_mut) {
            let of_row = new.iter().find(|one| {
                one.fund_id == id(row, "fundId")
                    && one.expense_class_id == id(row, "expenseClassId")
            });
            if let Some(found) = of_row {
                set(row, "encumbrance", json!(found.id));
            }
        }
    }
    true
}

/// Gives a line a price: the difference to the price of its copies is the adjustment of the rollover, and
/// amounts of distributions grow with the price.
pub fn adjust(line: &mut Doc, price: Decimal) {
    let currency = Line(line).currency().to_owned();
    let before = of_line(Line(line));
    let after = round(price, &currency);
    let cost = object_in(line, "cost");
    let adjustment = round(after - units(cost), &currency);
    set(cost, "fyroAdjustmentAmount", number(adjustment));
    set(cost, "poLineEstimatedPrice", number(after));
    let Some(Value::Array(rows)) = line.get_mut("fundDistribution") else {
        return;
    };
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        if text(row, "distributionType") != Some("amount") {
            continue;
        }
        let value = match before.is_zero() {
            true => Decimal::ZERO,
            false => amount(row, "value") * after / before,
        };
        set(row, "value", number(value));
    }
}

/// Takes the links to encumbrances out of a line whose order is not open; returns whether it had any.
pub fn unlink(line: &mut Doc) -> bool {
    let Some(Value::Array(rows)) = line.get_mut("fundDistribution") else {
        return false;
    };
    let mut had = false;
    for row in rows.iter_mut().filter_map(Value::as_object_mut) {
        had |= row.shift_remove("encumbrance").is_some();
    }
    had
}

/// The name of an order's type in the settings of a rollover.
#[must_use]
pub fn kind_of(order: &Doc) -> &'static str {
    let ongoing = super::statuses::is_ongoing(order);
    match (ongoing, super::doc::flag(order, "ongoing.isSubscription")) {
        (true, true) => "Ongoing-Subscription",
        (true, false) => "Ongoing",
        (false, _) => "One-time",
    }
}

/// Whether a rollover looks at an order: at all where its settings name no type, else at those of the named
/// types, subscriptions being Ongoing orders like others, as in FOLIO.
#[must_use]
pub fn is_rolled(order: &Doc, kinds: &[String]) -> bool {
    let ongoing = super::statuses::is_ongoing(order);
    kinds.is_empty() || kinds.iter().any(|kind| (kind != "One-time") == ongoing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::doc::object;

    const FUND: Uuid = Uuid::from_u128(1);

    fn decimal(text: &str) -> Decimal {
        text.parse().expect("a number")
    }

    fn line(cost: Value, rows: Value) -> Doc {
        object(json!({"cost": cost, "fundDistribution": rows}))
    }

    fn new(initial: &str) -> NewEncumbrance {
        NewEncumbrance {
            id: Uuid::from_u128(9),
            fund_id: Some(FUND),
            expense_class_id: None,
            initial: decimal(initial),
        }
    }

    fn cost() -> Value {
        json!({"currency": "USD", "listUnitPrice": 45, "quantityPhysical": 2, "discount": 10,
               "additionalCost": 3})
    }

    #[test]
    fn a_line_costs_what_is_encumbered() {
        let euros = json!({"currency": "EUR", "listUnitPrice": 50, "quantityPhysical": 1});
        let mut rolled = cost();
        rolled["fyroAdjustmentAmount"] = json!(8.4);
        for (before, initial, rate, price, adjustment) in [
            (cost(), "92.40", "1", 92.4, 8.4),
            (euros, "66.00", "1.2", 55.0, 5.0),
            (rolled, "84.00", "1", 84.0, 0.0),
            (json!({"currency": "USD"}), "10.00", "1", 10.0, 10.0),
        ] {
            let mut line = line(before, json!([]));
            assert!(follow(&mut line, &[new(initial)], decimal(rate)));
            assert_eq!(line["cost"]["poLineEstimatedPrice"], json!(price));
            assert_eq!(line["cost"]["fyroAdjustmentAmount"], json!(adjustment));
        }
        let mut untouched = line(cost(), json!([]));
        let copy = untouched.clone();
        assert!(!follow(&mut untouched, &[], Decimal::ONE));
        assert_eq!(untouched, copy);
    }

    #[test]
    fn amounts_grow_with_the_price_and_rows_get_their_encumbrance() {
        let row = |value: f64, class: Value| {
            json!({"fundId": FUND, "distributionType": "amount", "value": value,
                   "expenseClassId": class})
        };
        let class = Uuid::from_u128(7);
        let mut line_ = line(
            cost(),
            json!([row(21.0, Value::Null), row(63.0, json!(class))]),
        );
        let other = NewEncumbrance {
            id: Uuid::from_u128(8),
            expense_class_id: Some(class),
            ..new("60.00")
        };
        follow(&mut line_, &[other, new("32.40")], Decimal::ONE);
        let rows = &line_["fundDistribution"];
        assert_eq!(rows[0]["value"], json!(23.1));
        assert_eq!(rows[0]["encumbrance"], json!(Uuid::from_u128(9)));
        assert_eq!(rows[1]["encumbrance"], json!(Uuid::from_u128(8)));
        let thirty = json!({"currency": "USD", "listUnitPrice": 30, "quantityPhysical": 1});
        let mut line_ = line(thirty, json!([row(10.0, Value::Null)]));
        follow(&mut line_, &[new("20.00")], Decimal::ONE);
        let value = line_["fundDistribution"][0]["value"].to_string();
        assert!(value.starts_with("6.66666666"), "{value}");
        assert!(unlink(&mut line_));
        assert!(!unlink(&mut line_));
    }

    #[test]
    fn a_subscription_is_an_ongoing_order() {
        let once = object(json!({"orderType": "One-Time"}));
        let ongoing = object(json!({"orderType": "Ongoing", "ongoing": {"isSubscription": true}}));
        for (kinds, of_once, of_ongoing) in [
            (vec![], true, true),
            (vec!["One-time"], true, false),
            (vec!["Ongoing"], false, true),
            (vec!["Ongoing-Subscription"], false, true),
        ] {
            let kinds: Vec<String> = kinds.into_iter().map(str::to_owned).collect();
            assert_eq!(is_rolled(&once, &kinds), of_once, "{kinds:?}");
            assert_eq!(is_rolled(&ongoing, &kinds), of_ongoing, "{kinds:?}");
        }
    }
}
