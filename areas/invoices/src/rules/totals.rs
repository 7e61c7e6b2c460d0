//! The totals of lines and invoices, computed at every change and every reading.

use rust_decimal::Decimal;
use serde_json::Value;

use super::adjustment::{Adjustment, added};
use super::amount::{digits, half_even, json};
use super::document::{self, Document};

/// Sums in the currency of an invoice.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Totals {
    pub sub_total: Decimal,
    pub adjustments: Decimal,
    pub total: Decimal,
}

impl Totals {
    fn of(sub_total: Decimal, adjustments: Decimal) -> Totals {
        Totals {
            sub_total,
            adjustments,
            total: sub_total + adjustments,
        }
    }
}

/// The amount of a line before adjustments: FOLIO takes it to two places, whatever the currency.
#[must_use]
pub fn sub_total(line: &Document) -> Decimal {
    half_even(document::number(line, "subTotal"), 2)
}

/// The totals of a line.
#[must_use]
pub fn of_line(line: &Document, currency: &str) -> Totals {
    let sub_total = sub_total(line);
    let adjustments = Adjustment::all(line);
    let added = added(adjustments.iter(), sub_total);
    Totals::of(sub_total, half_even(added, digits(currency)))
}

/// The totals of an invoice with these lines. Prorated adjustments are in the lines, if there are any.
#[must_use]
pub fn of_invoice<'a>(invoice: &Document, lines: impl Iterator<Item = &'a Document>) -> Totals {
    let currency = document::text(invoice, "currency").unwrap_or_default();
    let lines: Vec<Totals> = lines.map(|line| of_line(line, currency)).collect();
    let sub_total: Decimal = lines.iter().map(|line| line.sub_total).sum();
    let of_lines: Decimal = lines.iter().map(|line| line.adjustments).sum();
    let adjustments = Adjustment::all(invoice);
    let own = adjustments
        .iter()
        .filter(|one| lines.is_empty() || !one.is_prorated());
    let own = half_even(added(own, sub_total), digits(currency));
    Totals::of(sub_total, of_lines + own)
}

/// Writes the totals into a line; whether they changed.
pub fn write_line(line: &mut Document, currency: &str) -> bool {
    let totals = of_line(line, currency);
    write(
        line,
        [
            ("adjustmentsTotal", totals.adjustments),
            ("total", totals.total),
        ],
    )
}

/// Writes the totals into an invoice; whether they changed.
pub fn write_invoice(invoice: &mut Document, totals: Totals) -> bool {
    write(
        invoice,
        [
            ("subTotal", totals.sub_total),
            ("adjustmentsTotal", totals.adjustments),
            ("total", totals.total),
        ],
    )
}

fn write<const N: usize>(document: &mut Document, sums: [(&str, Decimal); N]) -> bool {
    let mut changed = false;
    for (name, sum) in sums {
        if document::given(document, name) != Some(sum) {
            changed = true;
            let value: Value = json(sum);
            document.insert(name.to_owned(), value);
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json as value;

    use super::super::amount::tests::decimal;
    use super::*;

    fn object(value: Value) -> Document {
        value.as_object().cloned().expect("an object")
    }

    /// Adjustments as in `+5% -1 separate:2.50`.
    fn adjustments(text: &str) -> Value {
        let parse = |one: &str| {
            let (relation, number) = match one.split_once(':') {
                Some(("separate", number)) => ("Separate from", number),
                Some(("included", number)) => ("Included in", number),
                _ => ("In addition to", one),
            };
            let kind = if one.ends_with('%') {
                "Percentage"
            } else {
                "Amount"
            };
            let number: f64 = number.trim_end_matches('%').parse().expect("a number");
            value!({"type": kind, "value": number, "relationToTotal": relation})
        };
        text.split_whitespace().map(parse).collect()
    }

    fn line(sub_total: f64, adjusted: &str) -> Document {
        object(value!({"subTotal": sub_total, "adjustments": adjustments(adjusted)}))
    }

    /// J1–J3 of the worked examples.
    #[test]
    fn lines() {
        for (sub_total, adjusted, added, total) in [
            (20.005, "10%", "2.00", "22.00"),
            (80.00, "5% -1 separate:2.50 included:1.25", "3.00", "83.00"),
            (-40.00, "5%", "2.00", "-38.00"),
        ] {
            let totals = of_line(&line(sub_total, adjusted), "USD");
            assert_eq!(totals.adjustments, decimal(added), "{adjusted}");
            assert_eq!(totals.total, decimal(total), "{adjusted}");
        }
    }

    /// J4, J5, J11 and J13: what of an invoice's adjustments is in its totals.
    #[test]
    fn invoices() {
        let invoice =
            |adjusted: Value| object(value!({"currency": "USD", "adjustments": adjusted}));
        let lines = [
            line(120.0, "7.80"),
            line(80.0, "3 5.20"),
            line(45.5, "2.96"),
        ];
        let mut adjusted = adjustments("6.5% 9 separate:4");
        adjusted[0]["prorate"] = value!("By amount");
        let totals = of_invoice(&invoice(adjusted), lines.iter());
        assert_eq!(totals.sub_total, decimal("245.50"));
        assert_eq!(totals.adjustments, decimal("27.96"));
        assert_eq!(totals.total, decimal("273.46"));

        let mut adjusted = adjustments("10");
        adjusted[0]["prorate"] = value!("By line");
        let totals = of_invoice(&invoice(adjusted), [].iter());
        assert_eq!(totals.total, decimal("10.00"));

        let lines = [line(-40.0, ""), line(15.0, "")];
        let totals = of_invoice(&invoice(adjustments("10%")), lines.iter());
        assert_eq!(totals.adjustments, decimal("2.50"));
        assert_eq!(totals.total, decimal("-22.50"));
    }

    #[test]
    fn totals_are_written_when_they_change() {
        let mut line = line(20.0, "1");
        assert!(write_line(&mut line, "USD"));
        assert_eq!(line["total"].to_string(), "21.0");
        assert!(!write_line(&mut line, "USD"));
    }
}
