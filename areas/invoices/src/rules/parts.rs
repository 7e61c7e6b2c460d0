//! What of an invoice is paid: its lines, and its adjustments that are not prorated.

use octavo_finance::Amount;
use octavo_finance::records::{AwaitingPayment, FundTransaction, Kind, Source};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::adjustment::Adjustment;
use super::distribution::{Distribution, funds};
use super::document::{self, Document};
use super::prorate::place_of;
use super::share;
use super::totals::{Totals, of_line};

/// A line or an adjustment of an invoice, with its total in the currency of the invoice.
#[derive(Debug, Clone, PartialEq)]
pub struct Whole {
    /// The line; an adjustment has none.
    pub line_id: Option<Uuid>,
    pub po_line_id: Option<Uuid>,
    /// Whether paying it releases what is encumbered.
    pub releases: bool,
    pub total: Decimal,
    pub distributions: Vec<Distribution>,
}

/// The lines in the order of their numbers, and then the adjustments that are not prorated.
#[must_use]
pub fn wholes(invoice: &Document, lines: &[(Uuid, Document)], totals: Totals) -> Vec<Whole> {
    let currency = document::text(invoice, "currency").unwrap_or_default();
    let mut in_order: Vec<&(Uuid, Document)> = lines.iter().collect();
    in_order.sort_by_key(|(id, line)| (place_of(line), *id));
    let of_lines = in_order.into_iter().map(|(id, line)| Whole {
        line_id: Some(*id),
        po_line_id: document::id(line, "poLineId"),
        releases: document::flag(line, "releaseEncumbrance"),
        total: of_line(line, currency).total,
        distributions: Distribution::all(line),
    });
    let adjustments = Adjustment::all(invoice);
    let own = adjustments.into_iter().filter(|one| !one.is_prorated());
    let of_invoice = own.map(|adjustment| Whole {
        line_id: None,
        po_line_id: None,
        releases: false,
        total: adjustment.amount(totals.sub_total),
        distributions: adjustment.distributions,
    });
    of_lines.chain(of_invoice).collect()
}

/// The funds that pay, each once.
#[must_use]
pub fn funds_of(wholes: &[Whole]) -> Vec<Uuid> {
    funds(wholes.iter().flat_map(|whole| &whole.distributions))
}

/// The terms of payment: the fiscal year with its currency, and the rate to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terms<'a> {
    pub invoice_id: Uuid,
    pub fiscal_year_id: Uuid,
    pub currency: &'a str,
    pub places: u32,
    pub rate: Decimal,
}

/// A pending payment for each distribution.
#[must_use]
pub fn pending_payments(wholes: &[Whole], terms: Terms<'_>) -> Vec<FundTransaction> {
    each(wholes, terms, |whole, distribution, amount| {
        let mut one = transaction(Kind::PendingPayment, terms, whole, distribution, amount);
        one.from_fund_id = Some(distribution.fund_id);
        one.awaiting_payment = Some(AwaitingPayment {
            encumbrance_id: distribution.encumbrance,
            release_encumbrance: whole.releases,
        });
        one
    })
}

/// A payment for each distribution; where the amount is negative, a credit.
#[must_use]
pub fn payments(wholes: &[Whole], terms: Terms<'_>) -> Vec<FundTransaction> {
    each(wholes, terms, |whole, distribution, amount| {
        let is_credit = amount.is_negative();
        let kind = if is_credit {
            Kind::Credit
        } else {
            Kind::Payment
        };
        let mut one = transaction(kind, terms, whole, distribution, amount.abs());
        match is_credit {
            true => one.to_fund_id = Some(distribution.fund_id),
            false => one.from_fund_id = Some(distribution.fund_id),
        }
        one.payment_encumbrance_id = distribution.encumbrance;
        one
    })
}

fn each(
    wholes: &[Whole],
    terms: Terms<'_>,
    make: impl Fn(&Whole, &Distribution, Amount) -> FundTransaction,
) -> Vec<FundTransaction> {
    let of_whole = |whole: &Whole| {
        let (total, rows) = (whole.total, &whole.distributions);
        let amounts = share::payments(total, terms.rate, terms.places, rows);
        let pairs = rows.iter().zip(amounts);
        pairs
            .map(|(row, amount)| make(whole, row, Amount::new(amount)))
            .collect::<Vec<_>>()
    };
    wholes.iter().flat_map(of_whole).collect()
}

