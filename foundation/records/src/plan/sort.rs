//! Sort keys, served by a declared index where there is one.

use octavo_cql::SortKey;

use super::field::{Field, ORDER, check_field};
use super::ids::id_column;
use super::modifiers::Modifiers;
use super::{PlanError, SortTerm};
use crate::collection::Collection;
use crate::expression::{Base, folded, json_at, key as index_key, keys as index_keys, number_in};
use crate::index::Index;
use crate::shape::ValueKind;

/// How the texts of a field are folded for sorting, and the declared index that returns them in
/// that order. An index's folding applies to comparisons only, except where it changes nothing:
/// dates, ids and numbers.
pub(super) fn order<'a>(field: &Field<'a>, folding: &Modifiers) -> (Index, Option<&'a Index>) {
    let mut index = field.declared(ORDER).unwrap_or(&field.implied).clone();
    if matches!(field.kind, Some(ValueKind::Text(_))) {
        index.case_sensitive = false;
        index.remove_accents = true;
    }
    folding.apply(&mut index);
    let by = field
        .candidates(ORDER)
        .find(|by| by.reads_like(&index) && by.has_every_row());
    (index, by)
}

/// What lists are sorted by for a path without modifiers.
pub(super) fn plain_key(collection: &Collection, path: &str) -> String {
    let field = Field::of(collection, path);
    match order(&field, &Modifiers::default()) {
        (_, Some(by)) => index_key(by),
        (index, None) => folded(&index),
    }
}

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
        None if number => match Field::of(collection, &key.index).number_index() {
            Some(by) => index_keys(by),
            None => vec![number_in(Base::Record, &key.index), json_at(&key.index)],
        },
        None => {
            let field = Field::of(collection, &key.index);
            let (index, by) = order(&field, &folding);
            vec![match by {
                Some(by) => index_key(by),
                None => folded(&index),
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
