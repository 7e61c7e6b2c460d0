//! Finds or starts PostgreSQL, and speaks to it: lanes for single statements, pooled connections
//! for transactions and streams, prepared statements, notifications and migrations.
//!
//! Knows nothing of records, tenants or HTTP. SQL arrives here as text with bound values.

pub mod embedded;
pub mod listener;
pub mod migrate;
pub mod readers;
pub mod testing;

mod asker;
mod backoff;
mod connect;
mod connection;
mod copy;
mod database;
mod error;
mod gate;
mod index_build;
mod lanes;
mod pool;
mod pulse;
mod raw_json;
mod row_stream;
mod searches;
mod session;
mod slots;
mod statements;
mod storage;
mod timeout;
mod transaction;

pub use asker::{Asker, asking};
pub use connection::Connection;
pub use copy::CopyIn;
pub use database::{Database, DatabaseOptions, DatabaseStatus};
pub use embedded::{Durability, Embedded, EmbeddedError, EmbeddedOptions};
pub use error::{DatabaseError, Outage, QueryFailure, Statement, TimeLimit};
pub use index_build::{
    BuildPhase, BuildProgress, IndexBuilder, IndexState, SCRATCH, cancel_builds, index_lock,
    indexes,
};
pub use listener::{Listener, ListenerEvent};
pub use migrate::{
    Migration, MigrationOutcome, Migrator, checksum, ensure_schema, quote_identifier,
};
pub use raw_json::RawJson;
pub use readers::{Lsn, Position, ReaderLease, ReaderOptions, ReaderStatus, Readers};
pub use row_stream::RowStream;
pub use tokio_postgres::types::{FromSql, ToSql, Type};
pub use tokio_postgres::{Config, Row};
pub use transaction::{Isolation, Transaction};

/// A boxed future, as returned by functions marked `#[boxed]`.
pub type Boxed<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;
