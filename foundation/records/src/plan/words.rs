//! Terms of full-text relations: the words to search for, and how.

use octavo_cql::{Piece, Term};

use super::PlanError;
use super::Words;

/// PostgreSQL stores no longer word than this many bytes, and refuses to search for one.
const WORD_BYTES_MAX: usize = 2_046;
/// Without accents a character may become several.
const UNACCENTED_GROWTH: usize = 4;
/// The most words of one search.
const WORDS_MAX: usize = 10_000;

/// The most operands that are joined in SQL; each is a nested operator.
const OPERANDS_MAX: usize = 500;

/// The operands of a word search; a phrase without wildcards is one operand. `None` when a word is
/// longer than any that can be found. `whole` keeps a phrase that ends in `*` in one piece, for an
/// index with SQL of its own for the term.
pub(super) fn operands(
    term: &Term,
    phrase: bool,
    whole: bool,
) -> Result<Option<Vec<Words>>, PlanError> {
    if term.as_str().split_whitespace().any(is_too_long) {
        return Ok(None);
    }
    if phrase && let Some(text) = term.literal() {
        return count(&text).map(|()| Some(vec![Words::Phrase(text)]));
    }
    if phrase
        && whole
        && let [Piece::Text(text), Piece::AnyRun] = term.pieces().as_slice()
    {
        return Ok(Some(vec![Words::Starting(text.clone())]));
    }
    let mut words = term.words();
    // A leading one has no effect either.
    words.retain(|word| !word.is_any_run());
    if words.len() > OPERANDS_MAX {
        return Err(PlanError::new(format!(
            "CQL: all, any and words with * take at most {OPERANDS_MAX} words"
        )));
    }
    words.iter().map(word).collect::<Result<_, _>>().map(Some)
}

fn is_too_long(word: &str) -> bool {
    let growth = if word.is_ascii() {
        1
    } else {
        UNACCENTED_GROWTH
    };
    word.len() * growth > WORD_BYTES_MAX
}

fn count(text: &str) -> Result<(), PlanError> {
    match text.split_whitespace().nth(WORDS_MAX) {
        None => Ok(()),
        Some(_) => Err(PlanError::new(format!(
            "CQL: a search for words takes at most {WORDS_MAX} of them"
        ))),
    }
}

fn word(term: &Term) -> Result<Words, PlanError> {
    let pieces = term.pieces();
    match pieces.as_slice() {
        [Piece::Text(text)] => Ok(Words::Phrase(text.clone())),
        [Piece::Text(text), Piece::AnyRun] => Ok(Words::Starting(text.clone())),
        _ if pieces.contains(&Piece::AnyOne) => Err(PlanError::new(
            "CQL: ? is not supported in a search for words, mask it as \\?",
        )),
        _ => Err(PlanError::new(
            "CQL: a search for words takes * only at the end of a word, as in comput*",
        )),
    }
}
