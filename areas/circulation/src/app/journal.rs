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

/// Loans of one statement: each adds a search of the log's words of items.
const LOANS_AT_ONCE: usize = 50;

/// Takes the borrowers of loans out of the log. Its lines are found by the barcodes of the loans' items, given beside them.
pub(super) async fn forget_borrowers(
    desk: Desk<'_>,
    transaction: &Transaction,
    loans: &[(LoanId, &str)],
) -> Result<(), StoreError> {
    let logs = desk.collection("circulation_logs");
    // A barcode without letters and figures has no words to be found by.
    let has_words = |(_, barcode): &&(LoanId, &str)| barcode.chars().any(char::is_alphanumeric);
    let loans: Vec<&(LoanId, &str)> = loans.iter().filter(has_words).collect();
    for some in loans.chunks(LOANS_AT_ONCE) {
        let barcodes: Vec<String> = some.iter().map(|(_, barcode)| as_term(barcode)).collect();
        let query = format!("items=({})", barcodes.join(" or "));
        let plan = desk.store.plan(desk.tenant, logs, Some(&query))?;
        let ids = some.iter().map(|(loan, _)| loan.to_string()).collect();
        store::journal::forget_borrowers(transaction, desk.tables(), &plan, ids).await?;
    }
    Ok(())
}

/// A text as a term of CQL, without wildcards.
fn as_term(text: &str) -> String {
    let mut term = String::from("\"");
    for one in text.chars() {
        if matches!(one, '"' | '\\' | '*' | '?' | '^') {
            term.push('\\');
        }
        term.push(one);
    }
    term.push('"');
    term
}
