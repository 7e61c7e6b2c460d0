//! Fund distributions: which funds pay which part of an amount, and whether the parts make the whole.

use rust_decimal::Decimal;
use serde_json::{Value, json};
use uuid::Uuid;

use super::amount::{half_even, percent};
use super::document::{self, Document};

/// The largest difference to 100 % that counts as none.
const TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 10);

/// The part of one fund.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    pub fund_id: Uuid,
    pub expense_class_id: Option<Uuid>,
    pub encumbrance: Option<Uuid>,
    /// Whether the value is a percentage, and not an amount.
    pub is_percentage: bool,
    pub value: Decimal,
}

impl Distribution {
    /// Reads the distributions of a checked line or adjustment.
    #[must_use]
    pub fn all(document: &Document) -> Vec<Distribution> {
        Distribution::named(document, "fundDistributions")
    }

    /// The same of a list with another name.
    #[must_use]
    pub fn named(document: &Document, list: &str) -> Vec<Distribution> {
        let distributions = document::objects(document, list);
        distributions.filter_map(Distribution::read).collect()
    }

    fn read(document: &Document) -> Option<Distribution> {
        Some(Distribution {
            fund_id: document::id(document, "fundId")?,
            expense_class_id: document::id(document, "expenseClassId"),
            encumbrance: document::id(document, "encumbrance"),
            is_percentage: document::text(document, "distributionType") != Some("amount"),
            value: document::number(document, "value"),
        })
    }
}

/// Why distributions do not make the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mismatch {
    /// This amount remains, or is too much.
    Remains(Decimal),
    /// Amounts and percentages of nothing.
    MixedForZero,
}

/// Whether distributions make the whole of an amount; none always do.
///
/// # Errors
/// What is wrong.
pub fn check(total: Decimal, distributions: &[Distribution]) -> Result<(), Mismatch> {
    if distributions.is_empty() {
        return Ok(());
    }
    if total.is_zero() {
        return check_zero(distributions);
    }
    let part = |one: &Distribution| match one.is_percentage {
        true => one.value,
        false => half_even(one.value / total, 15).saturating_mul(Decimal::ONE_HUNDRED),
    };
    let remaining = Decimal::ONE_HUNDRED - distributions.iter().map(part).sum::<Decimal>();
    match remaining.abs() > TOLERANCE {
        true => Err(Mismatch::Remains(half_even(percent(total, remaining), 2))),
        false => Ok(()),
    }
}

fn check_zero(distributions: &[Distribution]) -> Result<(), Mismatch> {
    let is_percentage = distributions[0].is_percentage;
    if distributions
        .iter()
        .any(|one| one.is_percentage != is_percentage)
    {
        return Err(Mismatch::MixedForZero);
    }
    let fits = match is_percentage {
        true => {
            let sum: Decimal = distributions.iter().map(|one| one.value).sum();
            (Decimal::ONE_HUNDRED - sum).abs() <= TOLERANCE
        }
        // What one fund pays another gets back.
        false => {
            let sum: Decimal = distributions.iter().map(|one| one.value).sum();
            sum.is_zero()
        }
    };
    match fits {
        true => Ok(()),
        false => Err(Mismatch::Remains(half_even(Decimal::ZERO, 2))),
    }
}

/// The funds that distributions name, each once.
#[must_use]
pub fn funds<'a>(distributions: impl Iterator<Item = &'a Distribution>) -> Vec<Uuid> {
    let mut funds = Vec::new();
    for one in distributions {
        if !funds.contains(&one.fund_id) {
            funds.push(one.fund_id);
        }
    }
    funds
}

/// Takes the encumbrances off the distributions whose fund is another than before.
pub fn unlink_changed_funds(line: &mut Document, before: &Document) {
    let had: Vec<(Uuid, Uuid)> = Distribution::all(before)
        .into_iter()
        .filter_map(|one| Some((one.encumbrance?, one.fund_id)))
        .collect();
    let list = line
        .get_mut("fundDistributions")
        .and_then(Value::as_array_mut);
    for one in list.into_iter().flatten().filter_map(Value::as_object_mut) {
        let link = document::id(one, "encumbrance");
        let fund = document::id(one, "fundId");
        let moved = had
            .iter()
            .any(|(encumbrance, of)| Some(*encumbrance) == link && Some(*of) != fund);
        if moved {
            one.shift_remove("encumbrance");
        }
    }
}

/// Links distributions to these encumbrances, in order; `None` takes a link off. Whether a link changed.
pub fn link(line: &mut Document, encumbrances: &[Option<Uuid>]) -> bool {
    let list = line
        .get_mut("fundDistributions")
        .and_then(Value::as_array_mut);
    let rows = list.into_iter().flatten().filter_map(Value::as_object_mut);
    let mut changed = false;
    for (row, encumbrance) in rows.zip(encumbrances) {
        if document::id(row, "encumbrance") != *encumbrance {
            changed = true;
            document::set(row, "encumbrance", encumbrance.map(|id| json!(id)));
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::super::amount::tests::decimal;
    use super::*;

    /// Rows as in `30 50% 25%`.
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

    #[test]
    fn parts_make_the_whole() {
        let remains = |text: &str| Err(Mismatch::Remains(decimal(text)));
        for (total, parts, result) in [
            ("120.00", "30 50% 25%", Ok(())),
            ("120.00", "30 50% 24.99%", remains("0.01")),
            ("120.00", "30 50% 26%", remains("-1.20")),
            ("99.99", "33.33 33.33 33.33", Ok(())),
            ("0.00", "0 0", Ok(())),
            ("0.00", "5", remains("0.00")),
            ("0.00", "5 -5", Ok(())),
            ("0.00", "60% 40%", Ok(())),
            ("0.00", "60% 39%", remains("0.00")),
            ("0.00", "0 100%", Err(Mismatch::MixedForZero)),
            ("7", "", Ok(())),
            ("-10", "-5 50%", Ok(())),
        ] {
            assert_eq!(
                check(decimal(total), &rows(parts)),
                result,
                "{total}: {parts}"
            );
        }
    }

    #[test]
    fn a_distribution_of_another_fund_loses_its_encumbrance() {
        let line = |fund: u128| {
            let line = json!({"fundDistributions": [
                {"fundId": Uuid::from_u128(fund), "encumbrance": Uuid::from_u128(9), "value": 1}]});
            line.as_object().cloned().expect("an object")
        };
        let mut same = line(1);
        unlink_changed_funds(&mut same, &line(1));
        assert_eq!(same, line(1));
        let mut moved = line(2);
        unlink_changed_funds(&mut moved, &line(1));
        assert_eq!(Distribution::all(&moved)[0].encumbrance, None);
        assert!(link(&mut moved, &[Some(Uuid::from_u128(9))]));
        assert_eq!(moved, line(2));
        assert!(!link(&mut moved, &[Some(Uuid::from_u128(9))]));
    }
}
