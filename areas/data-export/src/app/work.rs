//! Portions of exports, for the worker of `octavo_jobs`. The exported bytes and the job's progress
//! are stored in one transaction, so that a file contains no record twice.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use octavo_jobs::{GivenUp, Job, Outcome, Progress, Queue, Work};
use octavo_library::ExportJobId;
use octavo_postgres::Transaction;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{StoreError, instant};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::export::{Deleted, ExportOptions, Exporter, PORTION};
use super::gather::gather;
use super::jobs::{log, log_entry};
use super::new_job::{Request, What, Which, object};
use super::{Context, Failure, Reason};
use crate::collections::EXECUTIONS;
use crate::marc::{Form, Format, Unwritable};
use crate::rules::Profile;
use crate::store::jobs::QUEUE;
use crate::store::records::ExportedKind;
use crate::store::{files, jobs};

/// Maximal number of ids in a log entry; more are only counted.
pub(super) const NAMED_MAX: usize = 10_000;
/// Entries about single records in the log of one job.
pub(super) const ENTRIES_MAX: u64 = 10_000;
/// A portion that takes longer is stored as far as it is.
const PORTION_TIME: Duration = Duration::from_secs(5);
/// Exporters that a worker keeps between portions.
const EXPORTERS_MAX: usize = 16;

/// The results of a job so far.
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

/// The progress of a job: its request, its results so far, and the position of the last exported record,
/// -1 before the records are gathered.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ExportState {
    pub request: Request,
    pub state: State,
    pub reached: i64,
}

/// The worker of exports. It keeps the exporters of running jobs between portions, with their reference
/// lists.
#[derive(Debug, Default)]
pub struct Exports {
    exporters: Mutex<HashMap<ExportJobId, Exporter>>,
}

impl Exports {
    async fn go_on(
        &self,
        context: &Context<'_>,
        transaction: &Transaction,
        job: &Job,
    ) -> Result<Progress, StoreError> {
        let mut export: ExportState = job.state()?;
        let (tenant, id) = (context.tenant, ExportJobId::from(job.id));
        let ExportState {
            request,
            state,
            reached,
        } = &mut export;
        if *reached < 0 {
            jobs::take_time(transaction).await?;
            gather(context, transaction, id, request, state).await?;
            write_progress(context, transaction, id, request, state, None).await?;
            *reached = 0;
            return Ok(Progress::More(serde_json::to_value(&export)?));
        }
        let exporter = self.exporter(context, id, request).await?;
        let most = job.at_most(PORTION);
        let mut making = exporter.listed(id, *reached, most).await?;
        // From here on, so that however long the reading took, some records are made.
        let started = Instant::now();
        while started.elapsed() < PORTION_TIME
            && let Some(made) = making.next().await?
        {
            files::append(transaction, tenant, request.file, &made.bytes).await?;
            state.exported += made.exported;
            state.failed += made.failures.len() as u64;
            *reached = made.reached;
            for failure in &made.failures {
                failed(context, transaction, id, request, &exporter, failure, state).await?;
            }
        }
        if !making.is_end() {
            write_progress(context, transaction, id, request, state, None).await?;
            return Ok(Progress::More(serde_json::to_value(&export)?));
        }
        self.kept().remove(&id);
        finish(context, transaction, id, request, state).await?;
        Ok(Progress::Done)
    }

    async fn exporter(
        &self,
        context: &Context<'_>,
        job: ExportJobId,
        request: &Request,
    ) -> Result<Exporter, StoreError> {
        if let Some(exporter) = self.kept().get(&job) {
            return Ok(exporter.clone());
        }
        let database = &context.store.database;
        let opened = Exporter::open(database, context.tenant, wanted(request)).await?;
        let mut kept = self.kept();
        if kept.len() >= EXPORTERS_MAX {
            kept.clear();
        }
        kept.insert(job, opened.clone());
        Ok(opened)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<ExportJobId, Exporter>> {
        self.exporters
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work for Exports {
    fn queue(&self) -> &'static Queue {
        &QUEUE
    }

    fn portion<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
    ) -> Outcome<'a> {
        Box::pin(async move { self.go_on(&context, transaction, job).await })
    }

    fn give_up<'a>(
        &'a self,
        context: Context<'a>,
        transaction: &'a Transaction,
        job: &'a Job,
        reason: &'a GivenUp,
    ) -> Outcome<'a> {
        Box::pin(async move {
            let id = ExportJobId::from(job.id);
            self.kept().remove(&id);
            give_up(&context, transaction, id, reason).await?;
            Ok(Progress::Done)
        })
    }
}

/// Logs an omitted record, with FOLIO's code.
async fn failed(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
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
    job: ExportJobId,
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
    jobs::forget_list(transaction, context.tenant, job).await
}

/// Writes progress, and at the end the outcome, into the job's document.
async fn write_progress(
    context: &Context<'_>,
    transaction: &Transaction,
    job: ExportJobId,
    request: &Request,
    state: &State,
    status: Option<&str>,
) -> Result<(), StoreError> {
    let executions = context.collection(EXECUTIONS);
    let Some(document) = fetch_locked(transaction, context.tenant, executions, job.uuid()).await?
    else {
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
        job.uuid(),
        &document,
        &context.stamp,
    )
    .await?;
    Ok(())
}

/// Ends a job that cannot be continued.
async fn give_up(
    context: &Context<'_>,
    transaction: &Transaction,
    id: ExportJobId,
    reason: &GivenUp,
) -> Result<(), StoreError> {
    let (tenant, executions) = (context.tenant, context.collection(EXECUTIONS));
    if let Some(job) = fetch_locked(transaction, tenant, executions, id.uuid()).await? {
        let mut job = object(job);
        let now = json!(context.now());
        job.insert("status".to_owned(), json!("FAIL"));
        job.insert("completedDate".to_owned(), now.clone());
        job.insert("lastUpdatedDate".to_owned(), now);
        replace(
            transaction,
            tenant,
            executions,
            id.uuid(),
            &job,
            &context.stamp,
        )
        .await?;
        let code = "error.messagePlaceholder";
        let sentence = Value::String(reason.to_string()).to_string();
        log(context, transaction, id, code, vec![sentence]).await?;
    }
    files::delete_of(transaction, tenant, &[id]).await?;
    jobs::forget_list(transaction, tenant, id).await
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
