//! Currencies and the rates between them.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Number;

use crate::money::Amount;

/// Currencies whose amounts do not have two decimal places.
const PLACES: [(&str, u32); 26] = [
    ("BHD", 3),
    ("BIF", 0),
    ("CLF", 4),
    ("CLP", 0),
    ("DJF", 0),
    ("GNF", 0),
    ("IQD", 3),
    ("ISK", 0),
    ("JOD", 3),
    ("JPY", 0),
    ("KMF", 0),
    ("KRW", 0),
    ("KWD", 3),
    ("LYD", 3),
    ("OMR", 3),
    ("PYG", 0),
    ("RWF", 0),
    ("TND", 3),
    ("UGX", 0),
    ("UYI", 0),
    ("UYW", 4),
    ("VND", 0),
    ("VUV", 0),
    ("XAF", 0),
    ("XOF", 0),
    ("XPF", 0),
];

/// The decimal places of a currency's amounts.
#[must_use]
pub fn places(currency: &str) -> u32 {
    let mut known = PLACES.iter();
    known
        .find(|(code, _)| *code == currency)
        .map_or(2, |(_, places)| *places)
}

/// Whether a text has the form of a currency.
#[must_use]
pub fn is_currency(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// The configured rates: how much of each currency one unit of the base is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rates {
    base: String,
    rates: BTreeMap<String, Decimal>,
}

#[derive(Deserialize)]
struct Configured {
    base: String,
    rates: BTreeMap<String, Number>,
}

impl Rates {
    /// Reads the value of the configuration's entry; rates that are not above zero are passed over.
    #[must_use]
    pub fn read(text: &str) -> Option<Rates> {
        let configured: Configured = serde_json::from_str(text).ok()?;
        let rates = configured.rates.into_iter().filter_map(|(code, number)| {
            let rate = Amount::parse(&number.to_string())?;
            rate.is_positive().then(|| (code, rate.decimal()))
        });
        Some(Rates {
            base: configured.base,
            rates: rates.collect(),
        })
    }

    fn of(&self, currency: &str) -> Option<Decimal> {
        match currency == self.base {
            true => Some(Decimal::ONE),
            false => self.rates.get(currency).copied(),
        }
    }
}

/// How much one unit of a currency is worth in another, not rounded. The same currency needs no rates.
#[must_use]
pub fn rate(rates: Option<&Rates>, from: &str, to: &str) -> Option<Decimal> {
    if from == to {
        return Some(Decimal::ONE);
    }
    let rates = rates?;
    rates.of(to)?.checked_div(rates.of(from)?)
}

/// An amount in another currency, rounded to the places of the currency that it comes from.
#[must_use]
pub fn exchanged(amount: Amount, rate: Decimal, from: &str) -> Option<Amount> {
    let product = amount.decimal().checked_mul(rate)?;
    Some(Amount::new(product).half_even(places(from)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_go_by_the_base() {
        let text = r#"{"base": "EUR", "rates": {"USD": 1.25, "JPY": 160, "BAD": 0}}"#;
        let rates = Rates::read(text).expect("rates");
        let shown =
            |from, to| rate(Some(&rates), from, to).map(|rate| rate.normalize().to_string());
        for (from, to, expected) in [
            ("EUR", "USD", Some("1.25")),
            ("USD", "EUR", Some("0.8")),
            ("USD", "JPY", Some("128")),
            ("USD", "USD", Some("1")),
            ("XXX", "XXX", Some("1")),
            ("EUR", "BAD", None),
            ("GBP", "EUR", None),
        ] {
            assert_eq!(shown(from, to).as_deref(), expected, "{from} {to}");
        }
        assert_eq!(rate(None, "EUR", "USD"), None);
        assert_eq!(Rates::read("{}"), None);
    }

    #[test]
    fn currencies_have_their_places() {
        for (currency, expected) in [
            ("EUR", 2),
            ("JPY", 0),
            ("XAF", 0),
            ("XOF", 0),
            ("KWD", 3),
            ("CLF", 4),
            ("UYW", 4),
            ("UYU", 2),
        ] {
            assert_eq!(places(currency), expected, "{currency}");
        }
    }

    #[test]
    fn an_exchanged_amount_has_the_places_of_its_origin() {
        let amount = |text| Amount::parse(text).expect("an amount");
        let rate = amount("1.2345").decimal();
        let shown = |from| exchanged(amount("10"), rate, from).map(|sum| sum.to_string());
        assert_eq!(shown("EUR").as_deref(), Some("12.34"));
        assert_eq!(shown("JPY").as_deref(), Some("12"));
        assert_eq!(shown("KWD").as_deref(), Some("12.345"));
    }
}
