//! Where a statement runs: by itself on a lane, inside a transaction, or as the last of one.
//!
//! Functions take `&dyn Executor`: as a type parameter it compiled each of them, and every future around
//! it, once for each kind of executor. The allocation a statement that this costs is lost in a round trip.

use octavo_postgres::{Boxed, Database, DatabaseError, Row, ToSql, Transaction};

use crate::retry::pause_after;

/// Bound values as the driver takes them.
pub type Values<'a> = &'a [&'a (dyn ToSql + Sync)];

/// What [`Executor::rows`] gives: rows, or why there are none.
pub type Rows<'a> = Boxed<'a, Result<Vec<Row>, DatabaseError>>;

/// Something that runs statements.
pub trait Executor: Sync {
    /// Runs one statement and gives its rows.
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a>;
}

impl Executor for Database {
    /// The statement is a transaction by itself: one that was given up for others is run again.
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

/// The end of a transaction: its one statement is the last, and makes everything permanent in the same
/// round trip. When it or anything before it fails, nothing is made permanent.
#[derive(Debug, Clone, Copy)]
pub struct Last<'a>(pub &'a Transaction);

impl Executor for Last<'_> {
    fn rows<'a>(&'a self, sql: &'a str, values: Values<'a>) -> Rows<'a> {
        self.0.query_and_commit(sql, values)
    }
}
