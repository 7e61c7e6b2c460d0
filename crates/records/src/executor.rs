//! Where a statement runs: by itself on a lane, inside a transaction, or as the last of one.

use std::future::Future;

use octavo_postgres::{Database, DatabaseError, Row, ToSql, Transaction};

use crate::retry::pause_after;

/// Bound values as the driver takes them.
pub type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// Something that runs statements.
pub trait Executor: Sync {
    /// Runs one statement and gives its rows.
    fn rows(
        &self,
        sql: &str,
        values: Values<'_>,
    ) -> impl Future<Output = Result<Vec<Row>, DatabaseError>> + Send;
}

impl Executor for Database {
    /// The statement is a transaction by itself: one that was given up for others is run again.
    async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, DatabaseError> {
        let mut attempts = 1;
        loop {
            match self.query(sql, values).await {
                Err(error) if error.is_retryable() && pause_after(attempts).await => attempts += 1,
                outcome => return outcome,
            }
        }
    }
}

impl Executor for Transaction {
    async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.query(sql, values).await
    }
}

/// The end of a transaction: its one statement is the last, and makes everything permanent in the same
/// round trip. When it or anything before it fails, nothing is made permanent.
#[derive(Debug, Clone, Copy)]
pub struct Last<'a>(pub &'a Transaction);

impl Executor for Last<'_> {
    async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.0.query_and_commit(sql, values).await
    }
}
