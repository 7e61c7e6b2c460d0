//! Jobs that run for longer than a request: their portions, for the worker of all jobs. One job of a tenant
//! runs at a time, the others wait behind it.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_jobs::{Ended, GivenUp, Job, NewJob, Outcome, Progress, Queue, Work};
use octavo_postgres::Transaction;
use octavo_records::store::{
    Hold, Locking, fetch_locked, fetch_many, insert, replace, replace_many,
};
use octavo_records::{Contention, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, object};
use crate::rules::jobs::{self, End, JobKind};
use crate::store::reindex::{self, JobEvent};
use crate::store::unnumbered;

/// The queue of jobs. Others come to the database between two portions.
pub static QUEUE: Queue = Queue {
    pause: Duration::from_millis(10),
    ..Queue::named("inventory")
};
/// All jobs have this key, so that one runs at a time.
const KEY: Uuid = Uuid::nil();

/// Jobs of a tenant that are not finished.
const UNFINISHED_MAX: i64 = 10;
/// Instances whose events are written in one transaction.
const IDS: i64 = 1_000;
/// Holdings whose items are numbered in one transaction.
const HOLDINGS: i64 = 200;
/// Items that are read and written in one statement.
const ITEMS: usize = 1_000;
/// FOLIO's topic of instances.
const INSTANCES: &str = "inventory.instance";

/// Why a job is not submitted or cancelled.
#[derive(Debug, thiserror::Error)]
pub enum JobRefusal {
    /// The store's reason.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such job.
    #[error("Not found")]
    Missing,
    /// It has ended.
    #[error("The job has been finished")]
    Finished,
    /// Too many wait already.
    #[error(
        "{UNFINISHED_MAX} jobs are not finished yet; wait until one of them is, or cancel one, and \
         try again"
    )]
    Crowded,
}

impl Contention for JobRefusal {
    fn is_contention(&self) -> bool {
        matches!(self, JobRefusal::Store(error) if error.is_contention())
    }
}

impl From<octavo_postgres::DatabaseError> for JobRefusal {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> JobRefusal {
        JobRefusal::Store(error.into())
    }
}

/// Where a job stands.
#[derive(Debug, Serialize, Deserialize)]
struct State {
    /// The table of its document.
    kind: String,
    /// The last id that is done.
    reached: Uuid,
}

/// Lines up a job of this kind with this document; gives its document.
///
/// # Errors
/// When too many wait already.
#[boxed]
pub async fn submit(
    context: &Context<'_>,
    kind: JobKind,
    document: Value,
) -> Result<Value, JobRefusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let collection = context.collection(kind.table());
    let (id, _) = insert(
        &transaction,
        tenant,
        collection,
        object(document.clone()),
        &context.stamp,
    )
    .await?;
    let job = NewJob {
        id,
        key: Some(KEY),
        progress: json!({"kind": kind.table(), "reached": Uuid::nil()}),
    };
    if !QUEUE
        .add_below(&transaction, tenant, UNFINISHED_MAX, job)
        .await?
    {
        return Err(JobRefusal::Crowded);
    }
    transaction.commit().await?;
    Ok(document)
}

/// Cancels a job. It ends after the running portion.
///
/// # Errors
/// When there is no such job, or it has ended.
#[boxed]
pub async fn cancel(context: &Context<'_>, kind: JobKind, id: Uuid) -> Result<(), JobRefusal> {
    let database = &context.store.database;
    let (tenant, collection) = (context.tenant, context.collection(kind.table()));
    let cancelled = QUEUE.cancel(database, tenant, id).await?;
    let transaction = database.transaction().await?;
    let job = fetch_locked(&transaction, tenant, collection, id).await?;
    let mut job = object(job.ok_or(JobRefusal::Missing)?);
    if cancelled && jobs::is_cancelled(kind, &job) {
        // The worker was quicker.
        return Ok(());
    }
    if !jobs::call_off(kind, &mut job) {
        return Err(JobRefusal::Finished);
    }
    replace(&transaction, tenant, collection, id, &job, &context.stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// What is done of jobs.
#[derive(Debug, Clone, Copy)]
pub struct InventoryJobs;

impl Work for InventoryJobs {
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
            end(&context, transaction, job, End::Failed).await?;
            Ok(Progress::Done)
        })
    }

    fn cancelled<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Ended<'a> {
        Box::pin(async move { end(&context, transaction, job, End::Cancelled).await })
    }
}

