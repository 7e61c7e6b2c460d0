//! Cancels jobs. Finished work stays.

use octavo_library::JobExecutionId;

use super::change_job::{held, put_status};
use super::finish::follow_parts;
use super::snapshot::set_snapshot;
use super::{Context, Refusal};
use crate::rules::status;
use crate::store::{jobs, runs};

/// Cancels a job and its children, except finished ones. Waits for the running chunk.
pub(crate) async fn cancel(context: &Context<'_>, id: JobExecutionId) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let database = &context.store.database;
    jobs::find(database, tenant, id)
        .await?
        .ok_or(Refusal::NoJob(id))?;
    let mut all = jobs::children(database, tenant, id).await?;
    all.push(id);
    for id in all {
        let transaction = database.transaction().await?;
        // The run before the job: the worker locks them in this order, too.
        runs::end(&transaction, tenant, id).await?;
        let mut job = held(&transaction, context, id).await?;
        if !status::is_over(job.text("status")) && job.text("status") != "PARENT" {
            put_status(&mut job, "CANCELLED", None, context);
            jobs::write(&transaction, tenant, &job).await?;
            set_snapshot(context, &transaction, id, "CANCELLED").await?;
            follow_parts(context, &transaction, &job).await?;
        }
        transaction.commit().await?;
    }
    Ok(())
}
