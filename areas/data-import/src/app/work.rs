//! The worker of imports: processes queued work, one portion per transaction, until nothing is left to
//! claim. A worker locks the run of its job; if the process ends, so does the lock, and another worker
//! repeats uncommitted work.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_platform::Call;
use octavo_platform::system_call;
use octavo_postgres::Transaction;
use octavo_records::{Stamp, Store, StoreError, Tenant, instant, retried};
use uuid::Uuid;

use super::chunk::do_chunk;
use super::read_file::{self, read_some};
use super::{Context, Refusal, post_chunk};
use crate::app::change_job::set_status_within;
use crate::rules::log::Entry;
use crate::rules::parse::MarcRecordKind;
use crate::rules::tree::Tree;
use crate::rules::{retry_policy, status};
use crate::store::jobs::{self, Job};
use crate::store::runs::{self, Run};
use crate::store::{attempts, chunks, journal};

/// A worker ends after this time; the timer begins the next.
const RUN_MAX: Duration = Duration::from_secs(600);

/// The running workers of this process, by platform and tenant, and whether new work arrived since they
/// started.
static RUNNING: LazyLock<Mutex<HashMap<(usize, String), bool>>> = LazyLock::new(Mutex::default);

/// Starts a worker, unless one is running, which then checks the queue once more. Returns at once; it is
/// only an acceleration, since a timer starts the worker too.
pub(crate) fn soon(call: &Call) {
    let key = (
        std::sync::Arc::as_ptr(&call.platform) as usize,
        call.tenant.id().to_owned(),
    );
    {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = running.get_mut(&key) {
            *more = true;
            return;
        }
        running.insert(key.clone(), false);
    }
    // The request ends before the worker, which therefore has its own call.
    let call = system_call(&call.platform, &call.view);
    let mut place = WorkerPlace {
        key,
        is_free: false,
    };
    tokio::spawn(async move {
        loop {
            if let Err(error) = work(call.writer(), &call.tenant).await {
                tracing::warn!(tenant = call.tenant.id(), %error, "imports are interrupted; the timer goes on");
                return;
            }
            if !place.is_wanted_again() {
                return;
            }
        }
    });
}

/// A worker's slot; dropping it frees the slot, however the worker ends.
struct WorkerPlace {
    key: (usize, String),
    is_free: bool,
}

impl WorkerPlace {
    /// Whether new work arrived meanwhile. If not, the slot is freed at the same time, so that no
    /// wake-up is lost.
    fn is_wanted_again(&mut self) -> bool {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = running.get_mut(&self.key)
            && *more
        {
            *more = false;
            return true;
        }
        running.remove(&self.key);
        self.is_free = true;
        false
    }
}

impl Drop for WorkerPlace {
    fn drop(&mut self) {
        // Once freed, the slot may belong to another worker.
        if !self.is_free {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.remove(&self.key);
        }
    }
}

/// Processes portions until there are none, or other workers run all of them; returns how many.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    let started = Instant::now();
    let mut portions = 0;
    while started.elapsed() < RUN_MAX && retried(|| portion(store, tenant)).await? {
        portions += 1;
    }
    Ok(portions)
}

/// Processes one portion of the oldest unclaimed job; returns false when there is none. After a
/// transient error a portion is retried later and smaller, behind other jobs; its job fails after some
/// attempts.
///
/// # Errors
/// On a database error; nothing of the portion is kept then.
pub async fn portion(store: &Store, tenant: &Tenant) -> Result<bool, StoreError> {
    let transaction = store.database.transaction().await?;
    let Some(mut run) = runs::hold_next(&transaction, tenant).await? else {
        return Ok(false);
    };
    let job = jobs::find(&transaction, tenant, run.job).await?;
    let Some(job) = job.filter(|job| !is_given_up(job.text("status"))) else {
        runs::end(&transaction, tenant, run.job).await?;
        transaction.commit().await?;
        return Ok(true);
    };
    let user = Uuid::try_parse(job.text("userId")).ok();
    let context = Context {
        store,
        tenant,
        stamp: Stamp::now(user),
    };
    let usual = match run.file {
        Some(_) => read_file::RECORDS,
        None => post_chunk::RECORDS_MAX,
    };
    let Some(attempt) = retry_policy::next(run.attempts, run.records, usual as i32) else {
        transaction.rollback().await?;
        give_up(&context, &job, &give_up_reason(&run)).await?;
        return Ok(true);
    };
    let database = &store.database;
    attempts::begin(database, tenant, run.job, attempt).await?;
    let records = attempt.records.and_then(|most| usize::try_from(most).ok());
    let most = records.map_or(usual, |most| most.min(usual));
    match some(&context, &transaction, &job, &mut run, most).await {
        Ok(()) => transaction.commit().await?,
        Err(error) if error.is_passing() => {
            let (pause, reason) = (retry_policy::pause(attempt.number), error.0.to_string());
            tracing::warn!(tenant = tenant.id(), job = %run.job, error = %error.0, "an import is tried again");
            attempts::pause(database, tenant, run.job, pause, &reason).await?;
            transaction.rollback().await?;
        }
        Err(error) => {
            // Fails the job, so that it does not block the jobs after it.
            transaction.rollback().await?;
            tracing::error!(tenant = tenant.id(), job = %run.job, error = %error.0, "an import failed");
            give_up(&context, &job, &error.0.to_string()).await?;
        }
    }
    Ok(true)
}

