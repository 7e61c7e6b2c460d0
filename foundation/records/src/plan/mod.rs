//! From CQL to SQL in two steps: a query is compiled against a collection's declared indexes into
//! a typed [`Plan`], and a plan is written as SQL with bound values.

mod bound;
mod compile;
mod elements;
mod error;
pub(crate) mod field;
mod ids;
mod modifiers;
mod outline;
mod parameter;
mod renamed;
pub(crate) mod rows;
mod sort;
mod sql;
mod text;
mod unindexed;
mod values;
mod weight;
mod words;

pub use compile::compile;
pub use error::PlanError;
pub use parameter::Parameter;
pub use renamed::renamed;
pub use sql::Sql;
pub use unindexed::{Unindexed, unindexed_order};

use uuid::Uuid;

use crate::index::Index;

/// A compiled search.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    pub predicate: Predicate,
    /// The sort keys; without any the order is undefined.
    pub sort: Vec<SortTerm>,
}

impl Plan {
    /// Every record, unordered.
    #[must_use]
    pub fn everything() -> Plan {
        Plan {
            predicate: Predicate::Everything,
            sort: Vec::new(),
        }
    }

    /// The record with this id.
    #[must_use]
    pub fn of_id(id: Uuid) -> Plan {
        Plan {
            predicate: Predicate::IdIn("id".to_owned(), vec![id]),
            sort: Vec::new(),
        }
    }
}

/// One sort key.
#[derive(Debug, Clone, PartialEq)]
pub struct SortTerm {
    pub expression: String,
    pub descending: bool,
}

/// The condition of a search. Indexes are boxed: queries nest, and each level costs the stack as
/// much as the largest variant takes.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    Everything,
    /// No record: the value cannot occur, such as a malformed id.
    Nothing,
    /// Records that satisfy every part.
    All(Vec<Predicate>),
    /// Records that satisfy at least one part.
    Any(Vec<Predicate>),
    /// Records that satisfy the first and not the second (or for which the second is NULL).
    Except(Box<Predicate>, Box<Predicate>),
    /// An id column equal to one of these.
    IdIn(String, Vec<Uuid>),
    /// An id column that is set and differs.
    IdDiffers(String, Uuid),
    /// An id column that is set and outside of two ids, both excluded.
    IdOutside(String, Uuid, Uuid),
    /// An id column compared with an id by an operator.
    IdOrder(String, &'static str, Uuid),
    /// An id column between two ids, both included.
    IdBetween(String, Uuid, Uuid),
    /// An id column that is set.
    IdPresent(String),
    /// The property at this dotted path exists and is not null, whatever its value.
    Present(String),
    /// The text that an index reads exists, even if it is empty.
    Readable(Box<Index>),
    /// A JSON expression whose value contains this JSON (PostgreSQL's `@>`).
    Contains(String, String),
    /// A text compared as a whole.
    Text(TextMatch),
    /// A text equal to one of several values; the match says how it is compared, and its own value
    /// is unused.
    TextIn(TextMatch, Vec<String>),
    /// A text matched against a pattern with `%` and `_`.
    Like(TextMatch),
    /// Words found in a text.
    Words(WordMatch),
    /// A property compared as a number.
    Number(NumberMatch),
    /// An element of an array that satisfies several conditions at once.
    Elements(Box<ElementMatch>),
    /// Records joined with records of another table that satisfy a predicate.
    Across(Box<Crossing>),
    /// The same where the joined records are few: they are collected first, so that it stays a
    /// look-up even as one part of an OR.
    Gathered(Box<Crossing>),
}

/// How many conditions a condition on joined records counts as, since the join has to be planned.
const CROSSING: usize = 20;

