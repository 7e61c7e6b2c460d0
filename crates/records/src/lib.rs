//! The record store: declared collections become tables, indexes, CRUD and CQL searches.
//!
//! The only crate that writes generic SQL. It knows PostgreSQL and CQL, and nothing of HTTP.

pub mod catalog;
pub mod collection;
pub mod ddl;
mod error;
mod executor;
pub mod expression;
pub mod index;
pub mod instant;
pub mod plan;
pub mod shape;
pub mod store;
mod tenant;

pub use catalog::Catalog;
pub use collection::{Collection, Reference};
pub use error::StoreError;
pub use executor::{Executor, Values};
pub use index::{Index, IndexKind};
pub use shape::{Kind, Shape, Violation};
pub use store::{Page, PageBody, Search, Stamp, Store, StreamStatus, Totals};
pub use tenant::{Tenant, TenantIdError};
