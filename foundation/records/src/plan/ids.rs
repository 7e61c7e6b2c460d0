//! Clauses on id fields: look-ups by column, and values that are not ids.

use octavo_cql::{Clause, Comparison, Piece, Term};
use uuid::Uuid;

use super::{PlanError, Predicate};
use crate::collection::Collection;

/// The positions of digits and hyphens in an id.
const PATTERN: &str = "00000000-0000-0000-0000-000000000000";

pub(super) fn id_column(collection: &Collection, field: &str) -> Option<String> {
    if field == "id" {
        return Some(field.to_owned());
    }
    collection
        .reference_on(field)
        .map(crate::collection::Reference::column)
}

/// A clause on an id column. A value that is not an id equals none; range comparisons refuse it.
pub(super) fn id_clause(clause: &Clause, column: String) -> Result<Predicate, PlanError> {
    let term = &clause.term;
    let equality = matches!(
        clause.relation.comparison,
        Comparison::Equal | Comparison::Exact | Comparison::NotEqual
    );
    if equality && !is_truncated_at_the_end_only(term) {
        return Err(PlanError::new(format!(
            "CQL: only right truncation supported for id:  {}",
            term.as_str()
        )));
    }
    let id = term.literal().and_then(|text| id_of(&text));
    let ordered = |operator| match id {
        Some(id) => Ok(Predicate::IdOrder(column.clone(), operator, id)),
        None => Err(PlanError::new(format!(
            "CQL: Invalid UUID after {} {operator}: {}",
            clause.index,
            term.as_str()
        ))),
    };
    match clause.relation.comparison {
        Comparison::Less => ordered("<"),
        Comparison::LessEqual => ordered("<="),
        Comparison::Greater => ordered(">"),
        Comparison::GreaterEqual => ordered(">="),
        Comparison::NotEqual => Ok(match id {
            Some(id) => Predicate::IdDiffers(column, id),
            None if term.is_any_run() => Predicate::Nothing,
            None => match truncated(term) {
                Some((low, high)) => Predicate::IdOutside(column, low, high),
                None => Predicate::IdPresent(column),
            },
        }),
        Comparison::Equal | Comparison::Exact => Ok(match id {
            Some(id) => Predicate::IdIn(column, vec![id]),
            None if term.is_any_run() => Predicate::IdPresent(column),
            None if term.is_empty() && clause.relation.comparison == Comparison::Equal => {
                Predicate::IdPresent(column)
            }
            None => truncated(term).map_or(Predicate::Nothing, |(low, high)| {
                Predicate::IdBetween(column, low, high)
            }),
        }),
        Comparison::Adj | Comparison::All | Comparison::Any => Err(PlanError::new(format!(
            "CQL: the field {} holds an id and takes only =, ==, <>, <, >, <= and >=",
            clause.index
        ))),
    }
}

/// Whether the only wildcard is a `*` at the end.
fn is_truncated_at_the_end_only(term: &Term) -> bool {
    let pieces = term.pieces();
    let before = pieces.split_last().map_or(&[][..], |(_, before)| before);
    !before.contains(&Piece::AnyRun)
}

/// The first and last id with a prefix such as `12ab*`.
fn truncated(term: &Term) -> Option<(Uuid, Uuid)> {
    let pieces = term.pieces();
    let [Piece::Text(prefix), Piece::AnyRun] = pieces.as_slice() else {
        return None;
    };
    let rest = PATTERN.get(prefix.len()..)?;
    let filled = |digit| id_of(&format!("{prefix}{}", rest.replace('0', digit)));
    Some((filled("0")?, filled("f")?))
}

/// An id in the notation of records: 36 characters. Other notations that a `uuid` column would
/// accept are not ids, as in FOLIO.
fn id_of(text: &str) -> Option<Uuid> {
    let written = text.len() == PATTERN.len();
    written.then(|| Uuid::try_parse(text).ok()).flatten()
}
