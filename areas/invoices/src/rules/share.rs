//! Divides a converted amount among the funds that pay it.

use rust_decimal::Decimal;

use super::amount::{half_even, percent};
use super::distribution::Distribution;

/// The amounts of distributions in the currency of the fiscal year: each rounded by itself; what remains of
/// the total goes to the last one when it is positive, and to the first when it is negative.
#[must_use]
pub fn payments(
    total: Decimal,
    rate: Decimal,
    places: u32,
    distributions: &[Distribution],
) -> Vec<Decimal> {
    let part = |one: &Distribution| {
        let own = match one.is_percentage {
            true => percent(total, one.value),
            false => one.value,
        };
        half_even(own.saturating_mul(rate), places)
    };
    let mut parts: Vec<Decimal> = distributions.iter().map(part).collect();
    let total = half_even(total.saturating_mul(rate), places);
    give_rest(total, &mut parts);
    parts
}

/// The amounts of distributions on a voucher. FOLIO does not convert those that are given as amounts, so
/// that the rest, which is not rounded, may be large.
#[must_use]
pub fn on_voucher(
    total: Decimal,
    rate: Decimal,
    places: u32,
    distributions: &[Distribution],
) -> Vec<Decimal> {
    let converted = total.saturating_mul(rate);
    let part = |one: &Distribution| match one.is_percentage {
        true => half_even(percent(converted, one.value), places),
        false => one.value,
    };
    let mut parts: Vec<Decimal> = distributions.iter().map(part).collect();
    give_rest(converted, &mut parts);
    parts
}

/// Gives the difference between a total and the sum of its parts to one of them. Whether it is positive is
/// decided without signs.
fn give_rest(total: Decimal, parts: &mut [Decimal]) {
    let sum: Decimal = parts.iter().copied().sum();
    let rest = total - sum;
    let place = match total.abs() > sum.abs() {
        true => parts.last_mut(),
        false => parts.first_mut(),
    };
    if let Some(place) = place {
        *place += rest;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::super::amount::tests::decimal;
    use super::*;

    fn rows(text: &str) -> Vec<Distribution> {
        text.split_whitespace()
            .map(|row| Distribution {
                fund_id: Uuid::nil(),
                expense_class_id: None,
                encumbrance: None,
                is_percentage: row.ends_with('%'),
                value: decimal(row.trim_end_matches('%')),
            })
            .collect()
    }

    fn numbers(text: &str) -> Vec<Decimal> {
        text.split_whitespace().map(decimal).collect()
    }

    /// K1–K9 of the worked examples.
    #[test]
    fn pending_payments() {
        for (total, rate, parts, amounts) in [
            ("10.01", "1", "50% 50%", "5.00 5.01"),
            ("-10.01", "1", "50% 50%", "-5.00 -5.01"),
            ("0.05", "1", "30% 30% 40%", "0.01 0.02 0.02"),
            (
                "1.00",
                "1",
                "14.28% 14.28% 14.28% 14.28% 14.28% 14.28% 14.32%",
                "0.14 0.14 0.14 0.14 0.14 0.14 0.16",
            ),
            ("100.00", "1.1", "40 60", "44.00 66.00"),
            ("10.00", "1.2345", "50% 50%", "6.17 6.17"),
            ("0.00", "1", "5 -5", "5.00 -5.00"),
            ("9.00", "1", "50% 50%", "4.50 4.50"),
            ("5.00", "1", "10.00 -5.00", "10.00 -5.00"),
        ] {
            let found = payments(decimal(total), decimal(rate), 2, &rows(parts));
            assert_eq!(found, numbers(amounts), "{total} × {rate}: {parts}");
        }
    }

    /// L1–L4 of the worked examples, before they are grouped.
    #[test]
    fn parts_of_a_voucher() {
        for (total, rate, parts, amounts) in [
            ("10.00", "1.2345", "50% 50%", "6.17 6.175"),
            ("100.00", "1.1", "40 60", "40.00 70.00"),
            ("33.33", "1", "25% 25% 50%", "8.33 8.33 16.67"),
        ] {
            let found = on_voucher(decimal(total), decimal(rate), 2, &rows(parts));
            assert_eq!(found, numbers(amounts), "{total} × {rate}: {parts}");
        }
    }

    proptest! {
        /// Whatever the rate, nothing is lost: the parts make the total.
        #[test]
        fn parts_make_the_total(
            cents in -10_000_000_i64..10_000_000,
            rate in 1_i64..50_000,
            percentages in prop::collection::vec(1_i64..10_000, 1..8),
        ) {
            let total = Decimal::new(cents, 2);
            let rate = Decimal::new(rate, 4);
            let distributions: Vec<Distribution> = percentages
                .iter()
                .map(|value| Distribution {
                    fund_id: Uuid::nil(),
                    expense_class_id: None,
                    encumbrance: None,
                    is_percentage: true,
                    value: Decimal::new(*value, 2),
                })
                .collect();
            let sum: Decimal = payments(total, rate, 2, &distributions).into_iter().sum();
            prop_assert_eq!(sum, half_even(total * rate, 2));
            let sum: Decimal = on_voucher(total, rate, 2, &distributions).into_iter().sum();
            prop_assert_eq!(sum, total * rate);
        }
    }
}
