//! The operations on collections. Each write is one statement, and so one transaction with its
//! domain event; areas that need several use the same functions inside a transaction of theirs.

mod advice;
mod applied;
mod batch;
mod bulk;
mod index_builds;
mod page;
pub mod provision;
mod read;
mod stamp;
mod total;
mod write;

pub use advice::IndexAdvice;
pub use applied::{AppliedIndex, INDEX_CHANNEL};
pub use batch::{Hold, fetch_many, insert_many, replace_many};
pub use bulk::BulkLoad;
pub use index_builds::{IndexBuilds, IndexListing, IndexOrigin, IndexProblem, Tell};
pub use page::{Page, PageBody, Search, Totals};
pub use provision::Provisioned;
pub use read::{fetch, fetch_locked, fetch_shared};
pub use stamp::Stamp;
pub use write::{Replaced, delete, emit, insert, insert_if_absent, replace};

use std::sync::Arc;

use octavo_postgres::Database;

use crate::catalog::Catalog;

/// The record store of one database.
#[derive(Debug, Clone)]
pub struct Store {
    /// The connections.
    pub database: Database,
    /// The declared collections.
    pub catalog: Arc<Catalog>,
    advice: advice::Advice,
    overlay: applied::Overlay,
}

impl Store {
    /// A store of these collections.
    #[must_use]
    pub fn new(database: Database, catalog: Arc<Catalog>) -> Store {
        Store {
            database,
            catalog,
            advice: advice::Advice::default(),
            overlay: applied::Overlay::default(),
        }
    }
}
