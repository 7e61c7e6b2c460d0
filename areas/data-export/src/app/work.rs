//! The worker of export jobs, portion by portion. A portion's bytes and the job's progress are stored in
//! one transaction, so any process can continue, and a file has no duplicates.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Contention, Stamp, Store, StoreError, Tenant, instant};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::export::{Deleted, ExportOptions, Exporter, PORTION};
use super::gather::gather;
use super::jobs::{log, log_entry};
use super::new_job::{Request, What, Which, object};
use super::{Context, Failure, Reason};
use crate::collections::EXECUTIONS;
use crate::marc::{Form, Format, Unwritable};
use crate::rules::Profile;
use crate::store::jobs::Run;
use crate::store::records::ExportedKind;
use crate::store::{files, jobs};

/// Maximal number of ids in a log entry; more are only counted.
pub(super) const NAMED_MAX: usize = 10_000;
/// Entries about single records in the log of one job.
pub(super) const ENTRIES_MAX: u64 = 10_000;
/// A portion that takes longer is stored as far as it is.
const PORTION_TIME: Duration = Duration::from_secs(5);
/// Exporters that a worker caches between portions; each has the tenant's reference lists.
const EXPORTERS_MAX: usize = 16;

/// Portions that one process runs at a time, over all tenants. Each holds one of the pool's sixteen
/// connections, and desks need the others. The semaphore is fair, so tenants take turns however many
/// jobs one of them has.
static PLACES: Semaphore = Semaphore::const_new(4);

/// The state of a job.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct State {
    pub exported: u64,
    pub failed: u64,
    pub total: i64,
    pub entries: u64,
    pub missing: Vec<Uuid>,
    pub invalid: Vec<String>,
    pub unreadable: bool,
}

/// Runs the tenant's jobs until there are none, or until other workers run all of them; returns the
/// number of portions.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    work_at_most(store, tenant, usize::MAX).await
}

/// The same for a limited number of portions.
///
/// # Errors
/// As [`work`].
pub async fn work_at_most(
    store: &Store,
    tenant: &Tenant,
    most: usize,
) -> Result<usize, StoreError> {
    let (mut portions, mut exporters) = (0, HashMap::new());
    while portions < most && portion(store, tenant, &mut exporters).await? {
        portions += 1;
    }
    Ok(portions)
}

async fn portion(
    store: &Store,
    tenant: &Tenant,
    exporters: &mut HashMap<Uuid, Exporter>,
) -> Result<bool, StoreError> {
    let place = PLACES.acquire().await;
    let _place = place.map_err(|error| StoreError::fault(error))?;
    let Some(job) = jobs::take_turn(&store.database, tenant).await? else {
        return Ok(false);
    };
    let transaction = store.database.transaction().await?;
    let Some(run) = jobs::hold(&transaction, tenant, job).await? else {
        // It was cancelled, or another worker was faster.
        return Ok(true);
    };
    let context = Context {
        store,
        tenant,
        stamp: Stamp::now(None),
    };
    match go_on(&context, &transaction, &run, exporters).await {
        Ok(()) => transaction.commit().await?,
        Err(error) if is_passing(&error) => return Err(error),
        Err(error) => {
            // In a transaction of its own: what the failed portion wrote must not be committed with its
            // error.
            transaction.rollback().await?;
            exporters.remove(&run.job);
            give_up(&context, &run, &error).await?;
        }
    }
    Ok(true)
}

/// Whether the error is transient: the timer retries.
fn is_passing(error: &StoreError) -> bool {
    let busy = matches!(error, StoreError::Unavailable(..) | StoreError::Busy(_));
    busy || error.is_contention()
}

