//! Adjustments of an invoice and its lines: taxes, shipping, discounts.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::amount::percent;
use super::distribution::Distribution;
use super::document::{self, Document};

/// How an adjustment of an invoice is spread over its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prorate {
    ByLine,
    ByAmount,
    ByQuantity,
    Not,
}

/// What an adjustment has to do with the total.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// It is added.
    InAdditionTo,
    /// The amounts of the lines have it already.
    IncludedIn,
    /// It is paid to somebody else.
    SeparateFrom,
}

/// An adjustment.
#[derive(Debug, Clone, PartialEq)]
pub struct Adjustment {
    pub id: Option<Uuid>,
    /// Of an adjustment of a line: that of the invoice that it is a share of.
    pub adjustment_id: Option<Uuid>,
    pub prorate: Prorate,
    pub relation: Relation,
    /// Whether the value is a percentage, and not an amount.
    pub is_percentage: bool,
    pub value: Decimal,
    pub distributions: Vec<Distribution>,
}

impl Adjustment {
    /// Reads a checked adjustment.
    #[must_use]
    pub fn read(document: &Document) -> Adjustment {
        let prorate = match document::text(document, "prorate") {
            Some("By line") => Prorate::ByLine,
            Some("By amount") => Prorate::ByAmount,
            Some("By quantity") => Prorate::ByQuantity,
            _ => Prorate::Not,
        };
        let relation = match document::text(document, "relationToTotal") {
            Some("Included in") => Relation::IncludedIn,
            Some("Separate from") => Relation::SeparateFrom,
            _ => Relation::InAdditionTo,
        };
        Adjustment {
            id: document::id(document, "id"),
            adjustment_id: document::id(document, "adjustmentId"),
            prorate,
            relation,
            is_percentage: document::text(document, "type") == Some("Percentage"),
            value: document::number(document, "value"),
            distributions: Distribution::all(document),
        }
    }

    /// The adjustments of an invoice or a line.
    #[must_use]
    pub fn all(document: &Document) -> Vec<Adjustment> {
        let adjustments = document::objects(document, "adjustments");
        adjustments.map(Adjustment::read).collect()
    }

    #[must_use]
    pub fn is_prorated(&self) -> bool {
        self.prorate != Prorate::Not
    }

    /// Its amount for this sum, not rounded: a percentage is one of the sum without its sign.
    #[must_use]
    pub fn amount(&self, sum: Decimal) -> Decimal {
        match self.is_percentage {
            true => percent(sum.abs(), self.value),
            false => self.value,
        }
    }
}

/// What is added to a sum: the adjustments in addition to it, not rounded.
#[must_use]
pub fn added<'a>(adjustments: impl Iterator<Item = &'a Adjustment>, sum: Decimal) -> Decimal {
    adjustments
        .filter(|one| one.relation == Relation::InAdditionTo)
        .map(|one| one.amount(sum))
        .sum()
}

/// Gives the adjustments of an invoice that have none an id: those of lines refer to it.
pub fn identify(invoice: &mut Document, mut new_id: impl FnMut() -> Uuid) {
    let list = invoice.get_mut("adjustments").and_then(Value::as_array_mut);
    for adjustment in list.into_iter().flatten().filter_map(Value::as_object_mut) {
        if document::id(adjustment, "id").is_none() {
            adjustment.insert("id".to_owned(), json!(new_id()));
        }
    }
}

/// Whether two adjustments of an invoice have one id.
#[must_use]
pub fn ids_repeat(invoice: &Document) -> bool {
    let mut seen = Vec::new();
    let adjustments = document::objects(invoice, "adjustments");
    for id in adjustments.filter_map(|one| document::id(one, "id")) {
        if seen.contains(&id) {
            return true;
        }
        seen.push(id);
    }
    false
}

/// The share of an adjustment of the invoice that one of its lines has, as an adjustment of the line.
#[must_use]
pub fn share_of(adjustment: &Document, value: Value) -> Map<String, Value> {
    let mut share = adjustment.clone();
    for name in ["id", "totalAmount", "fundDistributions"] {
        share.shift_remove(name);
    }
    if let Some(id) = adjustment.get("id") {
        share.insert("adjustmentId".to_owned(), id.clone());
    }
    share.insert("prorate".to_owned(), json!("Not prorated"));
    share.insert("type".to_owned(), json!("Amount"));
    share.insert("value".to_owned(), value);
    share
}
