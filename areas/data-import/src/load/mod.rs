//! Loading files of MARC records: each bibliographic record becomes an instance and its source record,
//! and optionally holdings and items.
//!
//! A load is a job. Its progress is stored in the transaction of each batch, so an interrupted load
//! continues after the last stored record, and a completely loaded file is not loaded again unless
//! requested. A large first load builds most indexes at its end. One thread reads and maps; batches are stored by two transactions at a time, which commit
//! in the order of the input.

mod aside;
mod derived;
mod fingerprint;
mod input;
mod job_execution;
mod match_key;
mod options;
mod reading;
mod single;
mod store;
mod writing;

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use jiff::Timestamp;
use octavo_cataloging::bulk::{Creating, HoldingsSettings};
use octavo_library::{JobExecutionId, UserId};
use octavo_postgres::Connection;
use octavo_records::Context;
use octavo_source_records::app::Refusal;
use octavo_source_records::app::snapshots::{create_snapshot, replace_snapshot};
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use uuid::Uuid;

pub use aside::{BIB_TABLES, CHEAP, HOLDINGS_TABLES, ITEM_TABLES, RECORDS_MIN, existing_max};
pub use derived::Derived;
pub use fingerprint::fingerprint;
pub use input::{Input, InputRecord};
pub use match_key::{Match, NoMatch};
pub use options::{LoadError, LoadEvent, LoadOptions, LoadProblem, Loaded, Progress};
pub use single::{Refused, Single, Singly, Storing};

use job_execution::{Stage, job_execution};
use reading::{Batch, Message, Reading};
use writing::{Stored, Writing};

/// The migration that creates the tables of loads: name and SQL.
pub const MIGRATION: (&str, &str) = (
    "import_progress",
    include_str!("../migrations/import_progress.sql"),
);

/// Mapped batches that wait.
const WAITING_MAX: usize = 2;
/// Concurrent transactions.
const WRITING_MAX: usize = 2;

/// Loads records in batches, each of which is stored whole in one transaction. Records that cannot be
/// loaded are reported to `on_event` and do not affect others; so is progress.
///
/// # Errors
/// When an option names an unknown record, another process loads the same, or the input or the database
/// fails. Stored batches stay, and the next load of the same continues after them.
pub async fn load<I>(
    context: &Context<'_>,
    input: I,
    options: &LoadOptions,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<Loaded, LoadError>
where
    I: Iterator<Item = InputRecord> + Send + 'static,
{
    let holdings = match options.holdings {
        Some(options) => Some(Arc::new(HoldingsSettings::read(context, options).await?)),
        None => None,
    };
    let lock = match &options.fingerprint {
        Some(fingerprint) => Some(Lock::take(context, fingerprint).await?),
        None => None,
    };
    let outcome = load_alone(context, input, options, holdings, on_event).await;
    if let Some(lock) = lock {
        lock.release().await;
    }
    outcome
}

/// Loads under the lock.
async fn load_alone<I>(
    context: &Context<'_>,
    input: I,
    options: &LoadOptions,
    holdings: Option<Arc<HoldingsSettings>>,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<Loaded, LoadError>
where
    I: Iterator<Item = InputRecord> + Send + 'static,
{
    let begun = match begin(context, options).await? {
        Beginning::Here(begun) => begun,
        Beginning::Before(before) => return Ok(before),
    };
    let creating = Creating {
        rules: Arc::clone(&options.rules),
        references: Arc::clone(&options.references),
        snapshot_id: begun.progress.job_id.into(),
        holdings,
    };
    on_event(LoadEvent::Begun(begun.progress));
    let aside = aside::set_aside(context, options, on_event).await?;
    let (job_id, started_at) = (begun.progress.job_id, begun.started_at);
    let writer = JobWriter {
        context,
        file_name: &options.file_name,
        started_at,
    };
    let is_listed = writer.write_job(&begun.progress, Stage::Running).await?;
    let mut reached = begun.progress;
    let mut on_event = |event: LoadEvent| {
        if let LoadEvent::Progress(progress) = &event {
            reached = *progress;
        }
        on_event(event);
    };
    let on_event: &mut (dyn FnMut(LoadEvent) + Send) = &mut on_event;
    let mut outcome = run(
        context, input, options, creating, begun, is_listed, on_event,
    )
    .await;
    if let Some(aside) = aside {
        // After a failure too: nobody may go on with this load, and what was stored is searched.
        let built = aside::build(aside, on_event).await;
        outcome = outcome.and_then(|progress| {
            built?;
            Ok(progress)
        });
    }
    let status = match outcome {
        Ok(_) => "COMMITTED",
        Err(_) => "ERROR",
    };
    let closed = replace_snapshot(context, job_id.into(), snapshot(job_id, status)).await;
    let stage = match outcome {
        Ok(_) => Stage::Complete,
        Err(_) => Stage::Failed,
    };
    let written = writer.write_job(&reached, stage).await;
    let progress = outcome?;
    closed.map_err(of_snapshot)?;
    written?;
    store::finish(&context.store.database, context.tenant, job_id).await?;
    Ok(Loaded::Complete(progress))
}

/// Writes the job of a load.
struct JobWriter<'a> {
    context: &'a Context<'a>,
    file_name: &'a str,
    started_at: Timestamp,
}

impl JobWriter<'_> {
    /// Returns false when there is no list of imports.
    async fn write_job(&self, progress: &Progress, stage: Stage) -> Result<bool, LoadError> {
        let user = self.context.stamp.user_id.map(UserId::from);
        let name = self.file_name;
        let now = Timestamp::now();
        let document = job_execution(progress, name, user, self.started_at, now, stage);
        let (database, tenant) = (&self.context.store.database, self.context.tenant);
        Ok(store::write_job(database, tenant, progress.job_id, &document).await?)
    }
}