/// The result of a portion: the number of records, and where to continue, if there is more.
struct PortionOutcome {
    records: i64,
    go_on_behind: Option<Uuid>,
}

async fn portion(
    context: Context<'_>,
    transaction: &Transaction,
    job: &Job,
) -> Result<Progress, StoreError> {
    let State { kind, reached } = job.state()?;
    let kind = JobKind::of_table(&kind)
        .ok_or_else(|| StoreError::fault(format!("a job of no known kind: {kind}")))?;
    let (tenant, collection) = (context.tenant, context.collection(kind.table()));
    let Some(document) = fetch_locked(transaction, tenant, collection, job.id).await? else {
        return Ok(Progress::Done);
    };
    let ids = job.at_most(IDS);
    let done = match kind {
        JobKind::Reindex => {
            let event = JobEvent {
                topic: INSTANCES,
                kind: "REINDEX",
                header: "reindex-job-id",
                job: job.id,
            };
            emit(&context, transaction, event, reached, ids).await?
        }
        JobKind::Iteration => {
            let word = |name: &str| document["jobParams"][name].as_str().unwrap_or_default();
            let event = JobEvent {
                topic: word("topicName"),
                kind: word("eventType"),
                header: "iteration-job-id",
                job: job.id,
            };
            emit(&context, transaction, event, reached, ids).await?
        }
        JobKind::Migration => number(&context, transaction, reached, job.at_most(HOLDINGS)).await?,
    };
    let mut document = object(document);
    jobs::count(kind, &mut document, done.records);
    if done.go_on_behind.is_none() {
        jobs::end(kind, &mut document, End::Done, &context.now());
    }
    let stamp = &context.stamp;
    replace(transaction, tenant, collection, job.id, &document, stamp).await?;
    Ok(match done.go_on_behind {
        Some(reached) => Progress::More(json!({"kind": kind.table(), "reached": reached})),
        None => Progress::Done,
    })
}

/// Ends a job's document, if it is still there.
async fn end(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    end: End,
) -> Result<(), StoreError> {
    // A job of no known kind has no document.
    let state = job.state::<State>().ok();
    let Some(kind) = state.and_then(|state| JobKind::of_table(&state.kind)) else {
        return Ok(());
    };
    let (tenant, collection) = (context.tenant, context.collection(kind.table()));
    let Some(document) = fetch_locked(transaction, tenant, collection, job.id).await? else {
        return Ok(());
    };
    let mut document = object(document);
    jobs::end(kind, &mut document, end, &context.now());
    let stamp = &context.stamp;
    replace(transaction, tenant, collection, job.id, &document, stamp).await?;
    Ok(())
}

async fn emit(
    context: &Context<'_>,
    transaction: &Transaction,
    event: JobEvent<'_>,
    behind: Uuid,
    most: i64,
) -> Result<PortionOutcome, StoreError> {
    let told = reindex::emit_ids(transaction, context.tenant, event, behind, most).await?;
    Ok(PortionOutcome {
        records: told.records,
        go_on_behind: told.last.filter(|_| told.records == most),
    })
}

/// Gives the items of the next holdings their places. Holdings before their items, both in the order of their
/// ids.
async fn number(
    context: &Context<'_>,
    transaction: &Transaction,
    behind: Uuid,
    most: i64,
) -> Result<PortionOutcome, StoreError> {
    let tenant = context.tenant;
    let holdings = unnumbered::lock_holdings(transaction, tenant, behind, most).await?;
    let places = unnumbered::places(transaction, tenant, &holdings).await?;
    let collection = context.collection("item");
    for portion in places.chunks(ITEMS) {
        let ids: Vec<Uuid> = portion.iter().map(|placed| placed.item).collect();
        let mut items = fetch_many(transaction, tenant, collection, &ids, Hold::Exclusive).await?;
        let numbered: Vec<(Uuid, Map<String, Value>)> = portion
            .iter()
            .filter_map(|placed| {
                let mut item = object(items.remove(&placed.item)?);
                item.insert("order".to_owned(), json!(placed.place));
                Some((placed.item, item))
            })
            .collect();
        let (stamp, suppressed) = (&context.stamp, Locking::Suppressed);
        replace_many(
            transaction,
            tenant,
            collection,
            &numbered,
            stamp,
            suppressed,
        )
        .await?;
    }
    Ok(PortionOutcome {
        records: holdings.len() as i64,
        go_on_behind: holdings
            .last()
            .copied()
            .filter(|_| holdings.len() as i64 == most),
    })
}
