//! Completes jobs when all of their records are done, and their parent jobs.

use octavo_library::JobExecutionId;
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::json;

use super::Context;
use super::change_job::put_status;
use super::snapshot::set_snapshot;
use crate::rules::status;
use crate::store::jobs::{self, Job};
use crate::store::{chunks, runs};

/// Counts processed records, and completes the job with the last one; returns whether it did.
pub(crate) async fn count(
    context: &Context<'_>,
    transaction: &Transaction,
    id: JobExecutionId,
    succeeded: i64,
    failed: i64,
    is_read_whole: bool,
) -> Result<bool, StoreError> {
    let tenant = context.tenant;
    let Some(mut job) = jobs::hold(transaction, tenant, id).await? else {
        runs::end(transaction, tenant, id).await?;
        return Ok(true);
    };
    job.succeeded += succeeded;
    job.failed += failed;
    let done = job.succeeded + job.failed;
    let total = job.document["progress"]["total"].as_i64().unwrap_or(0);
    job.document.insert(
        "progress".to_owned(),
        json!({"jobExecutionId": id, "current": done, "total": total.max(done)}),
    );
    let was_over = status::is_over(job.text("status"));
    let is_announced = job.last_counter.is_some_and(|last| done >= last);
    let whole =
        is_read_whole || is_announced || (job.last_counter.is_none() && total > 0 && done >= total);
    let over = whole && chunks::waiting(transaction, tenant, id).await? == 0;
    if over && !was_over {
        let to = if job.failed == 0 {
            "COMMITTED"
        } else {
            "ERROR"
        };
        put_status(&mut job, to, Some("RECORD_UPDATE_ERROR"), context);
        if job.failed > 0 {
            // Only some records failed, not the job as a whole.
            job.document.shift_remove("errorStatus");
        }
        let now = json!(instant::format(context.stamp.at));
        job.document.insert("completedDate".to_owned(), now);
        let progress = json!({"jobExecutionId": id, "current": done, "total": done});
        job.document.insert("progress".to_owned(), progress);
    }
    jobs::write(transaction, tenant, &job).await?;
    let is_given_up = was_over && job.text("status") != "COMMITTED";
    if over || is_given_up {
        runs::end(transaction, tenant, id).await?;
        let state = job.text("status").to_owned();
        set_snapshot(context, transaction, id, &state).await?;
        follow_parts(context, transaction, &job).await?;
    }
    Ok(over || is_given_up)
}

/// Completes a composite job with the last of its parts.
pub(crate) async fn follow_parts(
    context: &Context<'_>,
    transaction: &Transaction,
    part: &Job,
) -> Result<(), StoreError> {
    let tenant = context.tenant;
    if part.text("subordinationType") != "COMPOSITE_CHILD" || !status::is_over(part.text("status"))
    {
        return Ok(());
    }
    let parent = part.document["parentJobId"].as_str();
    let Some(parent) = parent.and_then(JobExecutionId::parse) else {
        return Ok(());
    };
    let Some(mut parent) = jobs::hold(transaction, tenant, parent).await? else {
        return Ok(());
    };
    if status::is_over(parent.text("status"))
        || !jobs::are_parts_over(transaction, tenant, parent.id).await?
    {
        return Ok(());
    }
    put_status(&mut parent, "COMMITTED", None, context);
    let now = json!(instant::format(context.stamp.at));
    parent.document.insert("completedDate".to_owned(), now);
    jobs::write(transaction, tenant, &parent).await?;
    runs::end(transaction, tenant, parent.id).await?;
    set_snapshot(context, transaction, parent.id, "COMMITTED").await
}
