//! Jobs that run for longer than a request. They run in portions, each a transaction that also stores
//! the job's progress, so that any process can continue. One job runs at a time; others wait.

use std::time::Duration;

use octavo_boxed::boxed;
use octavo_postgres::Transaction;
use octavo_records::store::{
    Hold, Locking, fetch_locked, fetch_many, insert, replace, replace_many,
};
use octavo_records::{Collection, Contention, Stamp, Store, StoreError, Tenant, instant, retried};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{Context, object};
use crate::rules::jobs::{self, End, JobKind};
use crate::store::job_runs::{self, Run};
use crate::store::{reindex, unnumbered};

/// Maximal number of a tenant's unfinished jobs.
const UNFINISHED_MAX: i64 = 10;
/// Instances whose events are written in one transaction.
const IDS: i64 = 1_000;
/// Holdings whose items are numbered in one transaction.
const HOLDINGS: i64 = 200;
/// Items that are read and written in one statement.
const ITEMS: usize = 1_000;
/// A pause between portions, so that other requests get the database.
const PAUSE: Duration = Duration::from_millis(10);
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

/// Queues a job of this kind; returns its document.
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
    if !job_runs::line_up(&transaction, tenant, kind.table(), id, UNFINISHED_MAX).await? {
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
    let transaction = context.store.database.transaction().await?;
    let (tenant, collection) = (context.tenant, context.collection(kind.table()));
    let job = fetch_locked(&transaction, tenant, collection, id).await?;
    let mut job = object(job.ok_or(JobRefusal::Missing)?);
    if !jobs::call_off(kind, &mut job) {
        return Err(JobRefusal::Finished);
    }
    replace(&transaction, tenant, collection, id, &job, &context.stamp).await?;
    transaction.commit().await?;
    Ok(())
}

