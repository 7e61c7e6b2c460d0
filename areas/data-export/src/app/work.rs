//! Doing jobs, portion by portion. What a portion gave and how far the job is are kept in one
//! transaction: whichever process comes next goes on from there, and a file has nothing twice.

use std::collections::HashMap;

use octavo_postgres::Transaction;
use octavo_records::plan::Predicate;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Contention, Stamp, Store, StoreError, Tenant, instant};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::export::{Deleted, Exporter, PORTION, Wanted};
use super::jobs::{log, log_entry};
use super::new_job::{Request, What, Which, object};
use super::{Context, Failure, Reason};
use crate::collections::EXECUTIONS;
use crate::marc::{Form, Format, Unwritable};
use crate::rules::Profile;
use crate::store::jobs::Run;
use crate::store::records::Kind;
use crate::store::{files, jobs};

/// Ids that the log names in one entry; more are counted only.
const NAMED_MAX: usize = 10_000;
/// Entries about single records in the log of one job.
const ENTRIES_MAX: u64 = 10_000;

/// What has become of a job so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct State {
    exported: u64,
    failed: u64,
    total: i64,
    entries: u64,
    missing: Vec<Uuid>,
    invalid: Vec<String>,
    unreadable: bool,
}

/// Does the tenant's jobs in the background, unless others are at them.
pub fn begin(store: &Store, tenant: &Tenant) {
    let (store, tenant) = (store.clone(), tenant.clone());
    tokio::spawn(async move {
        if let Err(error) = work(&store, &tenant).await {
            // The timer goes on with them.
            tracing::warn!(tenant = tenant.id(), %error, "exports were interrupted");
        }
    });
}

/// Does the tenant's jobs until there are none, or until others are at all of them; gives how many
/// portions it did.
///
/// # Errors
/// When the database does not answer; what was done before is kept.
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    work_at_most(store, tenant, usize::MAX).await
}

/// The same for so many portions at most.
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
    let transaction = store.database.transaction().await?;
    let Some(run) = jobs::hold_next(&transaction, tenant).await? else {
        return Ok(false);
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
            transaction.rollback().await?;
            exporters.remove(&run.job);
            give_up(&context, &run, &error).await?;
        }
    }
    Ok(true)
}

/// Whether it is no fault of the job: the timer tries again.
fn is_passing(error: &StoreError) -> bool {
    let busy = matches!(error, StoreError::Unavailable | StoreError::Busy(_));
    busy || error.is_contention()
}

async fn go_on(
    context: &Context<'_>,
    transaction: &Transaction,
    run: &Run,
    exporters: &mut HashMap<Uuid, Exporter>,
) -> Result<(), StoreError> {
    let broken = |error: serde_json::Error| StoreError::Database(error.to_string());
    let request: Request = serde_json::from_value(run.request.clone()).map_err(broken)?;
    let mut state: State = serde_json::from_value(run.state.clone()).map_err(broken)?;
    let (tenant, job) = (context.tenant, run.job);
    if run.reached < 0 {
        jobs::take_time(transaction).await?;
        gather(context, transaction, job, &request, &mut state).await?;
        tell(context, transaction, job, &request, &state, None).await?;
        let kept = serde_json::to_value(&state).map_err(broken)?;
        return jobs::keep(transaction, tenant, job, &kept, 0).await;
    }
    let exporter = match exporters.get(&job) {
        Some(exporter) => exporter.clone(),
        None => {
            let opened = Exporter::open(&context.store.database, tenant, wanted(&request)).await?;
            exporters.insert(job, opened.clone());
            opened
        }
    };
    let made = exporter.listed(job, run.reached, PORTION).await?;
    files::append(transaction, tenant, request.file, &made.bytes).await?;
    state.exported += made.exported;
    state.failed += made.failures.len() as u64;
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
    if made.read as i64 == PORTION {
        tell(context, transaction, job, &request, &state, None).await?;
        let kept = serde_json::to_value(&state).map_err(broken)?;
        return jobs::keep(transaction, tenant, job, &kept, made.reached).await;
    }
    exporters.remove(&job);
    finish(context, transaction, job, &request, &state).await
}