/// Whether there is something to load.
enum Beginning {
    Here(Begun),
    Before(Loaded),
}

/// A load locked by this process.
struct Begun {
    progress: Progress,
    started_at: Timestamp,
    /// The problems before it was interrupted.
    earlier: HashMap<u64, String>,
}

/// An advisory lock on the load, held for the lifetime of the connection.
struct Lock {
    connection: Connection,
    key: String,
}

impl Lock {
    async fn take(context: &Context<'_>, fingerprint: &str) -> Result<Lock, LoadError> {
        let key = format!("{} load {fingerprint}", context.tenant.id());
        let connection = context.store.database.connection().await?;
        if !store::lock(&connection, &key).await? {
            return Err(LoadError::Elsewhere);
        }
        Ok(Lock { connection, key })
    }

    /// Releases it. If that fails it ends with the connection.
    async fn release(self) {
        let _ = store::unlock(&self.connection, &self.key).await;
    }
}

async fn begin(context: &Context<'_>, options: &LoadOptions) -> Result<Beginning, LoadError> {
    let (database, tenant) = (&context.store.database, context.tenant);
    if let Some(fingerprint) = &options.fingerprint {
        match store::latest(database, tenant, fingerprint).await? {
            Some(known) if known.finished_at.is_none() => {
                let job_id = known.progress.job_id;
                let begun = snapshot(job_id, "PARSING_IN_PROGRESS");
                replace_snapshot(context, job_id.into(), begun)
                    .await
                    .map_err(of_snapshot)?;
                return Ok(Beginning::Here(Begun {
                    progress: known.progress,
                    started_at: known.started_at,
                    earlier: store::problems(database, tenant, job_id).await?,
                }));
            }
            Some(known) if !options.again => {
                return Ok(Beginning::Before(Loaded::Before {
                    progress: known.progress,
                    finished_at: known.finished_at.unwrap_or_default(),
                }));
            }
            _ => {}
        }
    }
    let job_id = JobExecutionId::from(Uuid::new_v4());
    create_snapshot(context, snapshot(job_id, "PARSING_IN_PROGRESS"))
        .await
        .map_err(of_snapshot)?;
    let unknown = format!("job {job_id}");
    let fingerprint = options.fingerprint.as_deref().unwrap_or(&unknown);
    store::begin(database, tenant, job_id, fingerprint, &options.file_name).await?;
    Ok(Beginning::Here(Begun {
        progress: Progress {
            job_id,
            ..Progress::default()
        },
        started_at: context.stamp.at,
        earlier: HashMap::new(),
    }))
}