async fn go_on(
    context: &Context<'_>,
    transaction: &Transaction,
    run: &Run,
    exporters: &mut HashMap<Uuid, Exporter>,
) -> Result<(), StoreError> {
    let broken = |error: serde_json::Error| StoreError::fault(error);
    let request: Request = serde_json::from_value(run.request.clone()).map_err(broken)?;
    let mut state: State = serde_json::from_value(run.state.clone()).map_err(broken)?;
    let (tenant, job) = (context.tenant, run.job);
    if run.reached < 0 {
        jobs::take_time(transaction).await?;
        gather(context, transaction, job, &request, &mut state).await?;
        write_progress(context, transaction, job, &request, &state, None).await?;
        let kept = serde_json::to_value(&state).map_err(broken)?;
        return jobs::keep(transaction, tenant, job, &kept, 0).await;
    }
    let exporter = match exporters.get(&job) {
        Some(exporter) => exporter.clone(),
        None => {
            let opened = Exporter::open(&context.store.database, tenant, wanted(&request)).await?;
            if exporters.len() >= EXPORTERS_MAX {
                exporters.clear();
            }
            exporters.insert(job, opened.clone());
            opened
        }
    };
    let mut making = exporter.listed(job, run.reached, PORTION).await?;
    let mut reached = run.reached;
    // Measured after reading, so that some records are converted however long reading took.
    let started = Instant::now();
    while started.elapsed() < PORTION_TIME
        && let Some(made) = making.next().await?
    {
        files::append(transaction, tenant, request.file, &made.bytes).await?;
        state.exported += made.exported;
        state.failed += made.failures.len() as u64;
        reached = made.reached;
        for failure in &made.failures {
            failed(
                context,
                transaction,
                job,
                &request,
                &exporter,
                failure,
                &mut state,
            )
            .await?;
        }
    }
    if !making.is_end() {
        write_progress(context, transaction, job, &request, &state, None).await?;
        let kept = serde_json::to_value(&state).map_err(broken)?;
        return jobs::keep(transaction, tenant, job, &kept, reached).await;
    }
    exporters.remove(&job);
    finish(context, transaction, job, &request, &state).await
}

/// Logs an omitted record, with FOLIO's code.
async fn failed(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    request: &Request,
    exporter: &Exporter,
    failure: &Failure,
    state: &mut State,
) -> Result<(), StoreError> {
    let id = failure.id;
    if failure.reason == Reason::Missing {
        if state.missing.len() < NAMED_MAX {
            state.missing.push(id);
        }
        return Ok(());
    }
    state.entries += 1;
    if state.entries > ENTRIES_MAX {
        return Ok(());
    }
    let (code, value) = match &failure.reason {
        Reason::Unwritable(Unwritable::TooLong {
            record_bytes,
            reason,
        }) => (
            "error.recordIsTooLong",
            match record_bytes {
                Some(bytes) => format!(
                    "Record is too long to be a valid MARC binary record, it's length would be \
                     {bytes} which is more than 99999 bytes"
                ),
                None => reason.clone(),
            },
        ),
        Reason::Deleted => (
            "error.setToDeletion",
            format!(
                "Authority record {id} is set for deletion and cannot be exported using this profile"
            ),
        ),
        Reason::NotDeleted => (
            "error.onlyForSetToDeletion",
            "This profile can only be used to export authority records set for deletion".to_owned(),
        ),
        Reason::Missing
        | Reason::Broken(_)
        | Reason::Overfull { .. }
        | Reason::Unwritable(Unwritable::Other(_)) => (
            "error.convertJsonToMarc",
            format!(
                "Error converting json to marc for record {id}: {}",
                failure.reason
            ),
        ),
    };
    let (hrid, title) = match request.what {
        What::Authority => (None, None),
        what => exporter
            .reader()
            .hrid_and_title(kind(what), id)
            .await?
            .unwrap_or_default(),
    };
    let record_type = match request.what {
        What::Instance => "INSTANCE",
        What::Holdings => "HOLDINGS",
        What::Authority => "AUTHORITY",
    };
    let entry = json!({"jobExecutionId": job, "createdDate": instant::format(context.stamp.at),
        "logLevel": "ERROR", "errorMessageCode": code, "errorMessageValues": [value],
        "affectedRecord": {"id": id, "hrid": hrid, "title": title, "recordType": record_type,
            "inventoryRecordLink": format!("/inventory/view/{id}")}});
    log_entry(context, transaction, entry).await
}

