//! A MARC record and what is derived from it, written together: within the caller's transaction the
//! instance, holdings record or authority first, then the source record. Whatever of these two is
//! refused, neither is there.

mod authority;
mod bib;
mod holdings;
mod merge;
pub mod own_fields;
mod refusal;
mod source;
pub(crate) mod titles;

pub use authority::{create_authority, update_authority};
pub use bib::{create_bib, update_bib};
pub use holdings::{create_holdings, update_holdings};
pub use merge::{kept_of_holdings, kept_of_instance};
pub use refusal::Refusal;
pub use source::delete;

use std::sync::Arc;

use octavo_mapping::{Problem, References, Rules};
use octavo_marc::Record;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::Mapping;

/// What becomes of a control number (001, with 003) that is not the catalogue's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForeignNumber {
    /// It moves to 035, as in imports.
    #[default]
    Keep,
    /// It goes, as in the editor.
    Drop,
}

/// What of the stored records must still be as the caller saw it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expected {
    /// The generation of the source record.
    pub generation: Option<i64>,
    /// The id of this generation.
    pub record_id: Option<Uuid>,
    /// The `_version` of the instance, holdings record or authority.
    pub version: Option<i64>,
}

/// A MARC record that becomes the current one, and how.
#[derive(Debug, Clone)]
pub struct Change {
    /// The record. Its 001, 003, 005 and own 999 are set here.
    pub record: Record,
    /// The record as it came; without it the raw record of the last generation stays, and a new one
    /// keeps the record's own JSON.
    pub raw: Option<String>,
    /// The snapshot that the source record belongs to; it must exist.
    pub snapshot_id: Uuid,
    /// What is changed; the id of what is created, where it is given already.
    pub entity_id: Option<Uuid>,
    /// The id of the new generation, where it is given already.
    pub record_id: Option<Uuid>,
    /// The record's place in its file, from 0.
    pub order: Option<i64>,
    /// The tenant's rules, or those that a job began with.
    pub rules: Arc<Rules>,
    /// What rules look things up in.
    pub references: Arc<References>,
    /// Properties that are set over what the rules made (a mapping profile's). Null takes one away.
    pub set: Map<String, Value>,
    /// What must not have changed meanwhile.
    pub expected: Expected,
    /// What becomes of a foreign control number.
    pub foreign_number: ForeignNumber,
    /// Whether 005 says that the record changed now. Not where it is protected.
    pub dated: bool,
    /// Whether the source record is hidden from discovery; as what it describes is, without a word.
    pub suppress_discovery: Option<bool>,
    /// Whether a record that no longer says so in its leader is no longer deleted.
    pub undeletes: bool,
}

impl Change {
    /// A change to this record with all else as imports have it.
    #[must_use]
    pub fn new(record: Record, snapshot_id: Uuid, mapping: &Mapping) -> Change {
        Change {
            record,
            raw: None,
            snapshot_id,
            entity_id: None,
            record_id: None,
            order: None,
            rules: Arc::clone(&mapping.rules),
            references: Arc::clone(&mapping.references),
            set: Map::new(),
            expected: Expected::default(),
            foreign_number: ForeignNumber::Keep,
            dated: true,
            suppress_discovery: None,
            undeletes: false,
        }
    }

    fn map(&self, record: &Record) -> (Map<String, Value>, Vec<Problem>) {
        let mapped = self.rules.map(record, &self.references);
        (mapped.entity, mapped.problems)
    }

    fn set_over(&self, entity: &mut Map<String, Value>) {
        for (property, value) in &self.set {
            if value.is_null() {
                entity.shift_remove(property);
            } else {
                entity.insert(property.clone(), value.clone());
            }
        }
    }
}

/// What was written.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The id of the instance, holdings record or authority.
    pub entity_id: Uuid,
    /// Its human-readable id; of an authority its control number, empty without one.
    pub hrid: String,
    /// The id of the generation of the source record.
    pub record_id: Uuid,
    /// The id that its generations share.
    pub matched_id: Uuid,
    /// Its number among them.
    pub generation: i64,
    /// The record as it was stored.
    pub record: Record,
    /// What of it could not be mapped.
    pub problems: Vec<Problem>,
}
