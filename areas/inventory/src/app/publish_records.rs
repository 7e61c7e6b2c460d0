//! Publishes unchanged records in events, for external search indexes.

use octavo_boxed::boxed;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::store::reindex::{Whole, count, emit_records};

/// Records of one event.
const RECORDS: i64 = 1_000;
/// Records that one request may ask for.
const RECORDS_MAX: i64 = 10_000;

/// Writes events with the records of an inclusive range of ids; returns the number of records. There is
/// at least one event, so that the client knows that it is complete.
///
/// # Errors
/// When there are too many for one request.
#[boxed]
pub async fn publish_records(
    context: &Context<'_>,
    what: Whole,
    key: Uuid,
    (from, upto): (Uuid, Uuid),
) -> Result<i64, Refusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let many = count(&transaction, tenant, what, (from, upto), RECORDS_MAX + 1).await?;
    if many > RECORDS_MAX {
        return Err(Refusal::TooMany {
            most: RECORDS_MAX as usize,
            sent: many as usize,
        });
    }
    // No record has the nil UUID, so starting after it misses nothing.
    let mut behind = Uuid::from_u128(from.as_u128().saturating_sub(1));
    let mut told = 0;
    loop {
        let range = (behind, upto);
        let is_first = told == 0;
        let portion =
            emit_records(&transaction, tenant, what, key, range, RECORDS, is_first).await?;
        told += portion.records;
        match portion.last {
            Some(last) if portion.records == RECORDS => behind = last,
            _ => break,
        }
    }
    transaction.commit().await?;
    Ok(told)
}
