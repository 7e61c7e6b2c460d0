//! Spreads the prorated adjustments of an invoice over its lines.

use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use super::adjustment::{Adjustment, Prorate, share_of};
use super::amount::{digits, half_even, json, percent};
use super::document::{self, Document};
use super::totals::sub_total;

/// The place of a line among the others.
#[must_use]
pub fn place_of(line: &Document) -> u64 {
    let number = document::text(line, "invoiceLineNumber").unwrap_or_default();
    number.parse().unwrap_or(u64::MAX)
}

/// The shares of lines in an adjustment. Percentages are of the sum of the lines with its sign; shares are
/// rounded, and what remains goes to lines in smallest units, from the last line backwards when too little is
/// spread, from the first on when too much.
#[must_use]
pub fn shares(adjustment: &Adjustment, lines: &[&Document], places: u32) -> Vec<Decimal> {
    let sums: Vec<Decimal> = lines.iter().map(|line| sub_total(line)).collect();
    let total = match adjustment.is_percentage {
        true => percent(sums.iter().copied().sum(), adjustment.value),
        false => adjustment.value,
    };
    let total = half_even(total, places);
    let weights: Vec<Decimal> = match adjustment.prorate {
        Prorate::ByLine | Prorate::Not => vec![Decimal::ONE; lines.len()],
        Prorate::ByAmount => sums.iter().map(Decimal::abs).collect(),
        Prorate::ByQuantity => lines
            .iter()
            .map(|line| document::number(line, "quantity"))
            .collect(),
    };
    let sum: Decimal = weights.iter().copied().sum();
    let (weights, sum) = match sum.is_zero() {
        true => (
            vec![Decimal::ONE; lines.len()],
            Decimal::from(lines.len().max(1)),
        ),
        false => (weights, sum),
    };
    let mut shares: Vec<Decimal> = weights
        .iter()
        .map(|weight| half_even(total.saturating_mul(*weight) / sum, places))
        .collect();
    spread_rest(total, places, &mut shares);
    shares
}

fn spread_rest(total: Decimal, places: u32, shares: &mut [Decimal]) {
    let count = shares.len();
    if count == 0 {
        return;
    }
    let unit = Decimal::new(1, places);
    let spread: Decimal = shares.iter().copied().sum();
    let mut rest = total - spread;
    let is_short = total.abs() > spread.abs();
    let step = if rest.is_sign_negative() { -unit } else { unit };
    // Each line's share is off by half a unit at most, so that one pass is enough.
    for at in 0..count {
        if rest.is_zero() {
            break;
        }
        let place = if is_short { count - 1 - at } else { at };
        shares[place] += step;
        rest -= step;
    }
}

/// Rewrites the lines' shares of the invoice's adjustments; the places of those that changed.
pub fn spread(invoice: &Document, lines: &mut [Document]) -> Vec<usize> {
    let currency = document::text(invoice, "currency").unwrap_or_default();
    let places = digits(currency);
    let prorated: Vec<&Document> = document::objects(invoice, "adjustments")
        .filter(|one| Adjustment::read(one).is_prorated())
        .collect();
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|at| place_of(&lines[*at]));
    let mut fresh: Vec<Vec<(Uuid, Document)>> = vec![Vec::new(); lines.len()];
    for adjustment in prorated {
        let in_order: Vec<&Document> = order.iter().map(|at| &lines[*at]).collect();
        let read = Adjustment::read(adjustment);
        let Some(id) = read.id else { continue };
        for (at, share) in order.iter().zip(shares(&read, &in_order, places)) {
            fresh[*at].push((id, share_of(adjustment, json(share))));
        }
    }
    let mut changed = Vec::new();
    for (at, (line, fresh)) in lines.iter_mut().zip(fresh).enumerate() {
        if rewrite(line, fresh) {
            changed.push(at);
        }
    }
    changed
}

