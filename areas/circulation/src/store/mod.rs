//! This area's own statements. Those that find a record by a property compare with the declared
//! index's own expression, so that each is a look-up.

pub mod account_notice;
pub mod actual_cost;
pub mod actual_cost_record;
pub mod allowed_points;
pub mod anonymization;
pub mod check_out_lock;
pub mod circulation_config;
pub mod closed_requests;
pub mod copies;
pub mod desk;
pub mod due;
pub mod expiry;
pub mod fee_lines;
pub mod fee_types;
pub mod invariants;
pub mod item;
pub mod item_loan_and_queue;
pub mod journal;
#[cfg(test)]
mod limits;
pub mod loan;
pub mod log_record_events;
pub mod loss;
pub mod notice;
pub mod open_loan;
pub mod patron;
pub mod patron_card;
pub mod placing;
pub mod policy;
pub mod print_events;
pub mod queue;
pub mod reminder;
pub mod reports;
pub mod request;
pub mod request_notice;
mod request_view;
pub mod scheduled_notice;
pub mod session;
pub mod settings;
pub mod shelf;
pub mod slip;
pub mod view;
pub mod waiting;

pub use octavo_records::Tables;
use octavo_records::expression::keys;
use octavo_records::fault::JsonFault;
use octavo_records::{IndexKind, StoreError};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads a stored document as a type of ours.
///
/// # Errors
/// Names the record type; the content stays out of the message.
#[track_caller]
pub fn read<T: DeserializeOwned>(what: &str, document: Value) -> Result<T, StoreError> {
    serde_json::from_value(document).map_err(|error| {
        let fault = JsonFault::from(&error);
        StoreError::fault(format!("a stored {what} cannot be read: {fault}"))
    })
}

/// Stored bytes as a document.
///
/// # Errors
/// When they are not an object.
pub fn as_document(stored: &[u8]) -> Result<Map<String, Value>, StoreError> {
    serde_json::from_slice(stored).map_err(StoreError::json)
}

/// A value as the document of a record.
///
/// # Errors
/// When it is not an object: a fault of ours.
pub fn document(value: &impl serde::Serialize) -> Result<Map<String, Value>, StoreError> {
    match serde_json::to_value(value) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(_) => Err(StoreError::fault("a record is an object")),
        Err(error) => Err(StoreError::json(error)),
    }
}

/// The keys, in order, of the declared index by which a table is paged.
///
/// # Panics
/// When no area declares it, which is a mistake in our code.
fn keys_of(tables: Tables<'_>, table: &str, field: &str) -> Vec<String> {
    let collection = tables.catalog.get(table);
    let indexes = collection.map_or(&[][..], |one| &one.indexes);
    let mut plain = indexes.iter().filter(|one| one.kind == IndexKind::Index);
    let index = plain.find(|one| one.field == field);
    keys(index.expect("invariant: the areas declare the indexes they walk by"))
}
