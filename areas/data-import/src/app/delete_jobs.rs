//! Deletes jobs: they are hidden at once, and removed with their logs some days later, in portions of
//! one transaction each, since a job may have millions of entries.

use jiff::{Timestamp, ToSpan};
use octavo_library::JobExecutionId;
use octavo_records::{StoreError, instant};

use super::{Context, Refusal};
use crate::store::jobs::{self, BELOW};
use crate::store::runs;

/// Jobs of one request.
pub(crate) const IDS_MAX: usize = 1_000;
/// Retention of a deleted job's log, in hours.
const KEPT_HOURS: i64 = 48;

/// Marks jobs as deleted; returns existing ones. Unfinished ones end here.
pub(crate) async fn mark(
    context: &Context<'_>,
    ids: &[JobExecutionId],
) -> Result<Vec<JobExecutionId>, Refusal> {
    let transaction = context.store.database.transaction().await?;
    for id in ids {
        runs::end(&transaction, context.tenant, *id).await?;
    }
    let now = instant::format(context.stamp.at);
    let deleted = jobs::mark_deleted(&transaction, context.tenant, ids, &now).await?;
    transaction.commit().await?;
    Ok(deleted)
}

/// Removes marked jobs that have been complete for some days; returns how many.
pub async fn sweep(context: &Context<'_>) -> Result<usize, StoreError> {
    let before = context.stamp.at.checked_sub(KEPT_HOURS.hours());
    let before = instant::format(before.unwrap_or(Timestamp::UNIX_EPOCH));
    let (database, tenant) = (&context.store.database, context.tenant);
    let mut removed = 0;
    while let Some(job) = jobs::oldest_marked(database, tenant, &before).await? {
        for below in BELOW {
            while jobs::delete_some(database, tenant, job, below).await? {}
        }
        jobs::delete(database, tenant, job).await?;
        removed += 1;
    }
    Ok(removed)
}