async fn finish(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    request: &Request,
    state: &State,
) -> Result<(), StoreError> {
    let say =
        |code: &'static str, values: Vec<String>| log(context, transaction, job, code, values);
    if state.unreadable {
        say("error.readingFromInputFile", Vec::new()).await?;
    }
    if !state.invalid.is_empty() {
        say("error.invalidUuidFormat", vec![state.invalid.join(",")]).await?;
    }
    if !state.missing.is_empty() {
        let ids: Vec<String> = state.missing.iter().map(Uuid::to_string).collect();
        say("error.uuidsNotFound", vec![ids.join(", ")]).await?;
    }
    if state.failed > 0 {
        say("error.someRecordsFailed", vec![state.failed.to_string()]).await?;
    }
    let status = match (state.exported, state.failed + state.entries) {
        (0, _) => "FAIL",
        (_, 0) => "COMPLETED",
        _ => "COMPLETED_WITH_ERRORS",
    };
    if status == "FAIL" {
        let sentence = "Nothing to export: no .mrc file generated".to_owned();
        say("error.binaryFile.notGenerated", vec![sentence]).await?;
        files::delete_of(transaction, context.tenant, &[job]).await?;
    } else {
        files::finish(transaction, context.tenant, request.file).await?;
    }
    write_progress(context, transaction, job, request, state, Some(status)).await?;
    jobs::end(transaction, context.tenant, job).await
}

/// Writes progress, and at the end the outcome, into the job's document.
async fn write_progress(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    request: &Request,
    state: &State,
    status: Option<&str>,
) -> Result<(), StoreError> {
    let executions = context.collection(EXECUTIONS);
    let Some(document) = fetch_locked(transaction, context.tenant, executions, job).await? else {
        return Ok(());
    };
    let mut document = object(document);
    let now = json!(instant::format(context.stamp.at));
    let total = match (status, &request.which) {
        (Some(_), Which::All { .. }) => (state.exported + state.failed) as i64,
        _ => state.total,
    };
    let read = matches!(request.which, Which::Uploaded)
        .then_some(state.total)
        .unwrap_or(0);
    let progress = json!({"exported": state.exported, "failed": state.failed, "duplicatedSrs": 0,
        "total": total, "readIds": read});
    document.insert("progress".to_owned(), progress);
    document.insert("lastUpdatedDate".to_owned(), now.clone());
    if let Some(status) = status {
        document.insert("status".to_owned(), json!(status));
        document.insert("completedDate".to_owned(), now);
    }
    replace(
        transaction,
        context.tenant,
        executions,
        job,
        &document,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Fails a job that cannot continue.
async fn give_up(context: &Context<'_>, run: &Run, error: &StoreError) -> Result<(), StoreError> {
    tracing::warn!(tenant = context.tenant.id(), job = %run.job, %error, "an export was given up");
    let transaction = context.store.database.transaction().await?;
    let executions = context.collection(EXECUTIONS);
    let job = fetch_locked(&transaction, context.tenant, executions, run.job).await?;
    if let Some(job) = job {
        let mut job = object(job);
        let now = json!(instant::format(context.stamp.at));
        job.insert("status".to_owned(), json!("FAIL"));
        job.insert("completedDate".to_owned(), now.clone());
        job.insert("lastUpdatedDate".to_owned(), now);
        replace(
            &transaction,
            context.tenant,
            executions,
            run.job,
            &job,
            &context.stamp,
        )
        .await?;
        let sentence = Value::String(error.to_string()).to_string();
        log(
            context,
            &transaction,
            run.job,
            "error.messagePlaceholder",
            vec![sentence],
        )
        .await?;
    }
    files::delete_of(&transaction, context.tenant, &[run.job]).await?;
    jobs::end(&transaction, context.tenant, run.job).await?;
    transaction.commit().await?;
    Ok(())
}

pub(super) fn kind(what: What) -> ExportedKind {
    match what {
        What::Instance => ExportedKind::Instance,
        What::Holdings => ExportedKind::Holdings,
        What::Authority => ExportedKind::Authority,
    }
}

/// The export options of a job's request.
fn wanted(request: &Request) -> ExportOptions {
    ExportOptions {
        kind: kind(request.what),
        form: Form::Catalogue,
        format: Format::Iso2709,
        profile: Profile::of(&request.profile),
        deleted: match (request.what, request.only_deleted) {
            (What::Authority, true) => Deleted::Only,
            (What::Authority, false) => Deleted::None,
            _ => Deleted::Either,
        },
    }
}
