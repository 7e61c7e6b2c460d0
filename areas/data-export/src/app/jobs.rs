//! Finished jobs: their log and their removal.

use octavo_library::ExportJobId;
use octavo_records::store::{delete, insert};
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Value, json};

use super::Context;
use super::new_job::object;
use crate::collections::{ERRORS, EXECUTIONS};
use crate::store::{files, jobs};

/// Announced and uploaded files are kept for so long, in hours.
const UPLOADS_HOURS: i64 = 24;
/// Default retention of exported files, in days.
const FILES_DAYS: i64 = 30;
/// The name of its setting.
pub const FILES_DAYS_NAME: &str = "file_retention_days";

/// Logs an error of a job.
pub async fn log(
    context: &Context<'_>,
    executor: &dyn Executor,
    job: ExportJobId,
    code: &str,
    values: Vec<String>,
) -> Result<(), StoreError> {
    let now = instant::format(context.stamp.at);
    log_entry(
        context,
        executor,
        json!({"jobExecutionId": job, "createdDate": now, "logLevel": "ERROR",
            "errorMessageCode": code, "errorMessageValues": values}),
    )
    .await
}

pub async fn log_entry(
    context: &Context<'_>,
    executor: &dyn Executor,
    entry: Value,
) -> Result<(), StoreError> {
    let collection = context.collection(ERRORS);
    insert(
        executor,
        context.tenant,
        collection,
        object(entry),
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Deletes what is old: announced and uploaded files after a day, exported ones after a month.
pub async fn clean_up(context: &Context<'_>) -> Result<(), StoreError> {
    let (database, tenant) = (&context.store.database, context.tenant);
    files::delete_old_uploads(database, tenant, UPLOADS_HOURS).await?;
    let days = jobs::set_up_as(database, tenant, FILES_DAYS_NAME).await?;
    let days = days
        .and_then(|days| days.parse().ok())
        .unwrap_or(FILES_DAYS);
    files::delete_old(database, tenant, days).await?;
    Ok(())
}

/// Deletes a job with its files and its log; a running one is cancelled. Returns whether it existed.
pub async fn remove(context: &Context<'_>, id: ExportJobId) -> Result<bool, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    let executions = context.collection(EXECUTIONS);
    jobs::QUEUE.remove(&transaction, tenant, id.uuid()).await?;
    jobs::forget_list(&transaction, tenant, id).await?;
    jobs::forget_errors(&transaction, tenant, &[id]).await?;
    files::delete_of(&transaction, tenant, &[id]).await?;
    jobs::forget_definitions(&transaction, tenant, id).await?;
    match delete(&transaction, tenant, executions, id.uuid()).await {
        Ok(_) => {}
        Err(StoreError::NotFound) => return Ok(false),
        Err(error) => return Err(error),
    }
    transaction.commit().await?;
    Ok(true)
}
