//! Amounts of money of finance: exact decimals, which sums never round. Numbers in JSON are read and written
//! digit by digit.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

use rust_decimal::{Decimal, RoundingStrategy};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Number, Value};

/// Characters of an amount at most.
const CHARS_MAX: usize = 100;
/// Decimal places of a stored amount at most: more would not come back from JSON.
const PLACES_MAX: u32 = 12;
/// The largest amount, either way: a JSON number of 15 digits is exact for every reader.
const AMOUNT_MAX: i64 = 9_999_999_999_999;

/// Reads a number in decimal or scientific notation; `None` when it is none, or has too many digits.
#[must_use]
pub fn decimal(text: &str) -> Option<Decimal> {
    if text.len() > CHARS_MAX {
        return None;
    }
    match text.contains(['e', 'E']) {
        true => Decimal::from_scientific(text).ok(),
        false => text.parse().ok(),
    }
}

/// An amount of money in some currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(Decimal);

impl Amount {
    pub const ZERO: Amount = Amount(Decimal::ZERO);

    #[must_use]
    pub const fn new(number: Decimal) -> Amount {
        Amount(number)
    }

    /// This number of hundredths.
    #[must_use]
    pub fn cents(cents: i64) -> Amount {
        Amount(Decimal::new(cents, 2))
    }

    /// Reads a number in decimal or scientific notation. `None` when it is not a number, or too large.
    #[must_use]
    pub fn parse(text: &str) -> Option<Amount> {
        if text.len() > CHARS_MAX {
            return None;
        }
        let number = match text.contains(['e', 'E']) {
            true => Decimal::from_scientific(text).ok()?,
            false => Decimal::from_str_exact(text).ok()?,
        };
        let amount = Amount(number.round_dp(PLACES_MAX));
        (amount.0.abs() <= Decimal::from(AMOUNT_MAX)).then_some(amount)
    }

    /// The amount of a stored number; zero when absent.
    #[must_use]
    pub fn of(value: Option<&Value>) -> Amount {
        match value {
            Some(Value::Number(number)) => Amount::parse(&number.to_string()).unwrap_or_default(),
            _ => Amount::ZERO,
        }
    }

    /// The amount of a stored number, if there is one.
    #[must_use]
    pub fn given(value: Option<&Value>) -> Option<Amount> {
        match value {
            Some(Value::Number(number)) => Amount::parse(&number.to_string()),
            _ => None,
        }
    }

    #[must_use]
    pub fn decimal(self) -> Decimal {
        self.0
    }

    #[must_use]
    pub fn abs(self) -> Amount {
        Amount(self.0.abs())
    }

    #[must_use]
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    #[must_use]
    pub fn is_negative(self) -> bool {
        self < Amount::ZERO
    }

    #[must_use]
    pub fn is_positive(self) -> bool {
        self > Amount::ZERO
    }

    /// The amount, or zero when it is negative.
    #[must_use]
    pub fn or_zero(self) -> Amount {
        self.max(Amount::ZERO)
    }

    /// So many per cent of it, not rounded.
    #[must_use]
    pub fn percent(self, percent: Amount) -> Amount {
        Amount(self.0.saturating_mul(percent.0) / Decimal::ONE_HUNDRED)
    }

    /// Rounded to these decimal places, halves to the even neighbour.
    #[must_use]
    pub fn half_even(self, places: u32) -> Amount {
        Amount(
            self.0
                .round_dp_with_strategy(places, RoundingStrategy::MidpointNearestEven),
        )
    }

    /// Rounded to these decimal places, halves away from zero, as PostgreSQL does.
    #[must_use]
    pub fn half_up(self, places: u32) -> Amount {
        Amount(
            self.0
                .round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero),
        )
    }

    /// The amount as a number in JSON, with a point as FOLIO prints it.
    #[must_use]
    pub fn json(self) -> Value {
        self.number().map_or(Value::Null, Value::Number)
    }

    fn number(self) -> Option<Number> {
        // The nearest double of up to 15 digits reads and prints as the same digits.
        let text = self.0.round_dp(PLACES_MAX).to_string();
        // A negative zero would be printed with its sign.
        let number: f64 = text.parse().ok()?;
        Number::from_f64(if self.0.is_zero() { 0.0 } else { number })
    }
}

impl fmt::Display for Amount {
    /// Without zeros at the end: `12.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.normalize())
    }
}

impl From<Decimal> for Amount {
    fn from(number: Decimal) -> Amount {
        Amount(number)
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.number() {
            Some(number) => number.serialize(serializer),
            None => Err(serde::ser::Error::custom("an amount is not a number")),
        }
    }
}

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Amount, D::Error> {
        let number = Number::deserialize(deserializer)?;
        Amount::parse(&number.to_string()).ok_or_else(|| {
            serde::de::Error::custom(format_args!("not an amount of money: {number}"))
        })
    }
}

impl Add for Amount {
    type Output = Amount;

    fn add(self, other: Amount) -> Amount {
        Amount(self.0.saturating_add(other.0))
    }
}

impl Sub for Amount {
    type Output = Amount;

    fn sub(self, other: Amount) -> Amount {
        Amount(self.0.saturating_sub(other.0))
    }
}

impl Neg for Amount {
    type Output = Amount;

    fn neg(self) -> Amount {
        Amount(-self.0)
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        *self = *self + other;
    }
}

impl SubAssign for Amount {
    fn sub_assign(&mut self, other: Amount) {
        *self = *self - other;
    }
}

impl Sum for Amount {
    fn sum<I: Iterator<Item = Amount>>(amounts: I) -> Amount {
        amounts.fold(Amount::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_read_and_printed_without_loss() {
        for (sent, printed, shown) in [
            (json!(100), "100.0", "100"),
            (json!(0.1), "0.1", "0.1"),
            (json!(-0.05), "-0.05", "-0.05"),
            (json!(1e3), "1000.0", "1000"),
            (json!(1e-9), "1e-9", "0.000000001"),
            (json!(-0.0), "0.0", "0"),
            (json!(6.666_666_666_667), "6.666666666667", "6.666666666667"),
        ] {
            let amount = Amount::given(Some(&sent)).expect("an amount");
            assert_eq!(amount.json().to_string(), printed);
            assert_eq!(amount.to_string(), shown);
        }
        for text in ["1e300", "99999999999999", "", "x", "1 2"] {
            assert_eq!(Amount::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn sums_are_exact_and_two_roundings_differ_at_halves() {
        let sum: Amount = (0..10).map(|_| Amount::parse("0.1").expect("it")).sum();
        assert_eq!(sum, Amount::cents(100));
        let half = Amount::parse("0.025").expect("it");
        assert_eq!(half.half_even(2), Amount::cents(2));
        assert_eq!(half.half_up(2), Amount::cents(3));
        assert_eq!((-half).half_up(2), Amount::cents(-3));
    }

    proptest! {
        #[test]
        fn every_amount_comes_back_from_json(cents in -99_999_999_999_999_i64..=99_999_999_999_999) {
            let amount = Amount::cents(cents);
            let text = amount.json().to_string();
            let read: Value = serde_json::from_str(&text).expect("a number");
            prop_assert_eq!(Amount::of(Some(&read)), amount);
        }
    }
}
