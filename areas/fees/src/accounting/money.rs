//! Amounts of money: exact decimals with two places, as FOLIO counts them whatever the currency.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

/// The decimal places of FOLIO's amounts.
const PLACES: u32 = 2;
/// Characters of an amount at most.
const CHARS_MAX: usize = 100;

/// The largest amount of an account, either way. Up to here a JSON number is exact for every reader: it
/// has 15 digits.
pub const AMOUNT_MAX: Money = Money(Decimal::from_parts(
    2_764_472_319,
    232_830,
    0,
    false,
    PLACES,
));

/// An amount, rounded to two places, half to even.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(Decimal);

impl Money {
    pub const ZERO: Money = Money(Decimal::ZERO);
    /// The smallest amount there is.
    pub const CENT: Money = Money(Decimal::from_parts(1, 0, 0, false, PLACES));

    /// This number of cents.
    #[must_use]
    pub fn cents(cents: i64) -> Money {
        Money(Decimal::new(cents, PLACES))
    }

    /// Reads an amount as FOLIO does: digits, at most one point, a sign, an exponent. `None` when it is
    /// not a number, or has too many digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Money> {
        decimal(text).map(Money::rounded)
    }

    /// A number with at most two places.
    pub(super) fn exactly(number: Decimal) -> Money {
        Money(number)
    }

    /// The amount of a stored or sent number; zero when absent.
    #[must_use]
    pub fn of(value: Option<&Value>) -> Money {
        match value {
            Some(Value::Number(number)) => Money::parse(&number.to_string()).unwrap_or_default(),
            Some(Value::String(text)) => Money::parse(text).unwrap_or_default(),
            _ => Money::ZERO,
        }
    }

    fn rounded(number: Decimal) -> Money {
        Money(number.round_dp_with_strategy(PLACES, RoundingStrategy::MidpointNearestEven))
    }

    /// The amount as a number in JSON.
    #[must_use]
    pub fn json(self) -> Value {
        // The nearest double of up to 15 digits reads and prints as the same digits.
        let number = self.to_string().parse().ok().and_then(Number::from_f64);
        number.map_or(Value::Null, Value::Number)
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Whether it is above zero.
    #[must_use]
    pub fn is_positive(self) -> bool {
        self > Money::ZERO
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(self) -> bool {
        self < Money::ZERO
    }

    /// Whether an account may have this amount.
    #[must_use]
    pub fn fits(self) -> bool {
        self <= AMOUNT_MAX && self >= Money::ZERO - AMOUNT_MAX
    }

    /// A part of it, rounded down to two places; all of it for no parts.
    #[must_use]
    pub fn part_of(self, parts: usize) -> Money {
        let parts = Decimal::from(parts.max(1));
        Money((self.0 / parts).round_dp_with_strategy(PLACES, RoundingStrategy::ToNegativeInfinity))
    }
}

/// Reads a number as FOLIO does, with all its places.
pub(super) fn decimal(text: &str) -> Option<Decimal> {
    let known = |character: char| {
        character.is_ascii_digit() || matches!(character, '+' | '-' | '.' | 'e' | 'E')
    };
    if text.len() > CHARS_MAX || !text.chars().all(known) {
        return None;
    }
    let number = match text.contains(['e', 'E']) {
        true => Decimal::from_scientific(text),
        false => Decimal::from_str_exact(text),
    };
    number.ok()
}

impl fmt::Display for Money {
    /// Always with two places, as FOLIO prints amounts: `12.50`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = if self.0.is_zero() {
            Decimal::ZERO
        } else {
            self.0
        };
        write!(f, "{number:.2}")
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Money, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Money::parse(&number.to_string())
            .filter(|amount| amount.fits())
            .ok_or_else(|| serde::de::Error::custom(format_args!("not an amount: {number}")))
    }
}

impl Add for Money {
    type Output = Money;

