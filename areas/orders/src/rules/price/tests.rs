//! The worked cases of prices and of distributions.

use rust_decimal::Decimal;
use serde_json::{Value, json};

use super::*;
use crate::rules::doc::object;

fn cost(value: Value) -> Doc {
    let mut cost = object(value);
    cost.entry("currency").or_insert(json!("USD"));
    cost
}

#[test]
fn prices_are_rounded_once_at_the_end() {
    for (sent, price) in [
        (
            json!({"listUnitPrice": 12.50, "quantityPhysical": 3, "discount": 10,
                   "discountType": "percentage", "additionalCost": 4.25}),
            "38.00",
        ),
        (
            json!({"listUnitPrice": 19.99, "quantityPhysical": 2, "listUnitPriceElectronic": 24.5,
                   "quantityElectronic": 1, "discount": 12.5, "discountType": "percentage"}),
            "56.42",
        ),
        (
            json!({"listUnitPrice": 10.25, "quantityPhysical": 1, "discount": 50}),
            "5.12",
        ),
        (
            json!({"listUnitPrice": 10.35, "quantityPhysical": 1, "discount": 50}),
            "5.18",
        ),
        (
            json!({"listUnitPrice": 60, "quantityPhysical": 1, "discount": 70,
                   "discountType": "amount", "additionalCost": 15}),
            "5",
        ),
        (
            json!({"listUnitPrice": 1001, "quantityPhysical": 1, "discount": 2.5,
                   "currency": "JPY"}),
            "976",
        ),
        (
            json!({"listUnitPrice": 30, "quantityPhysical": 1, "fyroAdjustmentAmount": -2.5}),
            "27.5",
        ),
        (
            json!({"listUnitPrice": 60, "quantityPhysical": 1, "discount": 100}),
            "0",
        ),
    ] {
        let wanted: Decimal = price.parse().expect("a number");
        assert_eq!(estimated(&cost(sent.clone())), wanted, "{sent}");
    }
}

#[test]
fn a_discount_takes_no_more_than_the_whole() {
    for (sent, possible) in [
        (json!({"discount": 70, "discountType": "amount"}), true),
        (json!({"discount": 75, "discountType": "amount"}), true),
        (json!({"discount": 76, "discountType": "amount"}), false),
        (json!({"discount": 100, "discountType": "percentage"}), true),
        (json!({"discount": 100.01}), false),
        (json!({"discount": -0.01}), false),
    ] {
        let mut cost = cost(json!({"listUnitPrice": 60, "quantityPhysical": 1,
                                   "additionalCost": 15}));
        cost.extend(object(sent.clone()));
        assert_eq!(is_discount_possible(&cost), possible, "{sent}");
    }
}

fn checked(price: &str, rows: &[(&str, f64)]) -> Result<(), (String, Option<String>)> {
    let rows: Vec<Value> = rows
        .iter()
        .map(|(kind, value)| json!({"distributionType": kind, "value": value}))
        .collect();
    let holder = object(json!({"fundDistribution": rows}));
    let price = price.parse().expect("a number");
    check_distributions(&holder, price).map_err(|wrong| {
        let left = wrong.parameters.first().map(|(_, value)| value.clone());
        (wrong.code.code().to_owned(), left)
    })
}

#[test]
fn distributions_make_up_the_price() {
    const A: &str = "amount";
    const P: &str = "percentage";
    let off = |left: &str| {
        Err((
            "incorrectFundDistributionTotal".to_owned(),
            Some(left.to_owned()),
        ))
    };
    let table: [(&str, &[(&str, f64)], _); 11] = [
        ("120.00", &[(A, 30.0), (P, 50.0), (P, 25.0)], Ok(())),
        ("120.00", &[(A, 30.0), (P, 50.0), (P, 24.99)], off("0.01")),
        ("120.00", &[(A, 30.0), (P, 50.0), (P, 26.0)], off("-1.20")),
        ("99.99", &[(A, 33.33), (A, 33.33), (A, 33.33)], Ok(())),
        ("0.00", &[(A, 0.0), (A, 0.0)], Ok(())),
        ("0.00", &[(A, 5.0)], off("0.00")),
        ("0.00", &[(P, 60.0), (P, 40.0)], Ok(())),
        ("0.00", &[(P, 60.0), (P, 39.0)], off("0.00")),
        (
            "0.00",
            &[(A, 0.0), (P, 100.0)],
            Err(("cannotMixTypesForZeroPrice".to_owned(), None)),
        ),
        ("0.00", &[], Ok(())),
        ("12.00", &[], Ok(())),
    ];
    for (price, rows, wanted) in table {
        assert_eq!(checked(price, rows), wanted, "{price} {rows:?}");
    }
}

#[test]
fn totals_are_in_the_system_currency() {
    let lines = [
        json!({"cost": {"listUnitPrice": 12.50, "quantityPhysical": 3, "discount": 10,
                        "additionalCost": 4.25, "currency": "USD"}}),
        json!({"cost": {"listUnitPrice": 20, "quantityPhysical": 1, "currency": "EUR",
                        "exchangeRate": 1.25}}),
    ]
    .map(object);
    let rate = |line: Line<'_>| line.exchange_rate().unwrap_or(Decimal::ONE);
    let sum = total(lines.iter().map(Line), "USD", rate);
    assert_eq!(sum, Decimal::from(63));
}
