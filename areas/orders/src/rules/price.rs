//! What a line costs, and whether its distributions among funds add up to that.

use rust_decimal::{Decimal, RoundingStrategy};

use super::amount::{amount, json, number, round};
use super::doc::{Doc, object_in, objects, set, text, whole};
use super::line::{Kind, Line};
use crate::refusal::{Code, Wrong};

/// One hundred percent.
pub const WHOLE: Decimal = Decimal::ONE_HUNDRED;
/// Decimal places of shares.
const SHARE_PLACES: u32 = 15;
/// What may be missing from or beyond one hundred percent.
const TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 10);

/// The price of the copies with the discount, before additional costs.
fn copies_less_discount(cost: &Doc) -> Decimal {
    let price = |unit: &str, quantity: &str| {
        let copies = whole(cost, quantity).unwrap_or(0);
        amount(cost, unit).saturating_mul(Decimal::from(copies))
    };
    let subtotal = price("listUnitPrice", "quantityPhysical")
        .saturating_add(price("listUnitPriceElectronic", "quantityElectronic"));
    let discount = amount(cost, "discount");
    match text(cost, "discountType") {
        Some("amount") => subtotal - discount,
        _ => subtotal - subtotal.saturating_mul(discount) / WHOLE,
    }
}

/// The price of a cost without the adjustment of a rollover, unrounded.
fn of_units(cost: &Doc) -> Decimal {
    copies_less_discount(cost) + amount(cost, "additionalCost")
}

/// The same, rounded to the currency's digits.
#[must_use]
pub fn units(cost: &Doc) -> Decimal {
    round(of_units(cost), text(cost, "currency").unwrap_or("USD"))
}

/// The estimated price of a cost, rounded once to the currency's digits.
#[must_use]
pub fn estimated(cost: &Doc) -> Decimal {
    let price = of_units(cost) + amount(cost, "fyroAdjustmentAmount");
    round(price, text(cost, "currency").unwrap_or("USD"))
}

/// The estimated price of a line.
#[must_use]
pub fn of_line(line: Line<'_>) -> Decimal {
    let cost = line.0.get("cost").and_then(serde_json::Value::as_object);
    cost.map_or(Decimal::ZERO, estimated)
}

/// Writes the estimated price, and the total quantity of each location, into a line.
pub fn complete(line: &mut Doc) {
    let price = of_line(Line(line));
    set(object_in(line, "cost"), "poLineEstimatedPrice", json(price));
    let Some(serde_json::Value::Array(locations)) = line.get_mut("locations") else {
        return;
    };
    for location in locations {
        if let serde_json::Value::Object(location) = location {
            let copies = Kind::BOTH.map(|kind| whole(location, kind.quantity()).unwrap_or(0));
            set(location, "quantity", copies.iter().sum::<i64>());
        }
    }
}

/// Whether the discount is possible: no more than the whole price.
#[must_use]
pub fn is_discount_possible(cost: &Doc) -> bool {
    let discount = amount(cost, "discount");
    if discount < Decimal::ZERO {
        return false;
    }
    match text(cost, "discountType") {
        Some("amount") => of_units(cost) + amount(cost, "fyroAdjustmentAmount") >= Decimal::ZERO,
        _ => discount <= WHOLE,
    }
}

/// Checks that the distributions of a list make up the price.
///
/// # Errors
/// What is left, or that types are mixed where there is no price.
pub fn check_distributions(holder: &Doc, price: Decimal) -> Result<(), Box<Wrong>> {
    let rows: Vec<&Doc> = objects(holder, "fundDistribution").collect();
    if rows.is_empty() {
        return Ok(());
    }
    let is_amount = |row: &&Doc| text(row, "distributionType") == Some("amount");
    let amounts = rows.iter().filter(|row| is_amount(row)).count();
    if price.is_zero() && amounts > 0 {
        if amounts < rows.len() {
            return Err(Box::new(Code::CannotMixTypesForZeroPrice.into()));
        }
        let is_nothing = |row: &&Doc| amount(row, "value").is_zero();
        return match rows.iter().all(is_nothing) {
            true => Ok(()),
            false => Err(Box::new(remaining(Decimal::ZERO))),
        };
    }
    let share = |row: &&Doc| match is_amount(row) {
        true => (amount(row, "value") / price * WHOLE)
            .round_dp_with_strategy(SHARE_PLACES, RoundingStrategy::MidpointNearestEven),
        false => amount(row, "value"),
    };
    let left = WHOLE - rows.iter().map(share).sum::<Decimal>();
    match left.abs() > TOLERANCE {
        true => Err(Box::new(remaining(left * price / WHOLE))),
        false => Ok(()),
    }
}

fn remaining(left: Decimal) -> Wrong {
    let left = left.round_dp_with_strategy(2, RoundingStrategy::MidpointNearestEven);
    Wrong::of(Code::IncorrectFundDistributionTotal).with("remainingAmount", format!("{left:.2}"))
}

/// The total of an order's estimated prices in the system currency; `rate` gives what one unit of a
/// currency is worth.
pub fn total<'d>(
    lines: impl Iterator<Item = Line<'d>>,
    currency: &str,
    rate: impl Fn(Line<'d>) -> Decimal,
) -> Decimal {
    lines
        .map(|line| {
            let price =
                number(line.0, "cost.poLineEstimatedPrice").unwrap_or_else(|| of_line(line));
            round(price.saturating_mul(rate(line)), currency)
        })
        .sum()
}

#[cfg(test)]
mod tests;
