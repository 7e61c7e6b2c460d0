//! The context of an operation. The operations of all areas take the same, so that one can call
//! another.

use std::sync::Arc;

use crate::collection::Collection;
use crate::instant;
use crate::store::{Stamp, Store};
use crate::tables::Tables;
use crate::tenant::Tenant;

/// The store, the tenant, the user and the instant of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The record store, whose database runs statements and begins transactions.
    pub store: &'a Store,
    pub tenant: &'a Tenant,
    /// The user and the instant.
    pub stamp: Stamp,
}

impl<'a> Context<'a> {
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
    /// When no area declares the table, which is an error in the operation and not in a request.
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
