//! Clauses on fields that hold ids: look-ups by column, and values that are no id.

use octavo_cql::{Clause, Comparison, Piece, Term};
use uuid::Uuid;

use super::{PlanError, Predicate};
use crate::collection::Collection;

/// The column of an id field.
pub(super) fn id_column(collection: &Collection, field: &str) -> Option<String> {
    if field == "id" {
        return Some(field.to_owned());
    }
    collection
        .reference_on(field)
        .map(crate::collection::Reference::column)
}

/// A clause on an id column; what is no id matches nothing, except where an order is asked for.
pub(super) fn id_clause(clause: &Clause, column: String) -> Result<Predicate, PlanError> {
    let term = &clause.term;
    let id = term
        .literal()
        .and_then(|text| Uuid::try_parse(text.trim()).ok());
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
            None => Predicate::IdPresent(column),
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

/// `12ab*`: the ids that begin so, as the first and the last of them.
fn truncated(term: &Term) -> Option<(Uuid, Uuid)> {
    let pieces = term.pieces();
    let [Piece::Text(prefix), Piece::AnyRun] = pieces.as_slice() else {
        return None;
    };
    let digits: String = prefix.chars().filter(|c| *c != '-').collect();
    if digits.len() > 32 || !digits.chars().all(|c| c.is_ascii_hexdigit()) {
        return None;
    }
    let low = Uuid::try_parse(&format!("{digits:0<32}")).ok()?;
    let high = Uuid::try_parse(&format!("{digits:f<32}")).ok()?;
    Some((low, high))
}
