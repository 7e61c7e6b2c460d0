//! Reindex jobs, which write events for every authority, for external search indexes. They run in
//! portions, each a transaction that also stores the job's progress.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, insert, replace};
use octavo_records::{Stamp, Store, StoreError, Tenant, instant, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, Refusal};
use crate::collections::REINDEX_JOB;
use crate::store::reindex::{self, Run};

/// Maximal number of unfinished jobs.
const UNFINISHED_MAX: i64 = 10;
/// Authorities of one transaction.
const PORTION: i64 = 1_000;
/// A pause between portions, so that other requests get the database.
const PAUSE: Duration = Duration::from_millis(10);
/// FOLIO's name of the kind.
pub(crate) const KIND: &str = "Reindex job";

const IN_PROGRESS: &str = "In progress";
const PUBLISHED: &str = "Ids published";
const TO_BE_CANCELLED: &str = "Pending cancel";
const CANCELLED: &str = "Id publishing cancelled";

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
    if !reindex::line_up(&transaction, context.tenant, id, UNFINISHED_MAX).await? {
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
    let transaction = context.store.database.transaction().await?;
    let jobs = context.collection(REINDEX_JOB);
    let job = fetch_locked(&transaction, context.tenant, jobs, id).await?;
    let Some(Value::Object(mut job)) = job else {
        return Err(Refusal::not_found(KIND, id));
    };
    if job
        .get("jobStatus")
        .is_none_or(|status| status != IN_PROGRESS)
    {
        return Err(Refusal::Finished);
    }
    job.insert("jobStatus".to_owned(), json!(TO_BE_CANCELLED));
    replace(&transaction, context.tenant, jobs, id, &job, &context.stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// Runs the tenant's jobs in the background, unless a worker is running.
pub fn begin(store: &Store, tenant: &Tenant) {
    let (store, tenant) = (store.clone(), tenant.clone());
    tokio::spawn(async move {
        if let Err(error) = work(&store, &tenant).await {
            tracing::warn!(tenant = tenant.id(), %error, "jobs of authorities were interrupted; the timer goes on");
        }
    });
}

/// Runs the tenant's jobs until there are none, or until another worker runs them; returns the number of
/// portions.
///
/// # Errors
/// On a database error; what was committed before stays.
#[boxed]
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    let mut portions = 0;
    while retried(|| portion(store, tenant)).await? {
        portions += 1;
        tokio::time::sleep(PAUSE).await;
    }
    Ok(portions)
}

async fn portion(store: &Store, tenant: &Tenant) -> Result<bool, StoreError> {
    let transaction = store.database.transaction().await?;
    let Some(run) = reindex::hold_oldest(&transaction, tenant).await? else {
        return Ok(false);
    };
    let context = Context {
        store,
        tenant,
        stamp: Stamp::now(None),
    };
    go_on(&context, &transaction, run).await?;
    transaction.commit().await?;
    Ok(true)
}

async fn go_on(
    context: &Context<'_>,
    transaction: &Transaction,
    run: Run,
) -> Result<(), StoreError> {
    let tenant = context.tenant;
    let jobs = context.collection(REINDEX_JOB);
    let job = fetch_locked(transaction, tenant, jobs, run.job).await?;
    let Some(Value::Object(mut job)) = job else {
        return reindex::end(transaction, tenant, run.job).await;
    };
    if job
        .get("jobStatus")
        .is_some_and(|status| status == TO_BE_CANCELLED)
    {
        reindex::end(transaction, tenant, run.job).await?;
        return keep(context, transaction, run, &mut job, CANCELLED).await;
    }
    let (told, last) = reindex::emit_authorities(transaction, tenant, run.reached, PORTION).await?;
    let published = job.get("published").and_then(Value::as_i64).unwrap_or(0);
    job.insert("published".to_owned(), json!(published + told));
    match last.filter(|_| told == PORTION) {
        Some(last) => {
            reindex::reach(transaction, tenant, run.job, last).await?;
            keep(context, transaction, run, &mut job, IN_PROGRESS).await
        }
        None => {
            reindex::end(transaction, tenant, run.job).await?;
            keep(context, transaction, run, &mut job, PUBLISHED).await
        }
    }
}

async fn keep(
    context: &Context<'_>,
    transaction: &Transaction,
    run: Run,
    job: &mut Map<String, Value>,
    status: &str,
) -> Result<(), StoreError> {
    job.insert("jobStatus".to_owned(), json!(status));
    let jobs = context.collection(REINDEX_JOB);
    replace(
        transaction,
        context.tenant,
        jobs,
        run.job,
        job,
        &context.stamp,
    )
    .await?;
    Ok(())
}
