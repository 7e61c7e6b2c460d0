//! The circulation log: every act leaves a line, in the transaction of the act.

use octavo_postgres::Transaction;
use octavo_records::store::insert;
use octavo_records::{StoreError, instant};
use serde_json::json;

use super::Desk;
use super::check_out::document;
use crate::facts::LogEntry;

/// Writes a line into the log.
///
/// # Errors
/// When the database does not answer.
pub async fn note(
    desk: Desk<'_>,
    transaction: &Transaction,
    entry: &LogEntry,
) -> Result<(), StoreError> {
    let mut line = document(entry)?;
    line.insert("date".to_owned(), json!(instant::format(desk.stamp.at)));
    let collection = desk.collection("circulation_logs")?;
    insert(transaction, desk.tenant, collection, line, &desk.stamp).await?;
    Ok(())
}
