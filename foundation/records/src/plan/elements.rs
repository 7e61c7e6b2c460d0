//! Clauses with array modifiers, `identifiers =/@identifierTypeId=… 123`: one element of the array
//! must satisfy them all.

use octavo_cql::{Clause, Comparison};

use super::field::Field;
use super::modifiers::Modifiers;
use super::text::{like_escaped, number_clause, text_clause};
use super::{ElementMatch, PlanError, Predicate, TextMatch, WordMatch};
use crate::collection::Collection;
use crate::index::{Index, IndexKind};

/// Compiles such a clause. A modifier with a value is a further condition; one without names a
/// property that is searched in place of the declared one.
pub(super) fn element_clause(
    clause: &Clause,
    collection: &Collection,
    field: &str,
    modifiers: &Modifiers,
) -> Result<Predicate, PlanError> {
    let comparison = clause.relation.comparison;
    let indexes: Vec<&Index> = collection
        .indexes
        .iter()
        .filter(|index| index.field == field && index.array_subfield.is_some())
        .collect();
    let first = modifiers.elements.first().map_or("", |one| &one.name);
    let Some((index, subfield)) = best(&indexes, comparison)
        .and_then(|index| Some((index, index.array_subfield.as_deref()?)))
    else {
        return Err(unsupported(first));
    };
    let text = |name: &str| {
        let within = Field::of_element(index, name);
        if modifiers.number {
            number_clause(comparison, &clause.term, &within)
        } else {
            text_clause(comparison, &clause.term, &within, modifiers)
        }
    };
    let mut searched = Vec::new();
    let mut conditions = Vec::new();
    for modifier in &modifiers.elements {
        let mut names = index.array_modifiers.iter().map(String::as_str);
        let name = names
            .find(|name| name.eq_ignore_ascii_case(&modifier.name))
            .or(Some(subfield).filter(|name| name.eq_ignore_ascii_case(&modifier.name)))
            .ok_or_else(|| unsupported(&modifier.name))?;
        match &modifier.value {
            None => searched.push(text(name)?),
            Some((relation, value)) => conditions.push(text_clause(
                *relation,
                value,
                &Field::of_element(index, name),
                &Modifiers::default(),
            )?),
        }
    }
    if searched.is_empty() {
        searched.push(text(subfield)?);
    }
    conditions.push(match searched.len() {
        1 => searched.remove(0),
        _ => Predicate::Any(searched),
    });
    let candidates = candidates(index, conditions.last(), modifiers);
    Ok(Predicate::Elements(Box::new(ElementMatch {
        array: field.to_owned(),
        candidates,
        element: Predicate::All(conditions),
    })))
}

/// The full-text index for searches for words, the trigram index for others.
fn best<'a>(indexes: &[&'a Index], comparison: Comparison) -> Option<&'a Index> {
    let wanted = match comparison {
        Comparison::Equal | Comparison::Adj | Comparison::All | Comparison::Any => {
            IndexKind::FullTextIndex
        }
        _ => IndexKind::GinIndex,
    };
    let found = indexes.iter().find(|index| index.kind == wanted);
    found.or(indexes.first()).copied()
}

/// The condition on the text of the whole array that holds when one of its elements satisfies
/// `searched`.
fn candidates(
    index: &Index,
    searched: Option<&Predicate>,
    modifiers: &Modifiers,
) -> Option<Predicate> {
    match searched? {
        Predicate::Words(words) if index.kind == IndexKind::FullTextIndex => {
            Some(Predicate::Words(WordMatch {
                index: Box::new(index.clone()),
                declared: true,
                ..words.clone()
            }))
        }
        Predicate::Text(text)
            if index.kind == IndexKind::GinIndex
                && text.operator == "="
                && !modifiers.number
                && is_plain_in_json(&text.value) =>
        {
            let pattern = format!("%{}%", like_escaped(&text.value));
            Some(Predicate::Like(TextMatch::declared(
                index.clone(),
                "LIKE",
                pattern,
            )))
        }
        _ => None,
    }
}

/// Whether JSON contains the text unescaped.
fn is_plain_in_json(text: &str) -> bool {
    !text
        .chars()
        .any(|c| c.is_control() || matches!(c, '"' | '\\'))
}

fn unsupported(name: &str) -> PlanError {
    PlanError::new(format!("CQL: Unsupported relation modifier @{name}"))
}
