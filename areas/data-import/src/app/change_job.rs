//! Changes a job: the document, its state, or its profile.

use octavo_library::{JobExecutionId, ProfileId};
use octavo_postgres::Transaction;
use octavo_records::{StoreError, instant};
use serde_json::{Map, Value, json};

use super::finish::follow_parts;
use super::profile::keep_tree;
use super::snapshot::set_snapshot;
use super::{Context, Refusal};
use crate::rules::status;
use crate::store::jobs::{self, Job};
use crate::store::runs;

/// Replaces a job; returns its document.
pub(crate) async fn replace(
    context: &Context<'_>,
    id: JobExecutionId,
    mut document: Map<String, Value>,
) -> Result<Value, Refusal> {
    let transaction = context.store.database.transaction().await?;
    let tenant = context.tenant;
    let to = text(&document, "status");
    if status::is_over(&to) {
        runs::end(&transaction, tenant, id).await?;
    }
    let mut job = held(&transaction, context, id).await?;
    let from = job.text("status").to_owned();
    if (from == "PARENT") != (to == "PARENT") {
        return Err(Refusal::BetweenParents { id, from, to });
    }
    job.profile = document
        .shift_remove("jobProfileSnapshotWrapper")
        .or(job.profile);
    document.insert("id".to_owned(), json!(id));
    // The HRID is taken from the sequence: the client's is ignored.
    for name in ["hrId", "parentJobId", "subordinationType"] {
        if let Some(kept) = job.document.get(name) {
            document.insert(name.to_owned(), kept.clone());
        }
    }
    job.document = document;
    jobs::write(&transaction, tenant, &job).await?;
    if job.text("subordinationType") != "PARENT_MULTIPLE" {
        set_snapshot(context, &transaction, id, &to).await?;
    }
    follow_parts(context, &transaction, &job).await?;
    transaction.commit().await?;
    Ok(whole(&job))
}

/// Sets a job's state; returns its document.
pub(crate) async fn set_status(
    context: &Context<'_>,
    id: JobExecutionId,
    to: &str,
    error: Option<&str>,
) -> Result<Value, Refusal> {
    let transaction = context.store.database.transaction().await?;
    if status::is_over(to) {
        // Waits for the worker of the job. Lock order: run before job, as in the worker.
        runs::end(&transaction, context.tenant, id).await?;
    }
    let job = set_status_within(context, &transaction, id, to, error).await?;
    transaction.commit().await?;
    Ok(whole(&job))
}

/// The same inside a transaction; the caller has locked the job's run.
pub(crate) async fn set_status_within(
    context: &Context<'_>,
    transaction: &Transaction,
    id: JobExecutionId,
    to: &str,
    error: Option<&str>,
) -> Result<Job, Refusal> {
    if to == "PARENT" {
        return Err(Refusal::ToParent);
    }
    let mut job = held(transaction, context, id).await?;
    if job.text("status") == "PARENT" {
        return Err(Refusal::IsParent(id));
    }
    put_status(&mut job, to, error, context);
    jobs::write(transaction, context.tenant, &job).await?;
    set_snapshot(context, transaction, id, to).await?;
    follow_parts(context, transaction, &job).await?;
    Ok(job)
}

/// Sets the state in a job's document.
pub(crate) fn put_status(job: &mut Job, to: &str, error: Option<&str>, context: &Context<'_>) {
    let document = &mut job.document;
    document.insert("status".to_owned(), json!(to));
    document.insert("uiStatus".to_owned(), json!(status::ui(to)));
    if to == "ERROR" {
        let error = error.unwrap_or("FILE_PROCESSING_ERROR");
        document.insert("errorStatus".to_owned(), json!(error));
        if error == "FILE_PROCESSING_ERROR"
            && let Some(Value::Object(progress)) = document.get_mut("progress")
        {
            progress.insert("total".to_owned(), json!(0));
        }
    }
    if matches!(to, "ERROR" | "CANCELLED") {
        let now = json!(instant::format(context.stamp.at));
        document.insert("completedDate".to_owned(), now);
    }
}

/// Sets a job's profile; returns its document. An unknown profile fails the job.
pub(crate) async fn set_profile(
    context: &Context<'_>,
    id: JobExecutionId,
    info: Map<String, Value>,
) -> Result<Value, Refusal> {
    let profile = info.get("id").and_then(Value::as_str);
    let profile = profile
        .and_then(ProfileId::parse)
        .ok_or_else(|| Refusal::Wrong("jobProfileInfo.id must be a UUID".to_owned()))?;
    match choose(context, id, profile, info).await {
        Err(refusal @ Refusal::NoTree(..)) => {
            let error = Some("PROFILE_SNAPSHOT_CREATING_ERROR");
            set_status(context, id, "ERROR", error).await?;
            Err(refusal)
        }
        other => other,
    }
}

async fn choose(
    context: &Context<'_>,
    id: JobExecutionId,
    profile: ProfileId,
    info: Map<String, Value>,
) -> Result<Value, Refusal> {
    let transaction = context.store.database.transaction().await?;
    let job = set_profile_within(context, &transaction, id, profile, info).await?;
    transaction.commit().await?;
    Ok(whole(&job))
}

/// The same inside a transaction.
pub(crate) async fn set_profile_within(
    context: &Context<'_>,
    transaction: &Transaction,
    id: JobExecutionId,
    profile: ProfileId,
    mut info: Map<String, Value>,
) -> Result<Job, Refusal> {
    let tree = keep_tree(context, transaction, profile).await?;
    let tree = tree.ok_or(Refusal::NoProfile(profile))?;
    let mut job = held(transaction, context, id).await?;
    if job.profile.is_some() {
        return Err(Refusal::HasProfile(profile));
    }
    let content = &tree.0["content"];
    info.insert("name".to_owned(), content["name"].clone());
    for (name, default) in [("dataType", json!("MARC")), ("hidden", json!(false))] {
        let known = content.get(name).filter(|value| !value.is_null());
        info.entry(name)
            .or_insert_with(|| known.cloned().unwrap_or(default));
    }
    job.document
        .insert("jobProfileInfo".to_owned(), Value::Object(info));
    job.profile = Some(tree.0);
    jobs::write(transaction, context.tenant, &job).await?;
    Ok(job)
}

pub(crate) async fn held(
    transaction: &Transaction,
    context: &Context<'_>,
    id: JobExecutionId,
) -> Result<Job, Refusal> {
    let job = jobs::hold(transaction, context.tenant, id).await?;
    job.ok_or(Refusal::NoJob(id))
}

/// A job with its profile, the view of a single job.
pub(crate) fn whole(job: &Job) -> Value {
    let mut document = job.document.clone();
    if let Some(profile) = &job.profile {
        document.insert("jobProfileSnapshotWrapper".to_owned(), profile.clone());
    }
    Value::Object(document)
}

fn text(document: &Map<String, Value>, name: &str) -> String {
    document
        .get(name)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// The view of a single job.
pub(crate) async fn read(context: &Context<'_>, id: JobExecutionId) -> Result<Value, Refusal> {
    let database = &context.store.database;
    let job: Result<Option<Job>, StoreError> = jobs::find(database, context.tenant, id).await;
    let job = job?.ok_or(Refusal::NoJob(id))?;
    Ok(whole(&job))
}
