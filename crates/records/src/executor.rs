//! Where a statement runs: by itself on a lane, or inside a transaction.

use std::future::Future;

use octavo_postgres::{Database, DatabaseError, Row, ToSql, Transaction};

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
    async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.query(sql, values).await
    }
}

impl Executor for Transaction {
    async fn rows(&self, sql: &str, values: Values<'_>) -> Result<Vec<Row>, DatabaseError> {
        self.query(sql, values).await
    }
}
