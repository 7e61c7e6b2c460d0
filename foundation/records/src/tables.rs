//! Where an area's own statements find the tables of the declared collections.

use crate::catalog::Catalog;
use crate::expression::equality;
use crate::tenant::Tenant;

/// A tenant's tables, by the collections that are declared.
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

    /// `field = value` as the declared index of the table has it; `value` is SQL, mostly `$n`.
    ///
    /// # Panics
    /// When no area declares the table: the statement is wrong, whoever asks.
    #[must_use]
    pub fn equals(&self, table: &str, field: &str, value: &str) -> String {
        let collection = self.catalog.get(table);
        let collection = collection.expect("invariant: the areas declare the tables they query");
        equality(collection, field, value)
    }
}
