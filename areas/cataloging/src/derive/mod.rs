//! A MARC record and what is derived from it, written together: within the caller's transaction the
//! instance, holdings record or authority first, then the source record. If either is refused, neither
//! is stored.

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

use octavo_library::{MatchedId, SnapshotId, SourceRecordId};
use octavo_mapping::{Problem, References, Rules};
use octavo_marc::Record;
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::app::Mapping;

/// How to treat a control number (001, with 003) that is not the catalogue's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ForeignNumber {
    /// It moves to 035, as in imports.
    #[default]
    Keep,
    /// It is dropped, as in the editor.
    Drop,
}

/// The versions that the caller expects, for optimistic locking.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Expected {
    /// The generation of the source record.
    pub generation: Option<i64>,
    /// The id of this generation.
    pub record_id: Option<SourceRecordId>,
    /// The `_version` of the instance, holdings record or authority.
    pub version: Option<i64>,
}

/// A new version of a MARC record, with options.
#[derive(Debug, Clone)]
pub struct Change {
    /// The record. Its 001, 003, 005 and own 999 are set here.
    pub record: Record,
    /// The raw record; without it the last generation's is kept, and a new record gets its own JSON.
    pub raw: Option<String>,
    /// The snapshot that the source record belongs to; it must exist.
    pub snapshot_id: SnapshotId,
    /// The id of the changed instance, holdings record or authority; for a new one its id, if chosen
    /// already.
    pub entity_id: Option<Uuid>,
    /// The id of the new generation, if chosen already.
    pub record_id: Option<SourceRecordId>,
    /// The record's position in its file, from 0.
    pub order: Option<i64>,
    /// The tenant's rules, or those of a job.
    pub rules: Arc<Rules>,
    /// The reference lists.
    pub references: Arc<References>,
    /// Properties that override the mapped ones (from a mapping profile). Null removes one.
    pub set: Map<String, Value>,
    /// The expected versions.
    pub expected: Expected,
    /// How to treat a foreign control number.
    pub foreign_number: ForeignNumber,
    /// Whether to set 005 to now. Not if it is protected.
    pub dated: bool,
    /// Whether the source record is hidden from discovery; defaults to that of the described record.
    pub suppress_discovery: Option<bool>,
    /// Whether a leader without status "deleted" undeletes the record.
    pub undeletes: bool,
}

impl Change {
    /// A change with the options of imports.
    #[must_use]
    pub fn new(record: Record, snapshot_id: SnapshotId, mapping: &Mapping) -> Change {
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

/// The result.
#[derive(Debug, Clone)]
pub struct Derived {
    /// The id of the instance, holdings record or authority.
    pub entity_id: Uuid,
    /// Its human-readable id; of an authority its control number, empty without one.
    pub hrid: String,
    /// The id of the generation of the source record.
    pub record_id: SourceRecordId,
    /// The id that its generations share.
    pub matched_id: MatchedId,
    /// Its number among them.
    pub generation: i64,
    /// The record as it was stored.
    pub record: Record,
    /// Problems of the mapping.
    pub problems: Vec<Problem>,
}