/// Does the next portion of a job.
async fn some(
    context: &Context<'_>,
    transaction: &Transaction,
    job: &Job,
    run: &mut Run,
    most: usize,
) -> Result<(), Broken> {
    if run.file.is_some() {
        read_some(context, transaction, job, run, most).await?;
    } else if let Some(chunk) = chunks::oldest(transaction, context.tenant, run.job).await? {
        do_chunk(context, transaction, job, chunk, most).await?;
    }
    attempts::succeed(transaction, context.tenant, run.job).await?;
    Ok(())
}

/// Why a job fails whose next portion never completed.
fn give_up_reason(run: &Run) -> String {
    let ended = "the process that worked on it ended";
    let last = run.reason.as_deref().unwrap_or(ended);
    format!(
        "The job was given up: its next records were begun {} times and never finished; the last time \
         because {last}. Import them again without the first of them, and tell whoever runs the server",
        run.attempts
    )
}

fn is_given_up(state: &str) -> bool {
    status::is_over(state) && state != "COMMITTED"
}

/// Fails a job that cannot continue, with the reason in its log.
async fn give_up(context: &Context<'_>, job: &Job, reason: &str) -> Result<(), StoreError> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    runs::end(&transaction, tenant, job.id).await?;
    let now = jobs::hold(&transaction, tenant, job.id).await?;
    // It was unlocked for a moment: it may have been cancelled, or failed by another worker.
    if now.is_some_and(|job| !status::is_over(job.text("status"))) {
        let error = Some("FILE_PROCESSING_ERROR");
        match set_status_within(context, &transaction, job.id, "ERROR", error).await {
            Ok(_) => {}
            Err(Refusal::Store(error)) => return Err(error),
            Err(other) => return Err(StoreError::fault(other)),
        }
        let entries = [unfinished(job, reason)];
        let now = instant::format(context.stamp.at);
        journal::insert(&transaction, tenant, job.id, &entries, &now).await?;
    }
    Ok(transaction.commit().await?)
}

/// The log entry of the record at which a job ended.
fn unfinished(job: &Job, reason: &str) -> Entry {
    let tree = Tree(job.profile.clone().unwrap_or_default());
    let kinds = [
        MarcRecordKind::Bib,
        MarcRecordKind::Authority,
        MarcRecordKind::Holdings,
    ];
    let kind = kinds.into_iter().find(|kind| tree.is_for(*kind));
    Entry {
        source: Uuid::new_v4(),
        position: job.succeeded + job.failed,
        entity_type: Some(kind.unwrap_or(MarcRecordKind::Bib).entity().to_owned()),
        action: "CREATE".to_owned(),
        status: "ERROR".to_owned(),
        error: reason.to_owned(),
        ..Entry::default()
    }
}

/// Why a portion failed.
#[derive(Debug)]
pub(crate) struct Broken(pub StoreError);

impl Broken {
    /// Whether the error is transient.
    fn is_passing(&self) -> bool {
        matches!(
            self.0,
            StoreError::Contended
                | StoreError::Unavailable(..)
                | StoreError::Timeout(_)
                | StoreError::TooSlow(_)
                | StoreError::Busy(_)
        )
    }
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Broken {
        Broken(error)
    }
}

impl From<octavo_postgres::DatabaseError> for Broken {
    #[track_caller]
    fn from(error: octavo_postgres::DatabaseError) -> Broken {
        Broken(error.into())
    }
}
