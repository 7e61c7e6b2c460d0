//! The operations on collections. Each write is one statement, and so one transaction with its
//! domain event; areas that need several call the same functions inside a transaction of their own.

pub mod backfill;
mod batch;
mod bulk;
mod delete;
mod facets;
mod held;
mod hrid;
mod indexes;
mod large_totals;
mod outbox;
mod page;
pub mod provision;
mod read;
pub mod reader;
mod search_rows;
mod stamp;
mod stream;
mod tenants;
mod total;
mod trace;
mod unread;
mod write;

pub use batch::{
    Hold, Locking, Ready, fetch_many, insert_absent, insert_many, insert_ready, replace_many,
};
pub use bulk::BulkLoad;
pub use delete::{delete, delete_many, delete_referring};
pub use held::{Difference, Successor, refusal_of_new, succeed};
pub use indexes::{
    AppliedIndex, BuildReport, DeferredIndexes, INDEX_CHANNEL, IndexAdvice, IndexBuilds,
    IndexListing, IndexOrigin, IndexProblem,
};
pub use outbox::{Event, emit, emit_many, events_after};
pub use page::{Page, PageBody, Search, Totals, WHOLE_RECORDS_MAX};
pub use provision::Provisioned;
pub use read::{fetch, fetch_locked, fetch_shared};
pub use stamp::Stamp;
pub use stream::StreamStatus;
pub use tenants::{Purged, TENANT_CHANNEL, TenantEntry, TenantHold, TenantMark, TenantState};
pub use total::{PageFacts, planned_rows};
pub use unread::{
    Backlog, Cursor, CursorError, Portion, PortionSize, Topics, UnreadEvent, Window, backlog,
    index_events, read_on, read_topics, record_at,
};
pub use write::{Replaced, insert, insert_if_absent, replace};

use std::sync::Arc;

use octavo_postgres::Database;

use crate::catalog::Catalog;
use crate::tenant::Tenant;

/// The record store of one database.
#[derive(Debug, Clone)]
pub struct Store {
    pub database: Database,
    pub catalog: Arc<Catalog>,
    advice: indexes::Advice,
    streams: stream::Streams,
    overlay: indexes::Overlay,
    large_totals: large_totals::LargeTotals,
}

impl Store {
    #[must_use]
    pub fn new(database: Database, catalog: Arc<Catalog>) -> Store {
        let streams = stream::Streams::beside(database.status().pool_size);
        Store {
            database,
            catalog,
            advice: indexes::Advice::default(),
            streams,
            overlay: indexes::Overlay::default(),
            large_totals: large_totals::LargeTotals::default(),
        }
    }

    /// The same store on another server with the same records: a replica.
    #[must_use]
    pub fn on(&self, database: Database) -> Store {
        Store {
            database,
            ..self.clone()
        }
    }

    /// Drops a tenant from the caches.
    pub fn forget_tenant(&self, tenant: &Tenant) {
        self.overlay.forget(tenant);
        self.advice.forget(tenant);
        self.large_totals.forget_all();
    }

    /// The state of the streams of large pages, for health pages.
    #[must_use]
    pub fn stream_status(&self) -> StreamStatus {
        self.streams.status()
    }
}
