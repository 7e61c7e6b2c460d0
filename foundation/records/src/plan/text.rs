//! Clauses on texts and numbers: the comparison that a relation and a term ask for, and the
//! declared index that serves it.

use octavo_cql::{Comparison, Piece, Term};

use super::field::{EQUALITY, FIELD_CHARS_MAX, Field, PREFIX, RANGE, TRIGRAM, WORDS};
use super::modifiers::Modifiers;
use super::words;
use super::{NumberMatch, PlanError, Predicate, TextMatch, WordMatch};
use crate::expression::KEY_CHARS;
use crate::index::{Index, IndexKind};
use crate::shape::ValueKind;

/// A clause on a text.
pub(super) fn text_clause(
    comparison: Comparison,
    term: &Term,
    field: &Field<'_>,
    modifiers: &Modifiers,
) -> Result<Predicate, PlanError> {
    let about_words = matches!(
        comparison,
        Comparison::Equal | Comparison::Adj | Comparison::All | Comparison::Any
    );
    let cleaned = term.without_lone_stars();
    let whole = term;
    let term: &Term = if about_words { &cleaned } else { term };
    match comparison {
        Comparison::Exact | Comparison::NotEqual => {
            check_wildcards(term)?;
            let negated = comparison == Comparison::NotEqual;
            Ok(equality(field, term, modifiers, negated))
        }
        _ if about_words && term.is_any_run() => Ok(Predicate::Everything),
        _ if about_words && term.is_empty() => Ok(present(field)),
        // An id is one word, so its b-tree serves `=` as well as `==`.
        Comparison::Equal | Comparison::Adj
            if field.kind == Some(&ValueKind::Uuid) && term.literal().is_some() =>
        {
            Ok(equality(field, term, modifiers, false))
        }
        // Where an index only has the text of an SQL expression (`itemIdEq`), `=` compares that
        // text.
        Comparison::Equal | Comparison::Adj
            if field.declared(WORDS).is_none()
                && field
                    .declared(EQUALITY)
                    .is_some_and(|index| index.expression.is_some() && index.term.is_some()) =>
        {
            check_wildcards(whole)?;
            Ok(equality(field, whole, modifiers, false))
        }
        Comparison::Equal | Comparison::Adj => word_clause(field, term, "<->"),
        Comparison::All => word_clause(field, term, "&&"),
        Comparison::Any => word_clause(field, term, "||"),
        Comparison::Less => Ok(ordered(field, "<", term, modifiers)),
        Comparison::LessEqual => Ok(ordered(field, "<=", term, modifiers)),
        Comparison::Greater => Ok(ordered(field, ">", term, modifiers)),
        Comparison::GreaterEqual => Ok(ordered(field, ">=", term, modifiers)),
    }
}

/// A clause with `/number`.
pub(super) fn number_clause(
    comparison: Comparison,
    term: &Term,
    field: &Field<'_>,
) -> Result<Predicate, PlanError> {
    let operator = match comparison {
        Comparison::Equal | Comparison::Exact => "=",
        Comparison::NotEqual => "<>",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
        Comparison::Adj | Comparison::All | Comparison::Any => {
            return Err(PlanError::new(
                "CQL: /number takes only =, ==, <>, <, >, <= and >=",
            ));
        }
    };
    let digits = term.literal().unwrap_or_default();
    if digits.len() > 100 || !digits.parse::<f64>().is_ok_and(f64::is_finite) {
        let shown: String = term.as_str().chars().take(FIELD_CHARS_MAX).collect();
        return Err(PlanError::new(format!(
            "CQL: \"{shown}\" after {} is not a number, as /number asks",
            field.name
        )));
    }
    Ok(Predicate::Number(NumberMatch {
        field: field.name.clone(),
        by: field.number_index().cloned().map(Box::new),
        operator,
        digits,
    }))
}

/// A text that is not read by its path may exist where the path does not: a combination of fields
/// always does, even if it is empty.
fn present(field: &Field<'_>) -> Predicate {
    let index = &field.implied;
    match index.fields.is_empty() && index.expression.is_none() {
        true => Predicate::Present(field.name.clone()),
        false => Predicate::Readable(Box::new(index.clone())),
    }
}

