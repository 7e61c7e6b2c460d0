//! Splits a rules text into lines of tokens. Blank lines, comments and white space other than
//! indentation are dropped. Tabs are refused, because their width is ambiguous.

use super::RuleError;
use super::syntax::{Criterion, Position};

/// What a token is; the words of the language win over names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind {
    Priority,
    FallbackPolicy,
    FirstLine,
    LastLine,
    Criterium,
    NumberOfCriteria,
    All,
    CriterionLetter(Criterion),
    PolicyLetter(char),
    Name,
    Colon,
    Comma,
    Plus,
    Not,
    Open,
    Close,
    /// Ends every line.
    EndOfLine,
}

/// A token with its place and text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub kind: TokenKind,
    pub text: &'a str,
    pub position: Position,
}

/// A line that holds at least one token besides its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// Leading spaces.
    pub indent: u32,
    pub tokens: Vec<Token<'a>>,
}

/// Cuts the text; refuses tabs and characters that the language lacks.
pub(super) fn lines(text: &str) -> Result<Vec<Line<'_>>, RuleError> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(physical_lines(text)) {
        let tokens = line_tokens(line, number)?;
        if let [first, _, ..] = tokens.as_slice() {
            found.push(Line {
                indent: first.position.column - 1,
                tokens,
            });
        }
    }
    Ok(found)
}

/// Splits at LF, CRLF and lone CR.
fn physical_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

fn line_tokens(line: &str, number: u32) -> Result<Vec<Token<'_>>, RuleError> {
    let mut tokens = Vec::new();
    let mut column: u32 = 1;
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        let position = Position {
            line: number,
            column,
        };
        let length = match character {
            ' ' => 1,
            '#' | '/' => break,
            '\t' => {
                // As in FOLIO, whose editor marks what is before it.
                let column = column + 1;
                return Err(error(
                    "Tabulator character is not allowed, use spaces instead.",
                    Position { column, ..position },
                ));
            }
            _ => match punctuation(character) {
                Some(kind) => {
                    tokens.push(Token {
                        kind,
                        text: &rest[..1],
                        position,
                    });
                    1
                }
                None => {
                    let length = rest.bytes().take_while(|byte| is_name_byte(*byte)).count();
                    if length == 0 {
                        let message = format!("Character '{character}' is not allowed here.");
                        return Err(error(message, position));
                    }
                    let text = &rest[..length];
                    tokens.push(Token {
                        kind: word(text),
                        text,
                        position,
                    });
                    length
                }
            },
        };
        rest = &rest[length..];
        column += u32::try_from(length).unwrap_or(u32::MAX / 2);
    }
    let end = column + u32::try_from(rest.chars().count()).unwrap_or(0);
    let position = Position {
        line: number,
        column: end,
    };
    tokens.push(Token {
        kind: TokenKind::EndOfLine,
        text: "",
        position,
    });
    Ok(tokens)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

fn punctuation(character: char) -> Option<TokenKind> {
    Some(match character {
        ':' => TokenKind::Colon,
        ',' => TokenKind::Comma,
        '+' => TokenKind::Plus,
        '!' => TokenKind::Not,
        '(' => TokenKind::Open,
        ')' => TokenKind::Close,
        _ => return None,
    })
}

fn word(text: &str) -> TokenKind {
    match text {
        "priority" => TokenKind::Priority,
        "fallback-policy" => TokenKind::FallbackPolicy,
        "first-line" => TokenKind::FirstLine,
        "last-line" => TokenKind::LastLine,
        "criterium" => TokenKind::Criterium,
        "number-of-criteria" => TokenKind::NumberOfCriteria,
        "all" => TokenKind::All,
        _ => one_letter(text).unwrap_or(TokenKind::Name),
    }
}

fn one_letter(text: &str) -> Option<TokenKind> {
    let mut characters = text.chars();
    let (Some(letter), None) = (characters.next(), characters.next()) else {
        return None;
    };
    Criterion::from_letter(letter)
        .map(TokenKind::CriterionLetter)
        .or_else(|| super::PolicyKind::from_letter(letter).map(|_| TokenKind::PolicyLetter(letter)))
}

/// An error at a place.
pub(super) fn error(message: impl Into<String>, position: Position) -> RuleError {
    RuleError {
        message: message.into(),
        line: position.line,
        column: position.column,
    }
}
