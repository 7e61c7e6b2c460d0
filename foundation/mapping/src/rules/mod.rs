//! Mapping rules in FOLIO's notation, compiled: nothing in them is looked up by name while records
//! are mapped.

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

/// What is wrong with rules, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {problem}")]
pub struct RuleProblem {
    /// The place, such as `245[0].rules[1].conditions[0].type`.
    pub path: String,
    /// What should stand there, and what stands there.
    pub problem: String,
}

/// Rules that can be carried out.
#[derive(Clone, Debug)]
pub struct Rules {
    pub(crate) kind: RecordKind,
    pub(crate) properties: &'static [Property],
    /// Of the leader.
    pub(crate) leader: Vec<Row>,
    /// Of control fields.
    pub(crate) control: QuickMap<Tag, Vec<Row>>,
    /// Of data fields.
    pub(crate) data: QuickMap<Tag, OfTag>,
}

/// What rules made of a record.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The instance, holdings or authority, with FOLIO's property names; id, HRID and the like are
    /// the caller's to add.
    ///
    /// An instance and holdings have all lists that the default rules fill, empty ones too, so that
    /// an update takes away what the record no longer says; an authority has what the record says.
    pub entity: Map<String, Value>,
    /// What could not be mapped; the rest was.
    pub problems: Vec<Problem>,
}

/// Something of a record that could not be mapped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field's tag.
    pub tag: String,
    /// Why.
    pub reason: String,
}

/// The rules for data fields of a tag.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfTag {
    pub entries: Vec<Entry>,
    /// The indicators that entries ask for.
    pub indicators: Vec<Indicators>,
    /// By what the field's tag is replaced, before entries count.
    pub replacements: Vec<Replacement>,
}

/// One entry for fields of a tag.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub indicators: Option<Indicators>,
    /// Only the first field of the tag counts.
    pub is_first_only: bool,
    /// The rows make records of their own.
    pub is_entity: bool,
    /// Each subfield makes a record of its own.
    pub is_per_subfield: bool,
    /// A backslash at a value's end stays.
    pub keeps_backslash: bool,
    /// Only for fields whose `$w` has this letter.
    pub relation: Option<char>,
    pub rows: Vec<Row>,
}

/// Two indicators, each a character or any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Indicators([Option<char>; 2]);

/// From which subfields one property is made.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// Where it goes; without a target the row does nothing.
    pub target: Target,
    pub codes: Codes,
    /// Without one of these the whole entry is passed over.
    pub required: Vec<char>,
    /// With one of these the whole entry is passed over.
    pub exclusive: Vec<char>,
    pub steps: Vec<Step>,
    pub joins: Option<Joins>,
    /// Subfields are cut into pieces of so many characters.
    pub split: Option<usize>,
    /// Steps are for all subfields together.
    pub is_whole: bool,
    /// Steps look at none of the subfields, so that these need not be put together.
    pub is_given: bool,
    /// Of repeated subfields the first counts.
    pub is_once: bool,
    /// The part of the entity that it goes to is made if it is not there.
    pub is_single: bool,
    /// What is done when this gives nothing.
    pub otherwise: Option<Box<Row>>,
}

/// How subfields are put together.
#[derive(Clone, Debug)]
pub(crate) struct Joins {
    /// Text between subfields of each group.
    pub delimiters: Vec<String>,
    /// The group of each code.
    pub groups: Vec<(char, usize)>,
    /// Text between groups.
    pub between: String,
}

/// Conditions, and the value that stands when all are met.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub conditions: Vec<Condition>,
    pub constant: Option<String>,
    /// Whether a condition can fail, so that the value must be remembered.
    pub can_fail: bool,
}

/// Functions in turn, and what they must come to.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub functions: Vec<Function>,
    pub expected: Option<String>,
    /// Whether the functions look at the leader.
    pub of_leader: bool,
}

/// By the first digits in a subfield the tag is replaced.
#[derive(Clone, Debug)]
pub(crate) struct Replacement {
    pub codes: Vec<char>,
    pub tags: HashMap<String, Option<Tag>>,
}

impl Indicators {
    /// Whether both of a field's indicators are these.
    pub fn fit(self, [first, second]: [char; 2]) -> bool {
        self.0[0].is_none_or(|own| own == first) && self.0[1].is_none_or(|own| own == second)
    }

    /// Whether a field with these indicators is kept from entries that ask for none: a first
    /// indicator that is asked for by name is enough.
    pub fn claim(self, [first, second]: [char; 2]) -> bool {
        match self.0[0] {
            Some(own) => own == first,
            None => self.0[1].is_none_or(|own| own == second),
        }
    }
}

impl Rules {
    /// Reads rules in FOLIO's notation.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn parse(kind: RecordKind, rules: &Value) -> Result<Rules, Vec<RuleProblem>> {
        compile::compile(kind, false, rules)
    }

    /// Reads rules for authorities that tell their relations: tracings without relation and
    /// numbers (`…Trunc`), and broader, narrower, earlier and later headings.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn parse_extended_authority(rules: &Value) -> Result<Rules, Vec<RuleProblem>> {
        compile::compile(RecordKind::Authority, true, rules)
    }

    /// The rules that a tenant starts with, in FOLIO's notation.
    #[must_use]
    pub fn defaults(kind: RecordKind) -> Value {
        crate::defaults::rules(kind).clone()
    }

    /// Which kind of record the rules are for.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.kind
    }

    /// Maps a record.
    #[must_use]
    pub fn map(&self, record: &Record, references: &References) -> Mapped {
        crate::run::map(self, record, references)
    }
}
