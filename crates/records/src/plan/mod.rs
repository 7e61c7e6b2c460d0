//! From CQL to SQL in two steps: a query is compiled against a collection's declared indexes into
//! a typed [`Plan`], and a plan is written as SQL with bound values.

mod compile;
mod error;
mod ids;
mod modifiers;
mod parameter;
mod sort;
mod sql;
mod unindexed;
mod words;

pub use compile::compile;
pub use error::PlanError;
pub use parameter::Parameter;
pub use sql::Sql;
pub use unindexed::Unindexed;

use uuid::Uuid;

use crate::index::Index;

/// What a search has to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// Which records are wanted.
    pub predicate: Predicate,
    /// In which order; undefined when empty.
    pub sort: Vec<SortTerm>,
}

impl Plan {
    /// Every record in no particular order.
    #[must_use]
    pub fn everything() -> Plan {
        Plan {
            predicate: Predicate::Everything,
            sort: Vec::new(),
        }
    }
}

/// One key of the order.
#[derive(Debug, Clone, PartialEq)]
pub struct SortTerm {
    /// The SQL expression.
    pub expression: String,
    /// Largest first.
    pub descending: bool,
}

/// Which records are wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum Predicate {
    /// All of them.
    Everything,
    /// None: a value that cannot occur, such as a malformed id.
    Nothing,
    /// Those that satisfy every part.
    All(Vec<Predicate>),
    /// Those that satisfy at least one part.
    Any(Vec<Predicate>),
    /// Those that satisfy the first and not the second (or for which the second is unknown).
    Except(Box<Predicate>, Box<Predicate>),
    /// An id column equal to one of these.
    IdIn(String, Vec<Uuid>),
    /// An id column that is set and differs.
    IdDiffers(String, Uuid),
    /// An id column before or after an id.
    IdOrder(String, &'static str, Uuid),
    /// An id column between two ids, both included.
    IdBetween(String, Uuid, Uuid),
    /// An id column that is set.
    IdPresent(String),
    /// A property that is there, whatever its value; as a JSON expression.
    Present(String),
    /// A JSON expression whose value contains this JSON (PostgreSQL's `@>`).
    Contains(String, String),
    /// A text compared whole.
    Text(TextMatch),
    /// A text matched against a pattern with `%` and `_`.
    Like(TextMatch),
    /// Words found in a text.
    Words(WordMatch),
    /// A property compared as a number: JSON expression, operator, digits.
    Number(String, &'static str, String),
    /// Records connected with records of another table that satisfy a predicate.
    Across(Box<Crossing>),
}

impl Predicate {
    /// Whether an id or a unique key leaves few records to look at, by its form alone.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        match self {
            Predicate::Nothing | Predicate::IdIn(..) => true,
            Predicate::Text(text) => {
                text.declared
                    && text.operator == "="
                    && (text.index.kind == crate::index::IndexKind::UniqueIndex
                        || Uuid::try_parse(&text.value).is_ok())
            }
            Predicate::All(parts) => parts.iter().any(Predicate::is_narrow),
            Predicate::Any(parts) => parts.iter().all(Predicate::is_narrow),
            _ => false,
        }
    }
}

/// A comparison of a folded text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextMatch {
    /// How the text is found and folded.
    pub index: Index,
    /// Whether the collection declares that index.
    pub declared: bool,
    /// `=`, `<>`, `<`, `<=`, `>`, `>=`, `LIKE` or `NOT LIKE`.
    pub operator: &'static str,
    /// The term or pattern, not folded yet.
    pub value: String,
}

/// A search for words.
#[derive(Debug, Clone, PartialEq)]
pub struct WordMatch {
    /// How the text is found.
    pub index: Index,
    /// Whether the collection declares that index.
    pub declared: bool,
    /// `<->`, `&&` or `||`.
    pub joined: &'static str,
    /// What is looked for.
    pub words: Vec<Words>,
}

/// One operand of a [`WordMatch`].
#[derive(Debug, Clone, PartialEq)]
pub enum Words {
    /// Words in this order.
    Phrase(String),
    /// A word that begins so, in the notation of `to_tsquery`.
    Prefix(String),
}

/// A predicate on another table.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// The id column of this table.
    pub column: String,
    /// The other table.
    pub table: String,
    /// The id column of the other table.
    pub other: String,
    /// What its records must satisfy.
    pub predicate: Predicate,
}
