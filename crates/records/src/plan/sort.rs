//! The keys of an order: by the declared index where there is one.

use octavo_cql::SortKey;

use super::field::{Field, ORDER, check_field};
use super::ids::id_column;
use super::modifiers::Modifiers;
use super::{PlanError, SortTerm};
use crate::collection::Collection;
use crate::expression::{Base, folded, json_at, key as index_key, number_in};

/// The terms of one key.
pub(super) fn sort_terms(
    key: &SortKey,
    collection: &Collection,
) -> Result<Vec<SortTerm>, PlanError> {
    check_field(&key.index)?;
    let mut descending = false;
    let mut number = false;
    let mut folding = Modifiers::default();
    for modifier in &key.modifiers {
        match modifier.name.to_ascii_lowercase().as_str() {
            "sort.descending" | "descending" => descending = true,
            "sort.ascending" | "ascending" => descending = false,
            "number" => number = true,
            "string" | "masked" => {}
            other if folding.folding(other) => {}
            _ => {
                return Err(PlanError::new(format!(
                    "CQL: Unsupported sort modifier {}",
                    modifier.name
                )));
            }
        }
    }
    let expressions = match id_column(collection, &key.index) {
        Some(column) => vec![column],
        // Values that are no numbers come behind, in the order of their JSON.
        None if number => vec![number_in(Base::Record, &key.index), json_at(&key.index)],
        None => {
            let field = Field::of(collection, &key.index);
            let found = field.declared(ORDER);
            let mut index = found.unwrap_or(&field.implied).clone();
            folding.apply(&mut index);
            vec![match found {
                Some(found) if found.reads_like(&index) => index_key(found),
                _ => folded(&index),
            }]
        }
    };
    Ok(expressions
        .into_iter()
        .map(|expression| SortTerm {
            expression,
            descending,
        })
        .collect())
}
