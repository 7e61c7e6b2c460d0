//! The keys of an order: by the declared index where there is one.

use octavo_cql::SortKey;

use super::compile::{EQUALITY, check_field, declared, implied};
use super::ids::id_column;
use super::{PlanError, SortTerm};
use crate::collection::Collection;
use crate::expression::{folded, json_at};

/// One key.
pub(super) fn sort_term(key: &SortKey, collection: &Collection) -> Result<SortTerm, PlanError> {
    check_field(&key.index)?;
    let mut descending = false;
    let mut number = false;
    for modifier in &key.modifiers {
        match modifier.name.to_ascii_lowercase().as_str() {
            "sort.descending" | "descending" => descending = true,
            "sort.ascending" | "ascending" | "ignorecase" | "string" => {}
            "number" => number = true,
            _ => {
                return Err(PlanError::new(format!(
                    "CQL: Unsupported sort modifier {}",
                    modifier.name
                )));
            }
        }
    }
    let expression = match id_column(collection, &key.index) {
        Some(column) => column,
        None if number => json_at(&key.index),
        None => match declared(collection, &key.index, EQUALITY) {
            Some(index) => crate::expression::key(index),
            None => folded(&implied(collection, &key.index)),
        },
    };
    Ok(SortTerm {
        expression,
        descending,
    })
}
