//! This area's own statements. It has no tables: it reads those of the other areas.

pub mod composite;
pub mod locate;
pub mod permissions;
pub mod settings;
pub mod transactions;

use octavo_records::expression::equality;
use octavo_records::{Catalog, Tenant};

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

    /// `field = value` as the declared index of the table has it.
    #[must_use]
    pub fn equals(&self, table: &str, field: &str, value: &str) -> String {
        let collection = self.catalog.get(table);
        let collection = collection.expect("invariant: the areas declare the tables they query");
        equality(collection, field, value)
    }
}
