//! The operations on definitions and values, one a file. They know nothing of HTTP.

pub mod change;
pub(crate) mod count;
pub(crate) mod values;

use octavo_library::CustomFieldId;
use octavo_postgres::DatabaseError;
use octavo_records::{Contention, StoreError};
use serde_json::{Map, Value};

/// Why an operation was not done.
#[derive(Debug)]
pub enum Refusal {
    /// There is no definition of this id.
    NotFound(CustomFieldId),
    /// A definition is inconsistent; with FOLIO's message.
    Definition(String),
    /// A fixed property of a definition would change.
    DefinitionChanged {
        property: String,
        value: String,
        /// FOLIO's message.
        message: String,
    },
    /// The store refused it, or failed.
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Store(error)
    }
}

impl From<DatabaseError> for Refusal {
    #[track_caller]
    fn from(error: DatabaseError) -> Refusal {
        Refusal::Store(error.into())
    }
}

impl Contention for Refusal {
    fn is_contention(&self) -> bool {
        matches!(self, Refusal::Store(error) if error.is_contention())
    }
}

/// The properties of a document.
fn object(document: Value) -> Map<String, Value> {
    match document {
        Value::Object(document) => document,
        _ => Map::new(),
    }
}
