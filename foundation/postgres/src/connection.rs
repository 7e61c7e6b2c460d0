//! A dedicated connection, for what neither a lane nor a transaction suits: streamed reads, COPY,
//! session state.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use octavo_boxed::boxed;
use octavo_trace::{Handle, SpanKind};
use tokio_postgres::Row;

use crate::copy::CopyIn;
use crate::error::DatabaseError;
use crate::pool::{BorrowedSession, return_session};
use crate::row_stream::RowStream;
use crate::session::{Outcome, Params, at_most_one};

/// A pooled connection outside any transaction. Settings, listens and advisory locks made on it are
/// undone when it is returned.
pub struct Connection {
    pooled: Option<BorrowedSession>,
    settings_sql: String,
    /// Whether statements ran that may have left session state.
    touched: AtomicBool,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    pub(crate) fn new(pooled: BorrowedSession, settings_sql: String) -> Self {
        Self {
            pooled: Some(pooled),
            settings_sql,
            touched: AtomicBool::new(false),
        }
    }

    #[boxed]
    pub async fn query(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, DatabaseError> {
        Ok(self.run(sql, params).await?.rows)
    }

    /// Runs a statement that returns at most one row.
    #[boxed]
    pub async fn query_opt(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Option<Row>, DatabaseError> {
        at_most_one(self.run(sql, params).await?.rows)
    }

    /// Runs a statement and returns the number of affected rows.
    #[boxed]
    pub async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64, DatabaseError> {
        Ok(self.run(sql, params).await?.affected)
    }

    async fn run(&self, sql: &str, params: Params<'_>) -> Result<Outcome, DatabaseError> {
        let answer = self.touch().session.run_alone(sql, params).await;
        answer.map_err(|error| DatabaseError::of(error, sql))
    }

    /// Runs any number of statements, separated by semicolons, without parameters and unprepared.
    #[boxed]
    pub async fn batch_execute(&self, sql: &str) -> Result<(), DatabaseError> {
        let session = &self.touch().session;
        let answer = session.batch(SpanKind::Statement, sql, &Handle::OFF).await;
        answer.map_err(|error| DatabaseError::of(error, sql))
    }

    /// Runs a statement and returns its rows as they arrive; the server waits for a slow reader.
    /// The stream owns the connection, so it may outlive the caller.
    #[boxed]
    pub async fn stream(self, sql: &str, params: Params<'_>) -> Result<RowStream, DatabaseError> {
        RowStream::start(self, sql, params).await
    }

    /// Starts `COPY ... FROM STDIN`.
    #[boxed]
    pub async fn copy_in(&self, sql: &str) -> Result<CopyIn<'_>, DatabaseError> {
        CopyIn::start(&self.pooled().session, sql, &Handle::OFF).await
    }

    fn touch(&self) -> &BorrowedSession {
        self.touched.store(true, Ordering::Release);
        self.pooled()
    }

    pub(crate) fn pooled(&self) -> &BorrowedSession {
        self.pooled
            .as_ref()
            .expect("invariant: only drop takes the connection")
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let Some(pooled) = self.pooled.take() else {
            return;
        };
        let undo = if self.touched.load(Ordering::Acquire) {
            // BEGIN first: a lone ROLLBACK would put a warning into the server's log.
            format!(
                "BEGIN; ROLLBACK; CLOSE ALL; RESET ALL; UNLISTEN *; \
                 SELECT pg_advisory_unlock_all(); DISCARD TEMP; {}",
                self.settings_sql
            )
        } else {
            String::new()
        };
        return_session(pooled, undo);
    }
}
