//! Custom fields of orders and lines. Their definitions are locked before orders and lines are, since changes of
//! definitions lock those last.

use octavo_boxed::boxed;
use octavo_custom_fields::{CustomFields, Definition, Holder, check, hold as hold_definitions};
use octavo_records::{StoreError, Violation};
use serde_json::Value;

use super::{Work, keep_line, keep_order};
use crate::rules::doc::Doc;

/// The custom fields of orders and lines.
pub static CUSTOM_FIELDS: CustomFields = CustomFields {
    table: "order_custom_fields",
    holders: &[
        Holder {
            entity: ORDER,
            table: keep_order::TABLE,
            values: VALUES,
            dated: None,
        },
        Holder {
            entity: LINE,
            table: keep_line::TABLE,
            values: VALUES,
            dated: None,
        },
    ],
};
/// An index of the document itself would be written at every change of an order or line.
const VALUES: &str = "customfields_json";
const ORDER: &str = "purchase_order";
const LINE: &str = "po_line";

/// The definitions that an act's records name.
#[derive(Debug, Default)]
pub struct Held {
    of_orders: Vec<Definition>,
    of_lines: Vec<Definition>,
}

/// Locks the definitions that an order and its lines name.
#[boxed]
pub async fn hold(work: Work<'_>, order: Option<&Doc>, lines: &[Doc]) -> Result<Held, StoreError> {
    Ok(Held {
        of_orders: definitions(work, ORDER, names(order.as_slice().iter().copied())).await?,
        of_lines: definitions(work, LINE, names(lines.iter())).await?,
    })
}

/// The fields that records have values of.
fn names<'d>(records: impl Iterator<Item = &'d Doc>) -> Vec<String> {
    let values = records.filter_map(values);
    let mut names: Vec<String> = values.flat_map(|values| values.keys().cloned()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

async fn definitions(
    work: Work<'_>,
    entity: &str,
    names: Vec<String>,
) -> Result<Vec<Definition>, StoreError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let tenant = work.context.tenant;
    hold_definitions(work.transaction, tenant, &CUSTOM_FIELDS, entity, &names).await
}

impl Held {
    /// Checks the values against the definitions.
    ///
    /// # Errors
    /// 422 with every wrong value.
    pub fn check(&self, order: Option<&Doc>, lines: &[Doc]) -> Result<(), StoreError> {
        let of_order = order.into_iter().map(|order| (order, &self.of_orders));
        let of_lines = lines.iter().map(|line| (line, &self.of_lines));
        let wrong: Vec<Violation> = of_order
            .chain(of_lines)
            .filter_map(|(record, definitions)| Some((values(record)?, definitions)))
            .flat_map(|(values, definitions)| check(values, definitions))
            .map(|one| Violation {
                message: one.message,
                code: "-1",
                path: one.key,
                value: one.value,
            })
            .collect();
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(StoreError::Invalid(wrong)),
        }
    }
}

/// Whether a record has values.
#[must_use]
pub fn has_values(record: &Doc) -> bool {
    values(record).is_some()
}

fn values(record: &Doc) -> Option<&Doc> {
    let values = record.get("customFields").and_then(Value::as_object);
    values.filter(|values| !values.is_empty())
}
