//! FOLIO's record types as the two libraries fill them, and how they are written.
//!
//! There is one struct for each record type, with the properties that differ between records;
//! `document` writes the rest. No choices are made here.

mod country;
mod holdings;
mod instance;
mod item;
mod loan;
mod marc;
mod medium;
mod patron;
mod shelving;
mod source;

use jiff::Timestamp;
use uuid::Uuid;

use crate::json::Json;

pub(crate) use holdings::Holdings;
pub(crate) use instance::{Contributor, Identifier, Instance, Role, Subject, SubjectKind};
pub(crate) use item::{CallNumber, Item};
pub(crate) use loan::Loan;
pub(crate) use medium::Medium;
pub(crate) use patron::{Address, Patron};
pub(crate) use source::{Snapshot, SourceRecord};

/// FOLIO's `metadata`: who created a record and when it last changed.
#[derive(Clone, Copy)]
pub(crate) struct Audit {
    pub created: Timestamp,
    pub updated: Timestamp,
    pub by: Option<Uuid>,
}

impl Audit {
    /// Created once, by no particular user, and never changed.
    pub(crate) fn once(moment: Timestamp) -> Self {
        Self {
            created: moment,
            updated: moment,
            by: None,
        }
    }

    pub(crate) fn write(&self, json: &mut Json) {
        json.nested("metadata", |json| {
            json.instant("createdDate", self.created);
            if let Some(user) = self.by {
                json.id("createdByUserId", user);
            }
            json.instant("updatedDate", self.updated);
            if let Some(user) = self.by {
                json.id("updatedByUserId", user);
            }
        });
    }
}

/// A human-readable id: prefix and 11 digits, as FOLIO's sequences make them.
pub(crate) fn hrid(prefix: &str, number: u64) -> String {
    format!("{prefix}{number:011}")
}
