//! Compiles the text of a query to a condition on instances. Pure: no SQL here.

pub mod authorities;
pub mod browse;
mod compile;
pub mod facets;
pub mod fields;

pub use compile::{InstanceQuery, Part, Sort, SortBy, compile, conjuncts};

use fields::{Column, Text};
use uuid::Uuid;

/// A condition on an instance.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// Always true.
    Everything,
    /// Always false, such as for an invalid id.
    Nothing,
    /// Every part.
    All(Vec<Condition>),
    /// At least one part.
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// Words in a text.
    Words {
        /// The text to search.
        text: Text,
        /// Whether one of them is enough.
        any: bool,
        /// The words.
        words: Vec<Word>,
    },
    /// Whole values, or words of a rarer text, by the tag under which they are stored.
    Terms {
        tag: &'static str,
        /// Whether the value is cut into words.
        in_words: bool,
        /// Whether one of the values is enough.
        any: bool,
        /// The values.
        words: Vec<Word>,
    },
    /// A whole value like a pattern with `%` and `_`: all values of an instance are compared.
    TermLike {
        tag: &'static str,
        pattern: String,
    },
    /// A whole value of the record like a pattern: the record itself must be read.
    ValueLike {
        /// Letters that one of the words must contain, a cheaper pre-check by an index.
        hint: Option<(Text, String)>,
        /// The SQL/JSON paths of the values.
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
    /// A column of one of the search tables.
    Column(Column, Test),
    /// A query on the records themselves.
    Records(String),
}

/// A word, or a prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text; with blanks in it a phrase.
    pub text: String,
    /// Whether it is a prefix.
    pub starting: bool,
}

/// A test of a column.
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

/// A refused query: FOLIO's message and parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The sentence.
    pub message: String,
    /// The parameter's name and value, if there is one.
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
