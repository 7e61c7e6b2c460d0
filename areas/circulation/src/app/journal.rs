//! The circulation log: every act leaves its lines, in the transaction of the act.

use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::{Value, json};

use super::Desk;
use crate::facts::LogEntry;
use crate::store::document;
use crate::store::journal::add;

/// By whom the log says that something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The operator.
    Staff,
    /// A timer, or the system for the operator.
    System,
}

/// Writes a line into the log, in the operator's name.
pub async fn note(
    desk: Desk<'_>,
    transaction: &Transaction,
    entry: &LogEntry,
) -> Result<(), StoreError> {
    note_all(desk, transaction, std::slice::from_ref(entry)).await
}

/// Writes lines into the log, in the operator's name, with one statement.
pub async fn note_all(
    desk: Desk<'_>,
    transaction: &Transaction,
    entries: &[LogEntry],
) -> Result<(), StoreError> {
    let lines = lines(desk, entries)?;
    add(transaction, desk.tables(), &lines, desk.operator()).await
}

/// Writes lines about what happens by itself, whoever set it going.
pub async fn note_as_system(
    desk: Desk<'_>,
    transaction: &Transaction,
    entries: &[LogEntry],
) -> Result<(), StoreError> {
    let lines = lines(desk, entries)?;
    add(transaction, desk.tables(), &lines, None).await
}

/// The lines as they are stored.
///
/// # Errors
/// When one cannot be written: a fault of ours.
pub(super) fn lines(desk: Desk<'_>, entries: &[LogEntry]) -> Result<Vec<Value>, StoreError> {
    let date = json!(instant::format(desk.stamp.at));
    let line = |entry: &LogEntry| {
        let mut line = document(entry)?;
        line.insert("date".to_owned(), date.clone());
        Ok(Value::Object(line))
    };
    entries.iter().map(line).collect()
}

/// Writes lines into the log, in the name of whom it was done by.
pub async fn note_by(
    desk: Desk<'_>,
    transaction: &Transaction,
    entries: &[LogEntry],
    by: By,
) -> Result<(), StoreError> {
    match by {
        By::Staff => note_all(desk, transaction, entries).await,
        By::System => note_as_system(desk, transaction, entries).await,
    }
}
