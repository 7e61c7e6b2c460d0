//! Amounts of money: exact decimals, as they are written in JSON. Rounded half to even, to the digits of
//! their currency.

use octavo_finance::money;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;

use super::doc::{Doc, at};

/// The number at a path; `None` when there is none.
#[must_use]
pub fn number(doc: &Doc, path: &str) -> Option<Decimal> {
    read(at(doc, path)?)
}

/// The number at a path, or zero.
#[must_use]
pub fn amount(doc: &Doc, path: &str) -> Decimal {
    number(doc, path).unwrap_or_default()
}

/// The number that a JSON value is or spells.
#[must_use]
pub fn read(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => money::decimal(&number.to_string()),
        Value::String(text) => money::decimal(text.trim()),
        _ => None,
    }
}

/// A number in JSON, as FOLIO prints doubles: `38.0`.
#[must_use]
pub fn json(number: Decimal) -> Value {
    money::Amount::new(number).json()
}

/// Rounds to the digits of a currency.
#[must_use]
pub fn round(number: Decimal, currency: &str) -> Decimal {
    number.round_dp_with_strategy(digits(currency), RoundingStrategy::MidpointNearestEven)
}

/// The smallest amount of a currency.
#[must_use]
pub fn smallest(currency: &str) -> Decimal {
    Decimal::new(1, digits(currency))
}

/// The decimal places of a currency's amounts.
#[must_use]
pub fn digits(currency: &str) -> u32 {
    octavo_finance::rules::exchange::places(currency)
}

#[cfg(test)]
mod tests {
    use serde_json::json as value;

    use super::*;

    #[test]
    fn numbers_are_taken_as_they_are_written() {
        for (sent, printed) in [
            (value!(0.1), "0.1"),
            (value!(38), "38.0"),
            (value!("12.50"), "12.5"),
            (value!(1e-7), "1e-7"),
            (value!(-20.25), "-20.25"),
        ] {
            let number = read(&sent).expect("a number");
            assert_eq!(json(number).to_string(), printed);
        }
        assert_eq!(read(&value!("abc")), None);
        assert_eq!(read(&value!({})), None);
    }

    #[test]
    fn halves_go_to_the_even_digit_of_the_currency() {
        for (number, currency, rounded) in [
            ("5.125", "USD", "5.12"),
            ("5.175", "USD", "5.18"),
            ("975.975", "JPY", "976"),
            ("2.5", "JPY", "2"),
            ("1.0005", "KWD", "1.000"),
        ] {
            let number: Decimal = number.parse().expect("a number");
            assert_eq!(round(number, currency).to_string(), rounded);
        }
    }
}
