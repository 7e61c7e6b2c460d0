//! This area's own statements. Those that find a record by a property compare with the declared
//! index's own expression, so that each is a look-up.

pub mod item;
pub mod patron;
pub mod place;
pub mod policy;
pub mod queue;
pub mod session;
pub mod view;

use octavo_records::expression::equality;
use octavo_records::{Catalog, StoreError, Tenant};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Where statements find their tables.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    /// The tenant.
    pub tenant: &'a Tenant,
    /// The declared collections.
    pub catalog: &'a Catalog,
}

impl Tables<'_> {
    /// The qualified name of a table.
    #[must_use]
    pub fn table(&self, name: &str) -> String {
        format!("{}.{name}", self.tenant.schema())
    }

    /// `field = $n` as the declared index of the table has it.
    #[must_use]
    pub fn equals(&self, table: &str, field: &str, placeholder: &str) -> String {
        let collection = self.catalog.get(table);
        let collection = collection.expect("invariant: the areas declare the tables they query");
        equality(collection, field, placeholder)
    }
}

/// Reads a stored document as a type of ours.
///
/// # Errors
/// Names the record type that is not as it should be; its content stays out of the message.
pub fn read<T: DeserializeOwned>(what: &str, document: Value) -> Result<T, StoreError> {
    serde_json::from_value(document)
        .map_err(|error| StoreError::Database(format!("a stored {what} cannot be read: {error}")))
}
