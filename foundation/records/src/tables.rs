//! The qualified names of declared tables, for areas' own statements.

use crate::catalog::Catalog;
use crate::expression::equality;
use crate::tenant::Tenant;

/// A tenant's tables, by their collections.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    pub tenant: &'a Tenant,
    pub catalog: &'a Catalog,
}

impl Tables<'_> {
    /// The qualified name of a table.
    #[must_use]
    pub fn table(&self, name: &str) -> String {
        format!("{}.{name}", self.tenant.schema())
    }

    /// `field = value` in the form of the table's declared index; `value` is SQL, mostly `$n`.
    ///
    /// # Panics
    /// When no area declares the table, which is an error in the statement.
    #[must_use]
    pub fn equals(&self, table: &str, field: &str, value: &str) -> String {
        let collection = self.catalog.get(table);
        let collection = collection.expect("invariant: the areas declare the tables they query");
        equality(collection, field, value)
    }
}
