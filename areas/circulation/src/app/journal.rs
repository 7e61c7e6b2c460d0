//! Writes lines of the circulation log, in the transaction of the operation.

use octavo_library::{LoanId, UserId};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::{Value, json};

use super::Desk;
use crate::circulation_log::log_record;
use crate::facts::LogEntry;
use crate::store::journal::add;
use crate::store::{self, document};

/// The actor in the log.
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
    let lines = lines(desk, entries, desk.operator())?;
    add(transaction, desk.tables(), &lines, desk.operator()).await
}

/// Writes lines of automatic operations, with the system as actor.
pub async fn note_as_system(
    desk: Desk<'_>,
    transaction: &Transaction,
    entries: &[LogEntry],
) -> Result<(), StoreError> {
    let lines = lines(desk, entries, None)?;
    add(transaction, desk.tables(), &lines, None).await
}

/// The stored form of lines, each with its event, which the database takes out.
///
/// # Errors
/// When one cannot be serialised, a fault of ours.
pub(super) fn lines(
    desk: Desk<'_>,
    entries: &[LogEntry],
    operator: Option<UserId>,
) -> Result<Vec<Value>, StoreError> {
    let date = json!(instant::format(desk.stamp.at));
    let line = |entry: &LogEntry| {
        let mut line = document(entry)?;
        line.insert("date".to_owned(), date.clone());
        if let Some((property, record)) = log_record(entry, desk.stamp.at, operator) {
            line.insert(property.to_owned(), record);
        }
        Ok(Value::Object(line))
    };
    entries.iter().map(line).collect()
}

/// Writes lines into the log with this actor.
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

/// Takes the borrower of a loan out of the log. Its lines are found by the item's barcode, which all of them have.
pub(super) async fn forget_borrower(
    desk: Desk<'_>,
    transaction: &Transaction,
    loan: LoanId,
    barcode: Option<&str>,
) -> Result<(), StoreError> {
    let Some(barcode) = barcode.filter(|barcode| barcode.chars().any(char::is_alphanumeric)) else {
        return Ok(());
    };
    let quoted: String = barcode
        .chars()
        .flat_map(|one| {
            let escapes = matches!(one, '"' | '\\' | '*' | '?' | '^').then_some('\\');
            escapes.into_iter().chain([one])
        })
        .collect();
    let query = format!("items=\"{quoted}\"");
    let logs = desk.collection("circulation_logs");
    let plan = desk.store.plan(desk.tenant, logs, Some(&query))?;
    store::journal::forget_borrower(transaction, desk.tables(), &plan, loan).await
}
