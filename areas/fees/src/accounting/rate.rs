//! The price of a unit before multiplication: a decimal with any number of places.

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::money::{AMOUNT_MAX, Money, decimal};

/// The price of a unit. Rounded after multiplication, half up, as FOLIO rounds automatic charges.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rate(Decimal);

impl Rate {
    /// Reads a number as FOLIO does.
    #[must_use]
    pub fn parse(text: &str) -> Option<Rate> {
        decimal(text).map(Rate)
    }

    /// Whether it is above zero.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self.0 > Decimal::ZERO
    }

    /// The price of this number of units.
    #[must_use]
    pub fn times(self, units: i64) -> Rate {
        Rate(self.0.saturating_mul(Decimal::from(units)))
    }

    /// The amount to charge, with two places, limited to the largest amount of an account.
    #[must_use]
    pub fn amount(self) -> Money {
        let rounding = RoundingStrategy::MidpointAwayFromZero;
        Money::exactly(self.0.round_dp_with_strategy(2, rounding)).min(AMOUNT_MAX)
    }
}

impl<'de> Deserialize<'de> for Rate {
    /// A number, or the text of one: FOLIO reads both.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rate, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let read = match &value {
            Value::Number(number) => Rate::parse(&number.to_string()),
            Value::String(text) => Rate::parse(text),
            _ => None,
        };
        read.ok_or_else(|| serde::de::Error::custom(format_args!("not a rate: {value}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_counted_exactly_and_rounded_at_the_end() {
        let table = [
            ("0.1", 3, "0.30"),
            ("0.125", 3, "0.38"),
            ("0.005", 1, "0.01"),
            ("0.0049", 1, "0.00"),
            ("0.015", 1, "0.02"),
            ("0.025", 1, "0.03"),
            ("0.3333", 3, "1.00"),
            ("2.5", 0, "0.00"),
            ("1e1", 2, "20.00"),
            ("0.01", i64::MAX, "9999999999999.99"),
            ("9999999999999", i64::MAX, "9999999999999.99"),
        ];
        for (rate, units, amount) in table {
            let rate = Rate::parse(rate).expect("a rate");
            assert_eq!(rate.times(units).amount().to_string(), amount, "{rate:?}");
        }
        assert!(Rate::parse("0.001").is_some_and(Rate::is_positive));
        assert!(!Rate::parse("-1").is_some_and(Rate::is_positive));
        assert_eq!(Rate::parse("one"), None);
    }

    #[test]
    fn numbers_and_their_texts_are_rates() {
        for text in ["0.1", "\"0.1\"", "0.10"] {
            let rate: Rate = serde_json::from_str(text).expect("a rate");
            assert_eq!(Some(rate), Rate::parse("0.1"), "{text}");
        }
        for text in ["null", "true", "\"\"", "1e300"] {
            assert!(serde_json::from_str::<Rate>(text).is_err(), "{text}");
        }
    }
}
