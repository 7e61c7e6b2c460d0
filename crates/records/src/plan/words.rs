//! Terms of full-text relations: which words are looked for, and how.

use octavo_cql::{Piece, Term};

use super::PlanError;
use super::Words;

/// The operands of a word search; a phrase without wildcards is one operand.
pub(super) fn operands(term: &Term, phrase: bool) -> Result<Vec<Words>, PlanError> {
    if phrase && let Some(text) = term.literal() {
        return Ok(vec![Words::Phrase(text)]);
    }
    term.words().iter().map(word).collect()
}

fn word(term: &Term) -> Result<Words, PlanError> {
    let pieces = term.pieces();
    match pieces.as_slice() {
        [Piece::Text(text)] => Ok(Words::Phrase(text.clone())),
        [Piece::Text(text), Piece::AnyRun] => Ok(Words::Prefix(prefix(text))),
        _ if pieces.contains(&Piece::AnyOne) => Err(PlanError::new(
            "CQL: ? is not supported in a search for words, mask it as \\?",
        )),
        _ => Err(PlanError::new(
            "CQL: a search for words takes * only at the end of a word, as in comput*",
        )),
    }
}

/// A quoted lexeme with the prefix mark, as `to_tsquery` reads it.
fn prefix(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 4);
    quoted.push('\'');
    for character in text.chars() {
        if matches!(character, '\'' | '\\') {
            quoted.push(character);
        }
        quoted.push(character);
    }
    quoted.push_str("':*");
    quoted
}
