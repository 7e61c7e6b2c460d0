//! Deleting jobs: they are hidden at once, and removed with their logs some days later.

use jiff::ToSpan;
use octavo_records::instant;
use uuid::Uuid;

use super::{Context, Refusal};
use crate::store::{jobs, runs};

/// Jobs of one request.
pub(crate) const IDS_MAX: usize = 1_000;
/// How long a deleted job's log is kept.
const KEPT_HOURS: i64 = 48;

/// Marks jobs as deleted; gives those that there are.
pub(crate) async fn mark(context: &Context<'_>, ids: &[Uuid]) -> Result<Vec<Uuid>, Refusal> {
    let transaction = context.store.database.transaction().await?;
    for id in ids {
        runs::end(&transaction, context.tenant, *id).await?;
    }
    let deleted = jobs::mark_deleted(&transaction, context.tenant, ids).await?;
    transaction.commit().await?;
    Ok(deleted)
}

/// Removes those that were marked and have been complete for some days; gives how many.
pub(crate) async fn sweep(context: &Context<'_>) -> Result<usize, Refusal> {
    let before = context.stamp.at.checked_sub(KEPT_HOURS.hours());
    let before = before.unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let database = &context.store.database;
    Ok(jobs::delete_marked(database, context.tenant, &instant::format(before)).await?)
}
