//! The circulation rules: a text in which a library says which five policies apply to which
//! patron, item and place. This room turns the text into a compiled, indexed form and answers
//! "which rule wins"; it knows neither where the text is stored nor what a policy contains.
//!
//! ```text
//! priority: t, s, c, b, a, m, g
//! fallback-policy: l <id> r <id> n <id> o <id> i <id>
//! m <book>
//!     g <staff> <faculty>: l <id> r <id> n <id> o <id> i <id>
//! ```

mod check;
mod compiled;
mod index;
mod lexer;
mod parser;
mod priority;
mod syntax;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use serde::Serialize;
use uuid::Uuid;

pub use compiled::{CompiledRules, Criteria, Match, MatchConditions};

/// The longest rules text accepted, in bytes: room for some 20,000 rules with all their ids.
pub const TEXT_BYTES_MAX: usize = 8 * 1024 * 1024;

/// What is wrong with a rules text and where; serialises to FOLIO's 422 body for
/// `PUT /circulation/rules`, which is not the usual `errors[]` shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("{message} (line {line}, column {column})")]
pub struct RuleError {
    /// One sentence for the author of the rules.
    pub message: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column, counted from 1; FOLIO counts from 0 where it complains about a list of policies.
    pub column: u32,
}

/// The five kinds of policy a rule names, in the order in which FOLIO checks them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PolicyKind {
    /// `l`, the loan policy.
    Loan,
    /// `r`, the request policy.
    Request,
    /// `n`, the patron notice policy.
    Notice,
    /// `o`, the overdue fine policy.
    OverdueFine,
    /// `i`, the lost item fee policy.
    LostItem,
}

impl PolicyKind {
    /// All five kinds in the order of checking.
    pub const ALL: [PolicyKind; 5] = [
        Self::Loan,
        Self::Request,
        Self::Notice,
        Self::OverdueFine,
        Self::LostItem,
    ];

    /// The letter of the rules text.
    pub fn letter(self) -> char {
        match self {
            Self::Loan => 'l',
            Self::Request => 'r',
            Self::Notice => 'n',
            Self::OverdueFine => 'o',
            Self::LostItem => 'i',
        }
    }

    fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter)
    }
}

/// The ids of the policies that exist, by kind: what a rules text may refer to.
#[derive(Debug, Clone, Default)]
pub struct PolicyIds {
    /// Loan policies.
    pub loan: HashSet<Uuid>,
    /// Request policies.
    pub request: HashSet<Uuid>,
    /// Patron notice policies.
    pub notice: HashSet<Uuid>,
    /// Overdue fine policies.
    pub overdue_fine: HashSet<Uuid>,
    /// Lost item fee policies.
    pub lost_item: HashSet<Uuid>,
}

impl PolicyIds {
    fn contains(&self, kind: PolicyKind, id: &Uuid) -> bool {
        match kind {
            PolicyKind::Loan => self.loan.contains(id),
            PolicyKind::Request => self.request.contains(id),
            PolicyKind::Notice => self.notice.contains(id),
            PolicyKind::OverdueFine => self.overdue_fine.contains(id),
            PolicyKind::LostItem => self.lost_item.contains(id),
        }
    }
}

/// The id of a name in the rules text. Names are compared with ids in their hyphenated form, so
/// any other name is allowed but equals nothing.
fn id_of(name: &str) -> Option<Uuid> {
    if name.len() == 36 {
        Uuid::try_parse(name).ok()
    } else {
        None
    }
}