/// Runs the tenant's jobs in the background, unless a worker is running.
pub fn begin(store: &Store, tenant: &Tenant) {
    let (store, tenant) = (store.clone(), tenant.clone());
    tokio::spawn(async move {
        if let Err(error) = work(&store, &tenant).await {
            // The timer retries them.
            tracing::warn!(tenant = tenant.id(), %error, "jobs of inventory were interrupted");
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

/// Runs one portion of the oldest job; returns false when there is none, or another worker runs it.
async fn portion(store: &Store, tenant: &Tenant) -> Result<bool, StoreError> {
    let transaction = store.database.transaction().await?;
    let Some(run) = job_runs::hold_oldest(&transaction, tenant).await? else {
        return Ok(false);
    };
    let worker = Worker {
        store,
        tenant,
        stamp: Stamp::now(None),
    };
    match worker.go_on(&transaction, &run).await {
        Ok(()) => transaction.commit().await?,
        Err(error) if error.is_contention() => return Err(error),
        Err(error) => {
            transaction.rollback().await?;
            worker.give_up(&run, &error).await?;
        }
    }
    Ok(true)
}

struct Worker<'a> {
    store: &'a Store,
    tenant: &'a Tenant,
    stamp: Stamp,
}

/// The result of a portion: the number of records, and where to continue, if there is more.
struct PortionOutcome {
    records: i64,
    go_on_behind: Option<Uuid>,
}

impl Worker<'_> {
    fn collection(&self, table: &str) -> &Collection {
        let collection = self.store.catalog.get(table);
        collection.expect("invariant: inventory declares its own tables")
    }

    async fn go_on(&self, transaction: &Transaction, run: &Run) -> Result<(), StoreError> {
        let tenant = self.tenant;
        let kind = JobKind::of_table(&run.kind)
            .ok_or_else(|| StoreError::fault(format!("a job of no known kind: {}", run.kind)))?;
        let collection = self.collection(kind.table());
        let Some(job) = fetch_locked(transaction, tenant, collection, run.job).await? else {
            return job_runs::end(transaction, tenant, run.job).await;
        };
        let now = instant::format(self.stamp.at);
        if jobs::is_called_off(kind, &job) {
            let mut job = object(job);
            jobs::end(kind, &mut job, End::Cancelled, &now);
            return self.ended(transaction, run, collection, &job).await;
        }
        let done = match kind {
            JobKind::Reindex => {
                self.emit_portion(transaction, run, INSTANCES, "REINDEX")
                    .await?
            }
            JobKind::Iteration => {
                let word = |name: &str| job["jobParams"][name].as_str().unwrap_or_default();
                let (topic, event) = (word("topicName"), word("eventType"));
                self.emit_portion(transaction, run, topic, event).await?
            }
            JobKind::Migration => self.number(transaction, run).await?,
        };
        let mut job = object(job);
        jobs::count(kind, &mut job, done.records);
        let Some(reached) = done.go_on_behind else {
            jobs::end(kind, &mut job, End::Done, &now);
            return self.ended(transaction, run, collection, &job).await;
        };
        replace(transaction, tenant, collection, run.job, &job, &self.stamp).await?;
        job_runs::reach(transaction, tenant, run.job, reached).await
    }

    async fn ended(
        &self,
        transaction: &Transaction,
        run: &Run,
        collection: &Collection,
        job: &Map<String, Value>,
    ) -> Result<(), StoreError> {
        replace(
            transaction,
            self.tenant,
            collection,
            run.job,
            job,
            &self.stamp,
        )
        .await?;
        job_runs::end(transaction, self.tenant, run.job).await
    }

    async fn emit_portion(
        &self,
        transaction: &Transaction,
        run: &Run,
        topic: &str,
        event: &str,
    ) -> Result<PortionOutcome, StoreError> {
        let behind = run.reached;
        let told = reindex::emit_ids(transaction, self.tenant, topic, event, behind, IDS).await?;
        Ok(PortionOutcome {
            records: told.records,
            go_on_behind: told.last.filter(|_| told.records == IDS),
        })
    }

    /// Lock order: holdings before their items, both by id.
    async fn number(
        &self,
        transaction: &Transaction,
        run: &Run,
    ) -> Result<PortionOutcome, StoreError> {
        let tenant = self.tenant;
        let holdings =
            unnumbered::lock_holdings(transaction, tenant, run.reached, HOLDINGS).await?;
        let places = unnumbered::places(transaction, tenant, &holdings).await?;
        let collection = self.collection("item");
        for portion in places.chunks(ITEMS) {
            let ids: Vec<Uuid> = portion.iter().map(|placed| placed.item).collect();
            let mut items =
                fetch_many(transaction, tenant, collection, &ids, Hold::Exclusive).await?;
            let numbered: Vec<(Uuid, Map<String, Value>)> = portion
                .iter()
                .filter_map(|placed| {
                    let mut item = object(items.remove(&placed.item)?);
                    item.insert("order".to_owned(), json!(placed.place));
                    Some((placed.item, item))
                })
                .collect();
            let suppressed = Locking::Suppressed;
            replace_many(
                transaction,
                tenant,
                collection,
                &numbered,
                &self.stamp,
                suppressed,
            )
            .await?;
        }
        Ok(PortionOutcome {
            records: holdings.len() as i64,
            go_on_behind: holdings
                .last()
                .copied()
                .filter(|_| holdings.len() as i64 == HOLDINGS),
        })
    }

    /// Marks a job as failed, so that it does not block the jobs after it.
    async fn give_up(&self, run: &Run, error: &StoreError) -> Result<(), StoreError> {
        tracing::warn!(tenant = self.tenant.id(), job = %run.job, %error, "a job failed");
        let transaction = self.store.database.transaction().await?;
        if let Some(kind) = JobKind::of_table(&run.kind) {
            let collection = self.collection(kind.table());
            let job = fetch_locked(&transaction, self.tenant, collection, run.job).await?;
            if let Some(job) = job {
                let mut job = object(job);
                let now = instant::format(self.stamp.at);
                jobs::end(kind, &mut job, End::Failed, &now);
                let stamp = &self.stamp;
                replace(&transaction, self.tenant, collection, run.job, &job, stamp).await?;
            }
        }
        job_runs::end(&transaction, self.tenant, run.job).await?;
        transaction.commit().await?;
        Ok(())
    }
}