async fn run<I>(
    context: &Context<'_>,
    input: I,
    options: &LoadOptions,
    creating: Creating,
    begun: Begun,
    is_listed: bool,
    on_event: &mut (dyn FnMut(LoadEvent) + Send),
) -> Result<Progress, LoadError>
where
    I: Iterator<Item = InputRecord> + Send + 'static,
{
    let reading = Reading {
        creating: creating.clone(),
        batch_records: options.batch_records.max(1),
        with_bytes: options.with_bytes,
        matching: options.matching.clone(),
        update: options.update && options.singly.is_some(),
        kind: options.kind,
        takes_singles: options.singly.is_some(),
        done: begun.progress.position,
        earlier: begun.earlier,
    };
    let (out, mut messages) = mpsc::channel(WAITING_MAX);
    let reader = tokio::task::spawn_blocking(move || reading.run(input, &out));
    // Items have barcodes, on whose unique index two transactions may deadlock; and matching must see
    // committed records.
    let alone = creating.holdings.is_some() || options.matching.is_some();
    let most = if alone { 1 } else { WRITING_MAX };
    let mut load = Load {
        context,
        creating: Arc::new(creating),
        singly: options.singly.clone(),
        progress: begun.progress,
        is_listed,
        writing: VecDeque::new(),
        before: None,
        by_itself: false,
        on_event,
    };
    while let Some(message) = messages.recv().await {
        match message {
            Message::Earlier(problem) => (load.on_event)(LoadEvent::EarlierProblem(problem)),
            Message::Batch(batch) => {
                // Holdings may belong to an instance of the previous batch, and take the same locks.
                let by_itself = !batch.singles.is_empty();
                let most = if by_itself || load.by_itself { 1 } else { most };
                while load.writing.len() >= most {
                    load.finish_one().await?;
                }
                load.by_itself = by_itself;
                load.write(batch).await?;
            }
            Message::Failed(error) => {
                load.finish_all().await?;
                return Err(error);
            }
        }
    }
    load.finish_all().await?;
    reader
        .await
        .map_err(|error| LoadError::Task(error.to_string()))?;
    Ok(load.progress)
}

/// A running load.
struct Load<'a> {
    context: &'a Context<'a>,
    creating: Arc<Creating>,
    singly: Option<Arc<dyn Singly>>,
    progress: Progress,
    /// Whether it is in the list of imports.
    is_listed: bool,
    /// The batches being stored, in order.
    writing: VecDeque<JoinHandle<Result<Stored, LoadError>>>,
    /// Signals when the last of them is stored.
    before: Option<oneshot::Receiver<()>>,
    /// Whether the last of them must run alone.
    by_itself: bool,
    on_event: &'a mut (dyn FnMut(LoadEvent) + Send),
}

impl Load<'_> {
    /// Starts storing a batch. Its HRIDs are reserved here, batch by batch, so that they ascend with the
    /// input.
    async fn write(&mut self, batch: Batch) -> Result<(), LoadError> {
        let database = &self.context.store.database;
        // With matching the number of new records is known only later; then only one batch runs at a
        // time.
        let count = if batch.keys.is_empty() {
            batch.drafts.len()
        } else {
            0
        };
        let hrids = octavo_cataloging::bulk::reserve_hrids(self.context, database, count).await?;
        let (stored, after) = oneshot::channel();
        let writing = Writing {
            store: self.context.store.clone(),
            tenant: self.context.tenant.clone(),
            user_id: self.context.stamp.user_id.map(UserId::from),
            creating: Arc::clone(&self.creating),
            singly: self.singly.clone(),
            job_id: self.progress.job_id,
            is_listed: self.is_listed,
            hrids,
            before: self.before.replace(after),
            stored,
        };
        self.writing.push_back(tokio::spawn(writing.run(batch)));
        Ok(())
    }

    async fn finish_one(&mut self) -> Result<(), LoadError> {
        let Some(writing) = self.writing.pop_front() else {
            return Ok(());
        };
        let stored = writing
            .await
            .map_err(|error| LoadError::Task(error.to_string()))??;
        for problem in stored.problems {
            (self.on_event)(LoadEvent::Problem(problem));
        }
        let (so_far, batch) = (&mut self.progress, stored.progress);
        so_far.position = batch.position;
        so_far.bytes = batch.bytes;
        so_far.created += batch.created;
        so_far.updated += batch.updated;
        so_far.matched += batch.matched;
        so_far.holdings += batch.holdings;
        so_far.items += batch.items;
        so_far.problems += batch.problems;
        (self.on_event)(LoadEvent::Progress(self.progress));
        Ok(())
    }

    async fn finish_all(&mut self) -> Result<(), LoadError> {
        while !self.writing.is_empty() {
            self.finish_one().await?;
        }
        Ok(())
    }
}

fn snapshot(id: JobExecutionId, status: &str) -> serde_json::Value {
    json!({"jobExecutionId": id, "status": status})
}

fn of_snapshot(refusal: Refusal) -> LoadError {
    match refusal {
        Refusal::Store(error) => LoadError::Store(error),
        other => LoadError::Task(other.to_string()),
    }
}
