//! What each distribution of a line encumbers: its share of the line's price in the fund's currency.

use rust_decimal::Decimal;

use super::amount::{amount, round, smallest};
use super::doc::{Doc, text};
use super::price::WHOLE;

/// The amounts of distributions, in their order. Each is rounded by itself; what is then missing is added
/// to the percentages, one smallest unit to each from the last backwards, and what is too much is taken
/// from the first on. Amounts stay as they are.
#[must_use]
pub fn shares(price: Decimal, rate: Decimal, currency: &str, rows: &[&Doc]) -> Vec<Decimal> {
    let total = round(price.saturating_mul(rate), currency);
    let is_amount = |row: &Doc| text(row, "distributionType") == Some("amount");
    let mut shares: Vec<Decimal> = rows
        .iter()
        .map(|row| {
            let value = amount(row, "value");
            let share = match is_amount(row) {
                true => value.saturating_mul(rate),
                false => total.saturating_mul(value) / WHOLE,
            };
            round(share, currency)
        })
        .collect();
    let unit = smallest(currency);
    let mut left = total - shares.iter().copied().sum::<Decimal>();
    let percentages = || (0..rows.len()).filter(|at| !is_amount(rows[*at]));
    let order: Vec<usize> = match left > Decimal::ZERO {
        true => percentages().rev().collect(),
        false => percentages().collect(),
    };
    for at in order {
        if left.abs() < unit {
            break;
        }
        let step = match left > Decimal::ZERO {
            true => unit,
            false => -unit,
        };
        shares[at] += step;
        left -= step;
    }
    shares
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::rules::doc::object;

    fn of(price: &str, rate: &str, currency: &str, rows: &[(char, f64)]) -> Vec<String> {
        let rows: Vec<Doc> = rows
            .iter()
            .map(|(kind, value)| {
                let kind = if *kind == '%' { "percentage" } else { "amount" };
                let row: Value = json!({"distributionType": kind, "value": value});
                object(row)
            })
            .collect();
        let rows: Vec<&Doc> = rows.iter().collect();
        let number = |text: &str| text.parse().expect("a number");
        shares(number(price), number(rate), currency, &rows)
            .into_iter()
            .map(|share| share.normalize().to_string())
            .collect()
    }

    #[test]
    fn what_is_left_goes_to_percentages() {
        let seven: Vec<(char, f64)> = vec![('%', 14.28); 6]
            .into_iter()
            .chain([('%', 14.32)])
            .collect();
        for (price, rate, currency, rows, wanted) in [
            (
                "100.00",
                "1",
                "USD",
                vec![('%', 33.33), ('%', 33.33), ('%', 33.34)],
                vec!["33.33", "33.33", "33.34"],
            ),
            (
                "10.01",
                "1",
                "USD",
                vec![('%', 50.0), ('%', 50.0)],
                vec!["5", "5.01"],
            ),
            (
                "0.05",
                "1",
                "USD",
                vec![('%', 30.0), ('%', 30.0), ('%', 40.0)],
                vec!["0.01", "0.02", "0.02"],
            ),
            (
                "10.00",
                "1",
                "USD",
                vec![('a', 3.33), ('%', 33.35), ('%', 33.35)],
                vec!["3.33", "3.33", "3.34"],
            ),
            (
                "1.00",
                "1",
                "USD",
                seven,
                vec!["0.14", "0.14", "0.14", "0.14", "0.14", "0.15", "0.15"],
            ),
            (
                "20.00",
                "1.1035",
                "USD",
                vec![('%', 50.0), ('%', 50.0)],
                vec!["11.03", "11.04"],
            ),
            (
                "45.00",
                "1.33",
                "USD",
                vec![('a', 10.0), ('%', 40.0), ('a', 17.0)],
                vec!["13.3", "23.94", "22.61"],
            ),
            (
                "10",
                "1",
                "JPY",
                vec![('%', 33.3), ('%', 33.3), ('%', 33.4)],
                vec!["3", "3", "4"],
            ),
            (
                "80.05",
                "1",
                "USD",
                vec![('%', 50.0), ('%', 50.0)],
                vec!["40.02", "40.03"],
            ),
        ] {
            assert_eq!(of(price, rate, currency, &rows), wanted, "{price} {rows:?}");
        }
    }
}
