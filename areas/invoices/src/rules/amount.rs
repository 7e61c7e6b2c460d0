//! Amounts of money: exact decimals, as they are written in JSON. Rounded half to even, to the digits of
//! their currency.

use octavo_finance::money;
use rust_decimal::{Decimal, RoundingStrategy};
use serde_json::Value;

/// The number that a JSON value is.
#[must_use]
pub fn read(value: &Value) -> Option<Decimal> {
    match value {
        Value::Number(number) => money::decimal(&number.to_string()),
        _ => None,
    }
}

/// A number in JSON, as FOLIO prints doubles: `38.0`.
#[must_use]
pub fn json(number: Decimal) -> Value {
    money::Amount::new(number).json()
}

/// Rounds to these decimal places, halves to the even neighbour.
#[must_use]
pub fn half_even(number: Decimal, places: u32) -> Decimal {
    number.round_dp_with_strategy(places, RoundingStrategy::MidpointNearestEven)
}

/// So many per cent of an amount, not rounded.
#[must_use]
pub fn percent(amount: Decimal, percentage: Decimal) -> Decimal {
    amount.saturating_mul(percentage) / Decimal::ONE_HUNDRED
}

/// The decimal places of a currency's amounts.
#[must_use]
pub fn digits(currency: &str) -> u32 {
    octavo_finance::rules::exchange::places(currency)
}

#[cfg(test)]
pub(crate) mod tests {
    use serde_json::json as value;

    use super::*;

    /// A number of a test's table.
    pub(crate) fn decimal(text: &str) -> Decimal {
        text.parse().expect("a number")
    }

    #[test]
    fn numbers_are_taken_as_they_are_written() {
        for (sent, printed) in [
            (value!(0.1), "0.1"),
            (value!(38), "38.0"),
            (value!(-0.0), "0.0"),
            (value!(1e-7), "1e-7"),
            (value!(-20.25), "-20.25"),
        ] {
            let number = read(&sent).expect("a number");
            assert_eq!(json(number).to_string(), printed);
        }
        for none in [value!("1"), value!({}), value!(null)] {
            assert_eq!(read(&none), None);
        }
    }

    #[test]
    fn halves_go_to_the_even_digit_of_the_currency() {
        for (number, currency, rounded) in [
            ("5.125", "USD", "5.12"),
            ("5.175", "USD", "5.18"),
            ("975.975", "JPY", "976"),
            ("1.0005", "KWD", "1.000"),
        ] {
            let rounded_number = half_even(decimal(number), digits(currency));
            assert_eq!(rounded_number.to_string(), rounded);
        }
    }
}
