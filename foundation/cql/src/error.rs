//! The one error of this crate: where the text stops being a query, and what was expected there.

use std::fmt;

use crate::limits::{MAX_CLAUSES, MAX_DEPTH, MAX_LENGTH, MAX_SCOPE_LENGTH};

/// Most characters of the query that an error repeats in `found`.
const FOUND_LENGTH: usize = 40;

/// Why a text is not a query.
///
/// `Display` is one line; [`render`](Self::render) adds the line of the query with a caret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub kind: ErrorKind,
    /// Byte offset in the query text, on a character boundary.
    pub offset: usize,
    /// Line, counted from 1.
    pub line: usize,
    /// Column, in characters, counted from 1.
    pub column: usize,
    /// What was expected; empty where that does not help, as for a limit.
    pub expected: Vec<&'static str>,
    /// What was found instead, shortened; empty when `expected` is.
    pub found: String,
}

/// What is wrong with a query text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The grammar does not allow what was found.
    Unexpected,
    /// A quoted string has no closing quotation mark; the offset is that of the opening one.
    UnterminatedString,
    /// A NUL character, which no stored text can hold.
    NulCharacter,
    /// CQL that this dialect leaves out: the name of the feature.
    Unsupported(&'static str),
    /// More than [`MAX_LENGTH`] bytes of text.
    TooLong,
    /// More than [`MAX_DEPTH`] parentheses open.
    TooDeep,
    /// More than [`MAX_CLAUSES`] clauses.
    TooManyClauses,
    /// More than [`MAX_SCOPE_LENGTH`] bytes of index names and modifiers.
    ScopeTooLong,
}

impl Error {
    /// An error at a byte offset of `text`.
    pub(crate) fn new(kind: ErrorKind, text: &str, offset: usize) -> Self {
        let offset = floor_boundary(text, offset);
        let (line, column) = position(text, offset);
        Self {
            kind,
            offset,
            line,
            column,
            expected: Vec::new(),
            found: String::new(),
        }
    }

    /// The same error with what was expected and what was found.
    pub(crate) fn expecting(mut self, expected: &[&'static str], found: String) -> Self {
        self.expected = expected.to_vec();
        self.found = found;
        self
    }
}

/// Line and column, both counted from 1, of a byte offset in a text; columns count characters.
///
/// An offset behind the end is taken as the end, one inside a character as its beginning.
///
/// ```
/// assert_eq!(octavo_cql::position("title=x\nand é=y", 14), (2, 6));
/// ```
#[must_use]
pub fn position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..floor_boundary(text, offset)];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    (line, before[line_start..].chars().count() + 1)
}

/// The last character boundary at or before an offset.
pub(crate) fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut boundary = offset.min(text.len());
    while !text.is_char_boundary(boundary) {
        boundary -= 1;
    }
    boundary
}

/// Text of a query in the form in which errors quote it: on one line, shortened.
pub(crate) fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(FOUND_LENGTH).map(printable).collect();
    if text.chars().nth(FOUND_LENGTH).is_some() {
        excerpt.push('…');
    }
    excerpt
}

/// Replaces control characters, which would break the line or misalign the caret below it.
pub(crate) fn printable(character: char) -> char {
    match character {
        '\t' | '\r' | '\n' => ' ',
        control if control.is_control() => '\u{fffd}',
        other => other,
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unexpected => out.write_str("syntax error"),
            Self::UnterminatedString => out.write_str("quoted string without an end"),
            Self::NulCharacter => out.write_str("NUL character in the query"),
            Self::Unsupported(feature) => write!(out, "{feature} is not supported"),
            Self::TooLong => write!(out, "query longer than {MAX_LENGTH} bytes"),
            Self::TooDeep => write!(out, "more than {MAX_DEPTH} parentheses open"),
            Self::TooManyClauses => write!(out, "more than {MAX_CLAUSES} search clauses"),
            Self::ScopeTooLong => write!(
                out,
                "index names and modifiers repeated over all clauses exceed {MAX_SCOPE_LENGTH} bytes"
            ),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "CQL, line {}, column {}: {}",
            self.line, self.column, self.kind
        )?;
        let Some((last, others)) = self.expected.split_last() else {
            return Ok(());
        };
        out.write_str(": expected ")?;
        if !others.is_empty() {
            write!(out, "{} or ", others.join(", "))?;
        }
        write!(out, "{last}, found {}", self.found)
    }
}

impl std::error::Error for Error {}
