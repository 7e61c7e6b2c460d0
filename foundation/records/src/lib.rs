//! The record store: declared collections become tables, indexes, CRUD and CQL searches.
//!
//! The only crate that writes generic SQL. It knows PostgreSQL and CQL, and nothing of HTTP.

mod by_version;
pub mod catalog;
pub mod collection;
mod columns;
mod context;
pub mod ddl;
mod declaration;
mod error;
mod executor;
pub mod expression;
pub mod facet;
pub mod fault;
pub mod index;
pub mod instant;
mod new_id;
mod operation_error;
pub mod plan;
mod retry;
mod search_rows;
pub mod shape;
pub mod store;
mod tables;
mod tenant;
mod upgrade;

pub use by_version::ByVersion;
pub use catalog::{Catalog, Provided};
pub use collection::{Audit, Collection, EventExtra, Missing, Operations, QueryRefusal, Reference};
pub use columns::StoredColumn;
pub use context::Context;
pub use declaration::{Declaration, DeclaredCollection, DeclaredReference};
pub use error::StoreError;
pub use executor::{Executor, Last, Rows, Values};
pub use facet::Facet;
pub use fault::Fault;
pub use index::{Index, IndexKind};
pub use new_id::new_id;
pub use octavo_postgres::{Outage, TimeLimit};
pub use operation_error::{OperationError, Refusal};
pub use retry::{Contention, retried};
pub use search_rows::SearchRows;
pub use shape::{Reading, Shape, ValueKind, Violation};
pub use store::{
    AppliedIndex, BuildReport, DeferredIndexes, INDEX_CHANNEL, IndexAdvice, IndexBuilds,
    IndexListing, IndexOrigin, IndexProblem, Page, PageBody, Provisioned, Purged, Search, Stamp,
    Store, StreamStatus, TENANT_CHANNEL, TenantEntry, TenantHold, TenantMark, TenantState, Totals,
    WHOLE_RECORDS_MAX,
};
pub use tables::Tables;
pub use tenant::{Tenant, TenantIdError};
