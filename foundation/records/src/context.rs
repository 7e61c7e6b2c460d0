//! What an operation works with. Every area's operations take the same, so that one can call another.

use std::sync::Arc;

use crate::collection::Collection;
use crate::instant;
use crate::store::{Stamp, Store};
use crate::tables::Tables;
use crate::tenant::Tenant;

/// Where an operation takes place, who carries it out, and when.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The record store, whose database runs statements and begins transactions.
    pub store: &'a Store,
    /// Whose records they are.
    pub tenant: &'a Tenant,
    /// The user and the instant.
    pub stamp: Stamp,
}

impl<'a> Context<'a> {
    /// The tenant's tables.
    #[must_use]
    pub fn tables(&self) -> Tables<'a> {
        Tables {
            tenant: self.tenant,
            catalog: &self.store.catalog,
        }
    }

    /// The collection of a table.
    ///
    /// # Panics
    /// When no area declares the table: the operation is wrong, whoever asks.
    #[must_use]
    pub fn collection(&self, table: &str) -> &'a Arc<Collection> {
        self.store.catalog.declared(table)
    }

    /// The instant of the operation in the stored notation.
    #[must_use]
    pub fn now(&self) -> String {
        instant::format(self.stamp.at)
    }
}
