//! Executors run statements: on a lane, inside a transaction, or as the last one of a transaction.
//!
//! Functions take `&dyn Executor`: a type parameter would compile each of them, and every future
//! around it, once for each kind of executor. The allocation for each statement is negligible
//! beside a round trip.

use octavo_postgres::{Boxed, Database, DatabaseError, Row, ToSql, Transaction};

use crate::retry::pause_after;

/// Bound values as the driver takes them.
pub type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// The future of [`Executor::rows`].
pub type Rows<'a> = Boxed<'a, Result<Vec<Row>, DatabaseError>>;

pub trait Executor: Sync {
    /// Runs one statement and returns its rows.
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a>;
}

impl Executor for Database {
    /// The statement is a transaction of its own: after a conflict it is retried.
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        Box::pin(async move {
            let mut attempts = 1;
            loop {
                match self.query(sql, values).await {
                    Err(error) if error.is_retryable() && pause_after(attempts).await => {
                        attempts += 1;
                    }
                    outcome => return outcome,
                }
            }
        })
    }
}

impl Executor for Transaction {
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        self.query(sql, values)
    }
}

/// The end of a transaction: runs its last statement and commits in the same round trip. When it or
/// anything before it fails, nothing is committed.
#[derive(Debug, Clone, Copy)]
pub struct Last<'a>(pub &'a Transaction);

impl Executor for Last<'_> {
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        self.0.query_and_commit(sql, values)
    }
}
