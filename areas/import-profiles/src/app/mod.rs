//! The operations on profiles, one a file. They know records and rules, and nothing of HTTP.

pub mod associate;
pub mod import;
pub mod protected_fields;
pub mod refusal;
pub mod remove;
pub mod save;
pub mod settings;
pub mod snapshots;

pub use protected_fields::protected_fields;
pub use refusal::Refusal;
pub use snapshots::{kept_tree, profile_tree, start_snapshot};

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
    /// A collection of this area's.
    #[must_use]
    pub fn collection(&self, table: &'static str) -> &'a Collection {
        self.store
            .catalog
            .get(table)
            .expect("invariant: a table of this area")
    }

    /// The tenant's tables.
    #[must_use]
    pub fn tables(&self) -> Tables<'a> {
        Tables {
            tenant: self.tenant,
            catalog: &self.store.catalog,
        }
    }
}
