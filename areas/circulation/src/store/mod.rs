//! This area's own statements. Those that find a record by a property compare with the declared
//! index's own expression, so that each is a look-up.

pub mod act;
pub mod house;
pub mod item;
pub mod journal;
pub mod loan;
pub mod patron;
pub mod place;
pub mod policy;
pub mod queue;
pub mod session;
pub mod standing;
pub mod settings;
pub mod view;

use octavo_records::StoreError;
pub use octavo_records::Tables;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Reads a stored document as a type of ours.
///
/// # Errors
/// Names the record type that is not as it should be; its content stays out of the message.
pub fn read<T: DeserializeOwned>(what: &str, document: Value) -> Result<T, StoreError> {
    serde_json::from_value(document)
        .map_err(|error| StoreError::Database(format!("a stored {what} cannot be read: {error}")))
}