impl Predicate {
    /// Whether rows of other tables decide about what is found.
    #[must_use]
    pub fn reaches_other_tables(&self) -> bool {
        match self {
            Predicate::Across(_) | Predicate::Gathered(_) => true,
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().any(Predicate::reaches_other_tables)
            }
            Predicate::Except(wanted, unwanted) => {
                wanted.reaches_other_tables() || unwanted.reaches_other_tables()
            }
            _ => false,
        }
    }

    /// How many values are compared; a list counts as one, and joined records as [`CROSSING`] more.
    pub(crate) fn conditions(&self) -> usize {
        match self {
            Predicate::All(parts) | Predicate::Any(parts) => {
                parts.iter().map(Predicate::conditions).sum()
            }
            Predicate::Except(wanted, unwanted) => wanted.conditions() + unwanted.conditions(),
            Predicate::Words(words) => words.words.len(),
            Predicate::Elements(elements) => {
                let candidates = elements.candidates.as_ref();
                elements.element.conditions() + candidates.map_or(0, Predicate::conditions)
            }
            Predicate::Across(crossing) | Predicate::Gathered(crossing) => {
                CROSSING + crossing.predicate.conditions()
            }
            _ => 1,
        }
    }

    /// Whether an id or a unique key limits the search to few records, judged by its form alone.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        match self {
            Predicate::Nothing | Predicate::IdIn(..) => true,
            Predicate::Text(text) => {
                text.operator == "="
                    && text.by.as_ref().is_some_and(|by| {
                        by.is_unique_key() || Uuid::try_parse(&text.value).is_ok()
                    })
            }
            Predicate::TextIn(text, _) => text.by.as_deref().is_some_and(Index::is_unique_key),
            Predicate::All(parts) => parts.iter().any(Predicate::is_narrow),
            Predicate::Any(parts) => parts.iter().all(Predicate::is_narrow),
            Predicate::Gathered(crossing) => crossing.predicate.is_narrow(),
            _ => false,
        }
    }
}

/// A comparison of a folded text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextMatch {
    /// How the text is read and folded for the comparison.
    pub index: Box<Index>,
    /// The declared index that finds the candidates; it may fold more than the search requires.
    pub by: Option<Box<Index>>,
    /// `=`, `<>`, `<`, `<=`, `>`, `>=`, `LIKE` or `NOT LIKE`.
    pub operator: &'static str,
    /// The term or pattern, not folded yet.
    pub value: String,
}

impl TextMatch {
    /// A comparison by a declared index.
    #[must_use]
    pub fn declared(index: Index, operator: &'static str, value: impl Into<String>) -> TextMatch {
        TextMatch {
            by: Some(Box::new(index.clone())),
            index: Box::new(index),
            operator,
            value: value.into(),
        }
    }

    /// A comparison that no index serves.
    #[must_use]
    pub fn undeclared(index: Index, operator: &'static str, value: impl Into<String>) -> TextMatch {
        TextMatch {
            by: None,
            index: Box::new(index),
            operator,
            value: value.into(),
        }
    }
}

/// A comparison of a number.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberMatch {
    pub field: String,
    /// The declared index over the number.
    pub by: Option<Box<Index>>,
    /// `=`, `<>`, `<`, `<=`, `>` or `>=`.
    pub operator: &'static str,
    /// The number as written.
    pub digits: String,
}

/// A search inside the elements of an array, `identifiers =/@identifierTypeId=… 123`.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementMatch {
    /// The dotted path of the array.
    pub array: String,
    /// A condition on the whole array's text, which finds the candidates by an index.
    pub candidates: Option<Predicate>,
    /// The condition on one element; its paths begin at the element.
    pub element: Predicate,
}

/// A full-text search.
#[derive(Debug, Clone, PartialEq)]
pub struct WordMatch {
    pub index: Box<Index>,
    /// Whether the collection declares that index.
    pub declared: bool,
    /// The table of narrow rows that has the words, where they are not in an index on the records.
    pub rows: Option<String>,
    /// `<->`, `&&` or `||`.
    pub joined: &'static str,
    pub words: Vec<Words>,
}

/// One operand of a [`WordMatch`].
#[derive(Debug, Clone, PartialEq)]
pub enum Words {
    /// Words in this order.
    Phrase(String),
    /// A prefix of a word.
    Starting(String),
}

/// A predicate on a joined table.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The id column of this table.
    pub column: String,
    pub table: String,
    /// The id column of the other table.
    pub other: String,
    /// The condition on its records.
    pub predicate: Predicate,
}