fn word_clause(
    field: &Field<'_>,
    term: &Term,
    joined: &'static str,
) -> Result<Predicate, PlanError> {
    let found = field
        .declared(WORDS)
        .filter(|by| field.is_whole_in(by, term));
    let mut index = found.unwrap_or(&field.implied).clone();
    // Accents count in full-text search only where a full-text index says so.
    if found.is_none() {
        index.remove_accents = true;
    }
    let Some(words) = words::operands(term, joined == "<->", index.term.is_some())? else {
        return Ok(Predicate::Nothing);
    };
    if words.is_empty() {
        // Only blanks: there is no word to find.
        return Ok(Predicate::Nothing);
    }
    Ok(Predicate::Words(WordMatch {
        index: Box::new(index),
        declared: found.is_some(),
        rows: found.and(field.rows.clone()),
        joined,
        words,
    }))
}

/// The most wildcards of a term: each costs PostgreSQL a nested call.
const WILDCARDS_MAX: usize = 1_000;

fn check_wildcards(term: &Term) -> Result<(), PlanError> {
    let wildcards = |piece: &&Piece| !matches!(piece, Piece::Text(_));
    match term.pieces().iter().filter(wildcards).nth(WILDCARDS_MAX) {
        None => Ok(()),
        Some(_) => Err(PlanError::new(format!(
            "CQL: a term takes at most {WILDCARDS_MAX} wildcards"
        ))),
    }
}

fn equality(field: &Field<'_>, term: &Term, modifiers: &Modifiers, negated: bool) -> Predicate {
    match term.literal() {
        Some(value) => {
            let operator = if negated { "<>" } else { "=" };
            Predicate::Text(text_match(field, operator, value, modifiers, EQUALITY))
        }
        None => {
            let operator = if negated { "NOT LIKE" } else { "LIKE" };
            let kinds = match term.pieces().first() {
                Some(Piece::Text(_)) => PREFIX,
                _ => TRIGRAM,
            };
            Predicate::Like(text_match(field, operator, pattern(term), modifiers, kinds))
        }
    }
}

fn ordered(
    field: &Field<'_>,
    operator: &'static str,
    term: &Term,
    modifiers: &Modifiers,
) -> Predicate {
    Predicate::Text(text_match(field, operator, term.text(), modifiers, RANGE))
}

fn text_match(
    field: &Field<'_>,
    operator: &'static str,
    value: String,
    modifiers: &Modifiers,
    kinds: &[IndexKind],
) -> TextMatch {
    let found = field.declared(kinds);
    let mut index = found.unwrap_or(&field.implied).clone();
    modifiers.apply(&mut index);
    // What is equal with case is equal without it, but what is less with case need not be. No index
    // finds what differs from a value.
    let usable = |by: &&Index| match operator {
        "<>" | "NOT LIKE" => false,
        _ if !by.has_rows_of(operator, &value) => false,
        "=" | "LIKE" => by.is_coarser_than(&index),
        _ => by.reads_like(&index),
    };
    let by = field.candidates(kinds).find(usable).cloned();
    TextMatch {
        index: Box::new(index),
        by: by.map(Box::new),
        operator,
        value,
    }
}

impl TextMatch {
    /// Whether it can become part of a list that is bound as one value.
    pub(super) fn can_be_listed(&self) -> bool {
        self.operator == "="
            && self.index.term.is_none()
            && self.value.is_ascii()
            && self.value.len() < KEY_CHARS
            && self
                .by
                .as_ref()
                .is_some_and(|by| by.reads_like(&self.index))
    }
}

/// A LIKE pattern for a term with wildcards.
fn pattern(term: &Term) -> String {
    let mut pattern = String::new();
    for piece in term.pieces() {
        match piece {
            Piece::AnyRun => pattern.push('%'),
            Piece::AnyOne => pattern.push('_'),
            Piece::Text(text) => pattern.push_str(&like_escaped(&text)),
        }
    }
    pattern
}

/// Text escaped for a LIKE pattern.
pub(super) fn like_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(character, '%' | '_' | '\\') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