/// Lists the records that a job is about.
async fn gather(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    let tenant = context.tenant;
    state.total = match &request.which {
        Which::These(ids) => {
            listed(context, transaction, job, ids, state).await?;
            ids.len() as i64
        }
        Which::Uploaded => return uploaded(context, transaction, job, request, state).await,
        Which::Found(query) => found(context, transaction, job, request.what, query).await?,
        Which::Deleted { from, to } => {
            let (from, to) = (from.as_deref(), to.as_deref());
            jobs::gather_deleted(transaction, tenant, job, from, to).await?
        }
        Which::All { deleted, .. } if request.what == What::Authority => {
            let states: &[&str] = match (request.only_deleted, deleted) {
                (true, _) => &["DELETED"],
                (false, _) => &["ACTUAL"],
            };
            jobs::gather_authorities(transaction, tenant, job, states).await?
        }
        Which::All {
            deleted,
            suppressed,
        } => {
            let kind = kind(request.what);
            let collection = context.collection(kind.table());
            let mut predicate = Predicate::Everything;
            let deleted = *deleted || kind == Kind::Holdings;
            for (taken, mark) in [
                (deleted, "deleted==true"),
                (*suppressed, "discoverySuppress==true"),
            ] {
                if !taken {
                    let marked = context
                        .store
                        .plan(tenant, collection, Some(mark))?
                        .predicate;
                    predicate = Predicate::Except(Box::new(predicate), Box::new(marked));
                }
            }
            jobs::gather_found(transaction, tenant, job, kind, &predicate).await?
        }
    };
    Ok(())
}

async fn found(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    what: What,
    query: &str,
) -> Result<i64, StoreError> {
    let kind = kind(what);
    let Some(collection) = context.store.catalog.get(kind.table()) else {
        return Err(StoreError::Query(
            "there are no such records here".to_owned(),
        ));
    };
    let plan = context
        .store
        .plan(context.tenant, collection, Some(query))?;
    jobs::gather_found(transaction, context.tenant, job, kind, &plan.predicate).await
}

/// Lists ids; gives those that are named more than once, with how often.
async fn listed(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    ids: &[Uuid],
    state: &mut State,
) -> Result<(), StoreError> {
    let mut counts: HashMap<Uuid, u32> = HashMap::with_capacity(ids.len());
    let mut once = Vec::with_capacity(ids.len());
    for id in ids {
        let count = counts.entry(*id).or_default();
        *count += 1;
        if *count == 1 {
            once.push(*id);
        }
    }
    for (at, part) in once.chunks(50_000).enumerate() {
        let behind = (at * 50_000) as i64;
        jobs::gather_these(transaction, context.tenant, job, behind, part).await?;
    }
    let mut repeated: Vec<(&Uuid, &u32)> = counts.iter().filter(|(_, n)| **n > 1).collect();
    repeated.sort();
    for (id, count) in repeated {
        state.failed += u64::from(*count - 1);
        if state.entries < ENTRIES_MAX {
            state.entries += 1;
            let values = vec![id.to_string(), count.to_string()];
            log(context, transaction, job, "error.duplicatedIds", values).await?;
        }
    }
    Ok(())
}

async fn uploaded(
    context: &Context<'_>,
    transaction: &Transaction,
    job: Uuid,
    request: &Request,
    state: &mut State,
) -> Result<(), StoreError> {
    let bytes = files::upload(transaction, context.tenant, request.definition).await?;
    let text = bytes.map(String::from_utf8);
    let Some(Ok(text)) = text else {
        state.unreadable = true;
        return Ok(());
    };
    if request.is_cql {
        let query = text.trim().trim_start_matches('\u{feff}');
        match found(context, transaction, job, request.what, query).await {
            Ok(total) => state.total = total,
            Err(StoreError::Query(_)) => {
                let values = vec![request.named.clone()];
                log(context, transaction, job, "error.invalidCqlSyntax", values).await?;
                state.entries += 1;
            }
            Err(error) => return Err(error),
        }
        return Ok(());
    }
    let mut ids = Vec::new();
    for line in text.lines() {
        let told = line.replace('"', "");
        let told = told.trim_start_matches('\u{feff}').trim();
        match Uuid::try_parse(told) {
            Ok(id) if told.len() == 36 => ids.push(id),
            _ => {
                state.failed += 1;
                if state.invalid.len() < NAMED_MAX {
                    state.invalid.push(told.chars().take(100).collect());
                }
            }
        }
        state.total += 1;
    }
    state.unreadable = state.total == 0;
    listed(context, transaction, job, &ids, state).await
}

/// Logs a record that was left out, with FOLIO's code.
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
        Reason::Missing | Reason::Broken(_) | Reason::Unwritable(Unwritable::Other(_)) => (
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
            .told(kind(what), id)
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
        let sentence = "Nothing to export: no output file generated".to_owned();
        say("error.binaryFile.notGenerated", vec![sentence]).await?;
        files::delete_of(transaction, context.tenant, &[job]).await?;
    } else {
        files::finish(transaction, context.tenant, request.file).await?;
    }
    tell(context, transaction, job, request, state, Some(status)).await?;
    jobs::end(transaction, context.tenant, job).await
}

/// Writes progress, and at the end the outcome, into the job's document.
async fn tell(
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

/// Ends a job that cannot go on.
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

fn kind(what: What) -> Kind {
    match what {
        What::Instance => Kind::Instance,
        What::Holdings => Kind::Holdings,
        What::Authority => Kind::Authority,
    }
}

/// What a job's request asks of the exporter.
fn wanted(request: &Request) -> Wanted {
    Wanted {
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
