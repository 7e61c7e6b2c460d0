//! The operations of cataloging, one a file. They know records and rules, and nothing of HTTP.

pub mod change_rules;
pub mod edit;
pub mod job_rules;
pub mod links;
mod mapping_cache;
pub mod parameters;
pub mod parsed_record;
pub mod show;

pub use mapping_cache::{Mapping, mapping_of, references_of, rules_of};

use std::sync::Arc;

use octavo_records::{Collection, Stamp, Store, Tables, Tenant};

/// What an operation works with.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The records.
    pub store: &'a Store,
    /// Whose they are.
    pub tenant: &'a Tenant,
    /// Who asks, and when.
    pub stamp: Stamp,
}

impl<'a> Context<'a> {
    /// The tenant's tables by the names of their collections.
    #[must_use]
    pub fn tables(&self) -> Tables<'a> {
        Tables {
            tenant: self.tenant,
            catalog: &self.store.catalog,
        }
    }

    /// A collection of this area's or of one to its left.
    #[must_use]
    pub fn collection(&self, table: &'static str) -> &'a Arc<Collection> {
        self.store
            .catalog
            .get(table)
            .expect("invariant: a table of this area or one to its left")
    }

    /// The same for inventory's operations.
    #[must_use]
    pub(crate) fn inventory(&self) -> octavo_inventory::app::Context<'a> {
        octavo_inventory::app::Context {
            store: self.store,
            tenant: self.tenant,
            stamp: self.stamp,
        }
    }

    /// The same for those of source records.
    #[must_use]
    pub(crate) fn sources(&self) -> octavo_source_records::app::Context<'a> {
        octavo_source_records::app::Context {
            store: self.store,
            tenant: self.tenant,
            stamp: self.stamp,
        }
    }
}