fn transaction(
    kind: Kind,
    terms: Terms<'_>,
    whole: &Whole,
    distribution: &Distribution,
    amount: Amount,
) -> FundTransaction {
    let year = terms.fiscal_year_id;
    let mut one = FundTransaction::new(kind, Source::Invoice, year, amount, terms.currency);
    one.source_invoice_id = Some(terms.invoice_id);
    one.source_invoice_line_id = whole.line_id;
    one.expense_class_id = distribution.expense_class_id;
    one
}

/// Whether a pending payment is for the same line (or adjustment), fund, class and encumbrance as another.
#[must_use]
pub fn is_for_the_same(one: &FundTransaction, other: &FundTransaction) -> bool {
    one.source_invoice_line_id == other.source_invoice_line_id
        && one.from_fund_id == other.from_fund_id
        && one.expense_class_id == other.expense_class_id
        && one.linked_encumbrance() == other.linked_encumbrance()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::amount::tests::decimal;
    use super::super::totals::of_invoice;
    use super::*;

    fn object(value: Value) -> Document {
        value.as_object().cloned().expect("an object")
    }

    fn row(fund: u128, kind: &str, value: f64) -> Value {
        json!({"fundId": Uuid::from_u128(fund), "distributionType": kind, "value": value})
    }

    fn terms(rate: &str) -> Terms<'static> {
        Terms {
            invoice_id: Uuid::from_u128(5),
            fiscal_year_id: Uuid::from_u128(6),
            currency: "USD",
            places: 2,
            rate: decimal(rate),
        }
    }

    fn of(invoice: Value, sub_total: f64, rows: Vec<Value>) -> Vec<Whole> {
        let line = object(json!({"subTotal": sub_total, "fundDistributions": rows,
                                 "releaseEncumbrance": true, "invoiceLineNumber": "1"}));
        let lines = [(Uuid::from_u128(7), line)];
        let invoice = object(invoice);
        let totals = of_invoice(&invoice, lines.iter().map(|(_, line)| line));
        wholes(&invoice, &lines, totals)
    }

    /// K6, K7 and K9: what is paid and credited.
    #[test]
    fn negative_parts_are_credited() {
        let shown = |rows: Vec<Value>, sub_total: f64| {
            let wholes = of(json!({"currency": "USD"}), sub_total, rows);
            let made = payments(&wholes, terms("1")).into_iter();
            made.map(|one| {
                (
                    one.kind.name(),
                    one.amount.to_string(),
                    one.to_fund_id.is_some(),
                )
            })
            .collect::<Vec<_>>()
        };
        let halves = vec![row(1, "percentage", 50.0), row(2, "percentage", 50.0)];
        assert_eq!(
            shown(halves, -10.01),
            [
                ("Credit", "5".to_owned(), true),
                ("Credit", "5.01".to_owned(), true)
            ]
        );
        let both = vec![row(1, "amount", 5.0), row(2, "amount", -5.0)];
        assert_eq!(
            shown(both, 0.0),
            [
                ("Payment", "5".to_owned(), false),
                ("Credit", "5".to_owned(), true)
            ]
        );
        let both = vec![row(1, "amount", 10.0), row(2, "amount", -5.0)];
        assert_eq!(
            shown(both, 5.0),
            [
                ("Payment", "10".to_owned(), false),
                ("Credit", "5".to_owned(), true)
            ]
        );
    }

    /// K8: an adjustment has its own pending payments.
    #[test]
    fn adjustments_are_paid_without_a_line() {
        let halves = vec![row(1, "percentage", 50.0), row(2, "percentage", 50.0)];
        let invoice = json!({"currency": "USD", "adjustments": [
            {"type": "Amount", "value": 9, "fundDistributions": halves}]});
        let wholes = of(invoice, 10.0, vec![row(1, "percentage", 100.0)]);
        assert_eq!(funds_of(&wholes).len(), 2);
        let made = pending_payments(&wholes, terms("1"));
        let amounts: Vec<String> = made.iter().map(|one| one.amount.to_string()).collect();
        assert_eq!(amounts, ["10", "4.5", "4.5"]);
        assert_eq!(made[1].source_invoice_line_id, None);
        assert_eq!(
            made[0]
                .awaiting_payment
                .map(|part| part.release_encumbrance),
            Some(true)
        );
        assert!(is_for_the_same(&made[1], &made[1]) && !is_for_the_same(&made[1], &made[2]));
    }
}