/// Puts the shares in the place of the old ones of the same adjustments, new ones at the end.
fn rewrite(line: &mut Document, mut fresh: Vec<(Uuid, Document)>) -> bool {
    let old: Vec<Document> = document::objects(line, "adjustments").cloned().collect();
    let mut kept: Vec<Value> = Vec::new();
    for adjustment in &old {
        match document::id(adjustment, "adjustmentId") {
            None => kept.push(Value::Object(adjustment.clone())),
            Some(id) => {
                if let Some(at) = fresh.iter().position(|(of, _)| *of == id) {
                    let (_, mut share) = fresh.remove(at);
                    if let Some(own) = adjustment.get("id") {
                        share.insert("id".to_owned(), own.clone());
                    }
                    kept.push(Value::Object(share));
                }
            }
        }
    }
    kept.extend(fresh.into_iter().map(|(_, share)| Value::Object(share)));
    let same = kept.len() == old.len()
        && kept
            .iter()
            .zip(&old)
            .all(|(new, old)| new.as_object() == Some(old));
    if !same {
        line.insert("adjustments".to_owned(), Value::Array(kept));
    }
    !same
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json as value;

    use super::super::amount::tests::decimal;
    use super::super::totals;
    use super::*;

    fn object(value: Value) -> Document {
        value.as_object().cloned().expect("an object")
    }

    fn adjustment(prorate: &str, text: &str) -> Document {
        let kind = if text.ends_with('%') {
            "Percentage"
        } else {
            "Amount"
        };
        let number: f64 = text.trim_end_matches('%').parse().expect("a number");
        object(
            value!({"id": Uuid::from_u128(1), "description": "d", "prorate": prorate, "type": kind,
                    "value": number, "relationToTotal": "In addition to",
                    "exportToAccounting": false}),
        )
    }

    fn lines(sums: &str, quantities: &str) -> Vec<Document> {
        let quantities: Vec<i64> = quantities
            .split_whitespace()
            .map(|one| one.parse().expect("a number"))
            .collect();
        let line = |(at, sum): (usize, &str)| {
            let sum: f64 = sum.parse().expect("a number");
            let quantity = quantities.get(at).copied().unwrap_or(1);
            object(value!({"subTotal": sum, "quantity": quantity,
                           "invoiceLineNumber": (at + 1).to_string()}))
        };
        sums.split_whitespace().enumerate().map(line).collect()
    }

    /// J4, J6–J10, J12 and J13 of the worked examples.
    #[test]
    fn shares_make_the_whole() {
        for (prorate, text, sums, quantities, result) in [
            ("By amount", "6.5%", "120 80 45.5", "", "7.80 5.20 2.96"),
            ("By line", "10", "1 1 1", "", "3.33 3.33 3.34"),
            ("By line", "-10", "1 1 1", "", "-3.33 -3.33 -3.34"),
            ("By line", "0.05", "1 1 1", "", "0.01 0.02 0.02"),
            ("By line", "0.02", "1 1 1", "", "0.00 0.01 0.01"),
            ("By amount", "8%", "30 -50 12.5", "", "-0.19 -0.32 -0.09"),
            ("By quantity", "7", "1 1 1", "2 1 4", "2 1 4"),
            ("By quantity", "5", "1 1 1", "3 3 1", "2.14 2.14 0.72"),
            ("By quantity", "5", "1 1", "0 0", "2.50 2.50"),
            ("By amount", "9", "0 0", "", "4.50 4.50"),
            ("By amount", "10%", "-40 15", "", "-1.82 -0.68"),
            ("By line", "20%", "60 60", "", "12 12"),
        ] {
            let lines = lines(sums, quantities);
            let lines: Vec<&Document> = lines.iter().collect();
            let found = shares(&Adjustment::read(&adjustment(prorate, text)), &lines, 2);
            let wanted: Vec<Decimal> = result.split_whitespace().map(decimal).collect();
            assert_eq!(found, wanted, "{prorate} {text} on {sums}");
        }
    }

    #[test]
    fn lines_keep_their_own_adjustments_and_lose_those_that_are_gone() {
        let mut lines = lines("60 40", "");
        lines[0].insert(
            "adjustments".to_owned(),
            value!([{"description": "own", "value": 1}]),
        );
        lines[1].insert(
            "adjustments".to_owned(),
            value!([{"adjustmentId": Uuid::from_u128(9), "value": 1}]),
        );
        let with = |adjustments: Vec<Document>| {
            object(value!({"currency": "USD", "adjustments": adjustments}))
        };
        let invoice = with(vec![adjustment("By amount", "10")]);
        assert_eq!(spread(&invoice, &mut lines), [0, 1]);
        assert_eq!(lines[0]["adjustments"][0]["description"], "own");
        assert_eq!(lines[0]["adjustments"][1]["value"], 6.0);
        let share = &lines[1]["adjustments"][0];
        assert_eq!(
            (
                &share["value"],
                &share["type"],
                &share["prorate"],
                &share["adjustmentId"]
            ),
            (
                &value!(4.0),
                &value!("Amount"),
                &value!("Not prorated"),
                &value!(Uuid::from_u128(1))
            )
        );
        assert!(share.get("id").is_none());
        // Nothing changes the second time.
        assert!(spread(&invoice, &mut lines).is_empty());
        assert_eq!(spread(&with(Vec::new()), &mut lines), [0, 1]);
        assert_eq!(lines[1]["adjustments"], value!([]));
    }

    /// J12: the totals after the adjustment is spread.
    #[test]
    fn a_percentage_by_amount_has_the_sign_of_the_sum() {
        let mut lines = lines("-40 15", "");
        let invoice =
            object(value!({"currency": "USD", "adjustments": [adjustment("By amount", "10%")]}));
        let _ = spread(&invoice, &mut lines);
        let totals = totals::of_invoice(&invoice, lines.iter());
        assert_eq!(totals.total, decimal("-27.50"));
    }

    proptest! {
        /// Whatever the lines, the shares make the adjustment.
        #[test]
        fn shares_make_the_adjustment(
            value in -100_000_i64..100_000,
            sums in prop::collection::vec(-50_000_i64..50_000, 1..12),
            mode in 0_usize..3,
        ) {
            let prorate = ["By line", "By amount", "By quantity"][mode];
            let lines: Vec<Document> = sums
                .iter()
                .enumerate()
                .map(|(at, cents)| {
                    object(value!({"subTotal": *cents as f64 / 100.0, "quantity": at + 1,
                                   "invoiceLineNumber": (at + 1).to_string()}))
                })
                .collect();
            let lines: Vec<&Document> = lines.iter().collect();
            let text = (value as f64 / 100.0).to_string();
            let found = shares(&Adjustment::read(&adjustment(prorate, &text)), &lines, 2);
            let sum: Decimal = found.iter().copied().sum();
            prop_assert_eq!(sum, Decimal::new(value, 2));
        }
    }
}
