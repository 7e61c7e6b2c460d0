//! The qualified names of declared tables, for areas' own statements.

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::collection::Collection;
use crate::expression::{equality, fold, folded, key, quote};
use crate::index::Index;
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
        equality(self.collection(table), field, value)
    }

    /// `field = 'value'` for a value that the program knows: by an index that has such rows, or by none
    /// where it is a common value that the index leaves out.
    ///
    /// # Panics
    /// When no area declares the table with an index on the field.
    #[must_use]
    pub fn is(&self, table: &str, field: &str, value: &str) -> String {
        let index = self.index(table, field);
        let compared = match index.has_rows_of("=", value) {
            true => key(index),
            false => folded(index),
        };
        format!(
            "{compared} = {}",
            fold(index, &format!("{}::text", quote(value)))
        )
    }

    /// SQL over `jsonb` as the indexes of the table have it: conditions of partial indexes.
    ///
    /// # Panics
    /// When no area declares the table.
    #[must_use]
    pub fn condition(&self, table: &str, sql: &str) -> String {
        self.collection(table).as_stored(sql)
    }

    /// The index of this name that the table declares.
    ///
    /// # Panics
    /// When no area declares it.
    #[must_use]
    pub fn index(&self, table: &str, name: &str) -> &Index {
        let mut indexes = self.collection(table).indexes.iter();
        let index = indexes.find(|index| index.field == name);
        index.expect("invariant: the areas declare the indexes they walk by")
    }

    fn collection(&self, table: &str) -> &Arc<Collection> {
        let collection = self.catalog.get(table);
        collection.expect("invariant: the areas declare the tables they query")
    }
}
