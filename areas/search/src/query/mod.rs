//! From a query's text to what has to hold of an instance. Pure: nothing here knows a statement.

pub mod authorities;
pub mod browse;
mod compile;
pub mod facets;
pub mod fields;

pub use compile::{InstanceQuery, Part, Sort, SortBy, compile, conjuncts};

use fields::{Column, Text};
use uuid::Uuid;

/// What has to hold of an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Nothing in particular.
    Everything,
    /// What never holds: an id that is none.
    Nothing,
    /// Every part.
    All(Vec<Condition>),
    /// At least one part.
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Words in a text.
    Words {
        /// Where they are looked for.
        text: Text,
        /// Whether one of them is enough.
        any: bool,
        /// What is looked for.
        words: Vec<Word>,
    },
    /// Values that are compared whole, or words of a rarer text, by the tag they are kept under.
    Terms {
        tag: &'static str,
        /// Whether the value is cut into words.
        in_words: bool,
        /// Whether one of the values is enough.
        any: bool,
        /// The values.
        words: Vec<Word>,
    },
    /// One of those values like a pattern with `%` and `_`: all of an instance are looked at.
    TermLike {
        tag: &'static str,
        pattern: String,
    },
    /// A whole value of the record like a pattern: the record itself is read.
    ValueLike {
        /// Letters that one of the words of a text has to hold, which is cheaper to see.
        hint: Option<(Text, String)>,
        /// Where the values stand, as paths of SQL/JSON.
        paths: &'static [&'static str],
        pattern: String,
    },
    /// One of these ids in a column of the instance's headings of a kind.
    Heading {
        /// The kind's number.
        kind: i16,
        column: &'static str,
        ids: Vec<Uuid>,
    },
    /// Bound with others.
    Bound,
    /// A column of one of the tables that are kept for searching.
    Column(Column, Test),
    /// A query on the records themselves.
    Records(String),
}

/// A word, or how one begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text; with blanks in it a phrase.
    pub text: String,
    /// Whether more may follow.
    pub starting: bool,
}

/// What is asked of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Test {
    /// One of these values, or for a list, one of them in it.
    Is(Vec<String>),
    /// Set, or for a list, not empty.
    Present,
    /// A pattern with `%` and `_`.
    Like(String),
    /// Before or after a value, by an operator of SQL.
    Order(&'static str, String),
}

/// Why a query is refused: FOLIO's message, and the parameter it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The sentence.
    pub message: String,
    /// Name and value of what is wrong, where one thing is.
    pub parameter: Option<(&'static str, String)>,
}

impl Fault {
    /// A fault that names a parameter.
    #[must_use]
    pub fn of(message: impl Into<String>, key: &'static str, value: impl Into<String>) -> Fault {
        Fault {
            message: message.into(),
            parameter: Some((key, value.into())),
        }
    }

    /// A fault that names none.
    #[must_use]
    pub fn plain(message: impl Into<String>) -> Fault {
        Fault {
            message: message.into(),
            parameter: None,
        }
    }
}
