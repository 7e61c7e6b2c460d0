//! The operations of exports.

pub mod export;
mod failure;
mod gather;
mod id_lines;
pub mod jobs;
pub mod making;
pub mod new_job;
pub mod profiles;
pub mod stream;
pub mod upload;
pub mod work;
pub mod workers;

use octavo_records::{Collection, Stamp, Store, Tenant};

pub use failure::{Failure, Reason};

/// What every operation needs.
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
    pub fn collection(&self, table: &str) -> &'a Collection {
        let collection = self.store.catalog.get(table);
        collection.expect("invariant: exports declare their own tables")
    }
}
