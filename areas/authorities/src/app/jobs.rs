//! Reindex jobs: they publish an event for every authority, for systems that maintain an index.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_jobs::{Ended, GivenUp, Job, NewJob, Outcome, Progress, Queue, Work};
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{StoreError, instant};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::collections::REINDEX_JOB;
use crate::store::reindex;

/// The queue of jobs. Others come to the database between two portions.
pub static QUEUE: Queue = Queue {
    pause: Duration::from_millis(10),
    ..Queue::named("authorities")
};
/// All jobs have this key, so that one runs at a time.
const KEY: Uuid = Uuid::nil();
/// Jobs that are not finished.
const UNFINISHED_MAX: i64 = 10;
/// Authorities of one transaction.
const PORTION: i64 = 1_000;
/// FOLIO's name of the kind.
pub(crate) const KIND: &str = "Reindex job";

const IN_PROGRESS: &str = "In progress";
const PUBLISHED: &str = "Ids published";
const TO_BE_CANCELLED: &str = "Pending cancel";
const CANCELLED: &str = "Id publishing cancelled";
const FAILED: &str = "Id publishing failed";

/// The progress of a job.
#[derive(Debug, Deserialize)]
struct State {
    /// The last id whose event is written.
    reached: Uuid,
}

/// Queues a job; returns its document.
///
/// # Errors
/// When too many wait already.
#[boxed]
pub async fn submit(context: &Context<'_>) -> Result<Value, Refusal> {
    let id = Uuid::new_v4();
    let job = json!({
        "id": id, "published": 0, "jobStatus": IN_PROGRESS, "resourceName": "Authority",
        "submittedDate": instant::format(context.stamp.at),
    });
    let transaction = context.store.database.transaction().await?;
    let jobs = context.collection(REINDEX_JOB);
    let document = job.as_object().cloned().unwrap_or_default();
    insert(&transaction, context.tenant, jobs, document, &context.stamp).await?;
    let new = NewJob {
        id,
        key: Some(KEY),
        progress: json!({"reached": Uuid::nil()}),
    };
    let tenant = context.tenant;
    if !QUEUE
        .add_below(&transaction, tenant, UNFINISHED_MAX, new)
        .await?
    {
        return Err(Refusal::Crowded);
    }
    transaction.commit().await?;
    Ok(job)
}

/// Cancels a job. It ends after the running portion.
///
/// # Errors
/// When there is no such job, or it has ended.
#[boxed]
pub async fn cancel(context: &Context<'_>, id: Uuid) -> Result<(), Refusal> {
    let database = &context.store.database;
    let cancelled = QUEUE.cancel(database, context.tenant, id).await?;
    let transaction = database.transaction().await?;
    let jobs = context.collection(REINDEX_JOB);
    let job = fetch_locked(&transaction, context.tenant, jobs, id).await?;
    let Some(Value::Object(mut job)) = job else {
        return Err(Refusal::not_found(KIND, id));
    };
    let status = job.get("jobStatus").and_then(Value::as_str);
    if cancelled && status == Some(CANCELLED) {
        // The worker was quicker.
        return Ok(());
    }
    if status != Some(IN_PROGRESS) {
        return Err(Refusal::Finished);
    }
    job.insert("jobStatus".to_owned(), json!(TO_BE_CANCELLED));
    replace(&transaction, context.tenant, jobs, id, &job, &context.stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// What is done of jobs.
#[derive(Debug, Clone, Copy)]
pub struct ReindexJobs;

impl Work for ReindexJobs {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(portion(context, transaction, job))
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        _: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            end(&context, transaction, job.id, FAILED).await?;
            Ok(Progress::Done)
        })
    }

    fn cancelled<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Ended<'a> {
        Box::pin(async move { end(&context, transaction, job.id, CANCELLED).await })
    }
}

async fn portion(
    context: Context<'_>,
    transaction: &Transaction,
    job: &Job,
) -> Result<Progress, StoreError> {
    let (tenant, jobs) = (context.tenant, context.collection(REINDEX_JOB));
    let State { reached } = job.state()?;
    let document = fetch_locked(transaction, tenant, jobs, job.id).await?;
    let Some(Value::Object(mut document)) = document else {
        return Ok(Progress::Done);
    };
    let most = job.at_most(PORTION);
    let (emitted, last) = reindex::emit_authorities(transaction, tenant, reached, most).await?;
    let published = document.get("published").and_then(Value::as_i64);
    let published = published.unwrap_or(0) + emitted;
    document.insert("published".to_owned(), json!(published));
    let last = last.filter(|_| emitted == most);
    if last.is_none() {
        document.insert("jobStatus".to_owned(), json!(PUBLISHED));
    }
    let stamp = &context.stamp;
    replace(transaction, tenant, jobs, job.id, &document, stamp).await?;
    Ok(last.map_or(Progress::Done, |last| {
        Progress::More(json!({"reached": last}))
    }))
}

/// Ends a job's document, if it is still there.
async fn end(
    context: &Context<'_>,
    transaction: &Transaction,
    id: Uuid,
    status: &str,
) -> Result<(), StoreError> {
    let (tenant, jobs) = (context.tenant, context.collection(REINDEX_JOB));
    let document = fetch_locked(transaction, tenant, jobs, id).await?;
    if let Some(Value::Object(mut document)) = document {
        document.insert("jobStatus".to_owned(), json!(status));
        let stamp = &context.stamp;
        replace(transaction, tenant, jobs, id, &document, stamp).await?;
    }
    Ok(())
}