    fn add(self, other: Money) -> Money {
        Money(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Money {
    fn add_assign(&mut self, other: Money) {
        *self = *self + other;
    }
}

impl Sub for Money {
    type Output = Money;

    fn sub(self, other: Money) -> Money {
        Money(self.0.saturating_sub(other.0))
    }
}

impl Sum for Money {
    fn sum<I: Iterator<Item = Money>>(amounts: I) -> Money {
        amounts.fold(Money::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn read(text: &str) -> Option<String> {
        Money::parse(text).map(|amount| amount.to_string())
    }

    #[test]
    fn amounts_are_read_as_folio_reads_them() {
        let table = [
            ("10", Some("10.00")),
            ("10.5", Some("10.50")),
            ("+1.25", Some("1.25")),
            ("-1.25", Some("-1.25")),
            (".5", Some("0.50")),
            ("1e2", Some("100.00")),
            ("125E-2", Some("1.25")),
            ("0", Some("0.00")),
            ("-0", Some("0.00")),
            // Half to even.
            ("1.005", Some("1.00")),
            ("1.015", Some("1.02")),
            ("1.0050001", Some("1.01")),
            ("0.005", Some("0.00")),
            ("-0.001", Some("0.00")),
            ("", None),
            (" ", None),
            ("1 ", None),
            ("abc", None),
            ("NaN", None),
            ("Infinity", None),
            ("1,50", None),
            ("1_000", None),
            ("0x10", None),
            ("1.2.3", None),
            ("--1", None),
            ("e", None),
            ("1e999999999", None),
            ("99999999999999999999999999999999", None),
        ];
        for (text, meant) in table {
            assert_eq!(read(text).as_deref(), meant, "{text:?}");
        }
        assert_eq!(read(&"1".repeat(CHARS_MAX + 1)), None);
    }

    #[test]
    fn numbers_in_json_are_read_and_written_without_loss() {
        assert_eq!(AMOUNT_MAX.to_string(), "9999999999999.99");
        for (number, text) in [
            (json!(0.1), "0.10"),
            (json!(12), "12.00"),
            (json!("7.25"), "7.25"),
            (json!(9_999_999_999_999.99), "9999999999999.99"),
            (json!(null), "0.00"),
        ] {
            assert_eq!(Money::of(Some(&number)).to_string(), text);
        }
        assert_eq!(Money::of(None), Money::ZERO);
        assert_eq!(Money::parse("10").expect("it").json().to_string(), "10.0");
        assert_eq!(Money::parse("0.3").expect("it").json().to_string(), "0.3");
        assert_eq!(AMOUNT_MAX.json().to_string(), "9999999999999.99");
        assert!(AMOUNT_MAX.fits() && !(AMOUNT_MAX + Money::CENT).fits());
        assert!(!(Money::ZERO - AMOUNT_MAX - Money::CENT).fits());
    }

    #[test]
    fn a_policys_amounts_are_numbers_that_fit() {
        let read = |number: Value| serde_json::from_value::<Money>(number).ok();
        for (number, cents) in [
            (json!(0.29), 29),
            (json!(1.005), 100),
            (json!(1.0251), 103),
            (json!(-3.25), -325),
            (json!(1e-9), 0),
            (json!(999_999.99), 99_999_999),
        ] {
            assert_eq!(read(number.clone()), Some(Money::cents(cents)), "{number}");
        }
        for number in [json!(1e300), json!(1e13), json!("1"), json!(null)] {
            assert_eq!(read(number.clone()), None, "{number}");
        }
    }

    proptest! {
        #[test]
        fn every_amount_comes_back_from_json(cents in -999_999_999_999_999_i64..=999_999_999_999_999) {
            let amount = Money::cents(cents);
            let text = amount.json().to_string();
            let read: Value = serde_json::from_str(&text).expect("a number");
            prop_assert_eq!(Money::of(Some(&read)), amount);
        }

        #[test]
        fn no_text_is_too_odd(text in ".{0,60}") {
            let _ = Money::parse(&text);
        }
    }
}
