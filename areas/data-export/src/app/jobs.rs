//! Upkeep of jobs: their log, failing hanging ones, cleaning up.

use octavo_records::store::{delete, fetch_locked, insert, replace};
use octavo_records::{Executor, StoreError, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::Context;
use super::new_job::object;
use crate::collections::{ERRORS, EXECUTIONS};
use crate::store::{files, jobs};

/// A job without progress for this time fails, in seconds,
const HANGING_SECONDS: i64 = 3_600;
/// if it was tried at least this often meanwhile. A job that was not tried, because no process ran or
/// others had their turns, can still continue.
const HANGING_TRIES: i32 = 10;
/// Retention of declared and uploaded files, in hours.
const UPLOADS_HOURS: i64 = 24;
/// Default retention of exported files, in days.
const FILES_DAYS: i64 = 30;
/// The name of its setting.
pub const FILES_DAYS_NAME: &str = "file_retention_days";

/// Logs an error of a job.
pub async fn log(
    context: &Context<'_>,
    executor: &dyn Executor,
    job: Uuid,
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

/// Fails jobs without progress for an hour although they were tried.
pub async fn expire(context: &Context<'_>) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    for id in jobs::stuck(&transaction, tenant, HANGING_TRIES, HANGING_SECONDS).await? {
        let executions = context.collection(EXECUTIONS);
        if let Some(job) = fetch_locked(&transaction, tenant, executions, id).await? {
            let mut job = object(job);
            job.insert("status".to_owned(), json!("FAIL"));
            let now = instant::format(context.stamp.at);
            job.insert("completedDate".to_owned(), json!(now));
            job.insert("progress".to_owned(), super::new_job::progress(0));
            replace(&transaction, tenant, executions, id, &job, &context.stamp).await?;
            let sentence = "Job was expired: no updates for more than 1 hour".to_owned();
            log(
                context,
                &transaction,
                id,
                "error.messagePlaceholder",
                vec![sentence],
            )
            .await?;
        }
        files::delete_of(&transaction, tenant, &[id]).await?;
        jobs::end(&transaction, tenant, id).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Deletes old files: declared and uploaded ones after a day, exported ones after a month.
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
pub async fn remove(context: &Context<'_>, id: Uuid) -> Result<bool, StoreError> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    let executions = context.collection(EXECUTIONS);
    jobs::end(&transaction, tenant, id).await?;
    jobs::forget_errors(&transaction, tenant, &[id]).await?;
    files::delete_of(&transaction, tenant, &[id]).await?;
    jobs::forget_definitions(&transaction, tenant, id).await?;
    match delete(&transaction, tenant, executions, id).await {
        Ok(_) => {}
        Err(StoreError::NotFound) => return Ok(false),
        Err(error) => return Err(error),
    }
    transaction.commit().await?;
    Ok(true)
}
