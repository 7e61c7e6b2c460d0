//! Mapping rules in FOLIO's notation, compiled, so that mapping a record looks nothing up by name.

mod compile;
mod entries;
mod extended;
mod steps;

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use octavo_marc::{Record, Tag};
use serde_json::{Map, Value};
use thiserror::Error;

use crate::codes::{Codes, QuickMap};
use crate::functions::Function;
use crate::properties::{Property, Target};
use crate::{RecordKind, References};

/// An error in rules, and its path.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {problem}")]
pub struct RuleProblem {
    /// The path, such as `245[0].rules[1].conditions[0].type`.
    pub path: String,
    /// What is expected, and what was found.
    pub problem: String,
}

/// Compiled rules.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) kind: RecordKind,
    pub(crate) properties: &'static [Property],
    /// Rows for the leader.
    pub(crate) leader: Vec<Row>,
    /// Rows for control fields.
    pub(crate) control: QuickMap<Tag, Vec<Row>>,
    /// Entries for data fields.
    pub(crate) data: QuickMap<Tag, OfTag>,
}

/// The result of mapping a record.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The instance, holdings or authority, with FOLIO's property names; the caller adds id, HRID
    /// and the like.
    ///
    /// An instance and holdings have all lists that the default rules fill, empty ones too, so that
    /// an update removes what the record no longer has; an authority has only what the record has.
    pub entity: Map<String, Value>,
    /// What could not be mapped; the rest was.
    pub problems: Vec<Problem>,
}

/// A part of a record that could not be mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub tag: String,
    pub reason: String,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct OfTag {
    pub entries: Vec<Entry>,
    /// The indicators that entries require.
    pub indicators: Vec<Indicators>,
    /// Replacements of the field's tag, applied before entries are chosen.
    pub replacements: Vec<Replacement>,
}

/// One entry for fields of a tag.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub indicators: Option<Indicators>,
    /// Whether only the first field of the tag counts.
    pub is_first_only: bool,
    /// Whether the rows make a new object.
    pub is_entity: bool,
    /// Whether each subfield makes a new object.
    pub is_per_subfield: bool,
    /// Whether a backslash at a value's end stays.
    pub keeps_backslash: bool,
    /// The letter that `$w` must have.
    pub relation: Option<char>,
    pub rows: Vec<Row>,
}

/// Two indicators, each a character or any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Indicators([Option<char>; 2]);

/// The subfields from which one property is made.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The target; a row without one does nothing.
    pub target: Target,
    pub codes: Codes,
    /// The entry is skipped when the field lacks one of these.
    pub required: Vec<char>,
    /// The entry is skipped when the field has one of these.
    pub exclusive: Vec<char>,
    pub steps: Vec<Step>,
    pub joins: Option<Joins>,
    /// The length of the pieces into which subfields are cut.
    pub split: Option<usize>,
    /// Whether steps apply to all subfields together.
    pub is_whole: bool,
    /// Whether steps depend on no subfield, so that these need not be joined.
    pub is_given: bool,
    /// Whether only the first of repeated subfields counts.
    pub is_once: bool,
    /// Whether the nested object is created if it does not exist.
    pub is_single: bool,
    /// The row to apply when this one gives nothing.
    pub otherwise: Option<Box<Row>>,
}

/// How subfields are joined.
#[derive(Clone, Debug)]
pub(crate) struct Joins {
    /// Text between the subfields of each group.
    pub delimiters: Vec<String>,
    /// The group of each code.
    pub groups: Vec<(char, usize)>,
    /// Text between groups.
    pub between: String,
}

/// Conditions, and the constant value that applies when all are met.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub conditions: Vec<Condition>,
    pub constant: Option<String>,
    /// Whether a condition can fail, so that the original value must be kept.
    pub can_fail: bool,
}

/// A chain of functions, and the result that is expected.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub functions: Vec<Function>,
    pub expected: Option<String>,
    /// Whether the functions apply to the leader.
    pub of_leader: bool,
}

/// Replaces the tag by the first digits in a subfield.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub codes: Vec<char>,
    pub tags: HashMap<String, Option<Tag>>,
}

impl Indicators {
    /// Whether both indicators of a field match.
    pub fn fit(self, [first, second]: [char; 2]) -> bool {
        self.0[0].is_none_or(|own| own == first) && self.0[1].is_none_or(|own| own == second)
    }

    /// Whether a field with these indicators is withheld from entries without indicators. A match
    /// of the first indicator alone is enough.
    pub fn claim(self, [first, second]: [char; 2]) -> bool {
        match self.0[0] {
            Some(own) => own == first,
            None => self.0[1].is_none_or(|own| own == second),
        }
    }
}

impl Rules {
    /// Parses rules in FOLIO's notation.
    ///
    /// # Errors
    /// All errors in the rules.
    pub fn parse(kind: RecordKind, rules: &Value) -> Result<Rules, Vec<RuleProblem>> {
        compile::compile(kind, false, rules)
    }

    /// Parses rules for extended authorities: tracings without relation and numbers (`…Trunc`), and
    /// broader, narrower, earlier and later headings.
    ///
    /// # Errors
    /// All errors in the rules.
    pub fn parse_extended_authority(rules: &Value) -> Result<Rules, Vec<RuleProblem>> {
        compile::compile(RecordKind::Authority, true, rules)
    }

    /// The default rules of a tenant, in FOLIO's notation.
    #[must_use]
    pub fn defaults(kind: RecordKind) -> Value {
        crate::defaults::rules(kind).clone()
    }

    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.kind
    }

    #[must_use]
    pub fn map(&self, record: &Record, references: &References) -> Mapped {
        crate::run::map(self, record, references)
    }
}
