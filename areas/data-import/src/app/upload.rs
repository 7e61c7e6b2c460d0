//! Files: defined, uploaded in portions, and removed.

use bytes::{Bytes, BytesMut};
use octavo_library::{FileDefinitionId, JobExecutionId, StoredFileId, UploadDefinitionId, UserId};
use octavo_platform::{ApiError, Upload};
use octavo_postgres::Transaction;
use octavo_records::instant;
use octavo_records::store::{delete, fetch_locked, insert, replace};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::change_job::{put_status, set_status_within};
use super::initialize::{NewJobs, initialize_within};
use super::{Context, Refusal};
use crate::rules::status;
use crate::store::{existing, files, jobs, runs};

const TABLE: &str = "upload_definition";
pub(crate) const FILE_BYTES_MAX: u64 = 4 * 1024 * 1024 * 1024;
/// Size of a portion, which is one row.
const PORTION_BYTES: usize = 512 * 1024;

/// Defines files: each gets a job.
pub(crate) async fn define(
    context: &Context<'_>,
    user: UserId,
    mut document: Map<String, Value>,
) -> Result<Value, Refusal> {
    let id = UploadDefinitionId::from(Uuid::new_v4());
    let now = instant::format(context.stamp.at);
    let mut definitions = match document.shift_remove("fileDefinitions") {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    };
    let names: Vec<String> = definitions.iter().map(name).collect();
    let transaction = context.store.database.transaction().await?;
    refuse_blocked(context, &transaction, &names).await?;
    let wanted = NewJobs {
        files: names,
        source_type: "FILES".to_owned(),
        user,
        ..NewJobs::default()
    };
    let (parent, begun) = initialize_within(context, &transaction, wanted).await?;
    // The jobs are in the order of the files.
    for (definition, job) in definitions.iter_mut().zip(&begun) {
        complete(definition, id, &now);
        definition["jobExecutionId"] = job["id"].clone();
    }
    document.insert("id".to_owned(), json!(id));
    document.insert("metaJobExecutionId".to_owned(), json!(parent));
    document.insert("status".to_owned(), json!("NEW"));
    document.insert("createDate".to_owned(), json!(now));
    document.insert("fileDefinitions".to_owned(), Value::Array(definitions));
    let collection = context.collection(TABLE);
    let (_, stored) = insert(
        &transaction,
        context.tenant,
        collection,
        document,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(serde_json::from_slice(&stored).unwrap_or_default())
}

fn name(definition: &Value) -> String {
    definition["name"].as_str().unwrap_or_default().to_owned()
}

fn complete(definition: &mut Value, upload: UploadDefinitionId, now: &str) {
    definition["id"] = json!(Uuid::new_v4());
    definition["createDate"] = json!(now);
    definition["status"] = json!("NEW");
    definition["uploadDefinitionId"] = json!(upload);
    if let Value::Object(members) = definition {
        members.shift_remove("sourcePath");
    }
}

/// Refuses files with blocked extensions.
async fn refuse_blocked(
    context: &Context<'_>,
    transaction: &Transaction,
    names: &[String],
) -> Result<(), Refusal> {
    let mut blocked = Vec::new();
    for name in names {
        let Some(at) = name.rfind('.').filter(|at| *at > 0) else {
            continue;
        };
        let ending: String = name[at..]
            .chars()
            .filter(|one| !"\"\\*?^".contains(*one))
            .collect();
        let collection = context.collection("file_extension");
        let query = format!("extension==\"{ending}\"");
        let tenant = context.tenant;
        let plan = context.store.plan(tenant, collection, Some(&query))?;
        let found = existing::documents(transaction, tenant, collection, &plan).await?;
        if found.all.iter().any(|one| one["importBlocked"] == true) {
            blocked.push(name.clone());
        }
    }
    if blocked.is_empty() {
        return Ok(());
    }
    let code = "validation.uploadDefinition.fileExtension.blocked";
    Err(Refusal::FilesRefused(code, blocked))
}

/// Adds a file to a definition. It has no job of its own until files are processed.
pub(crate) async fn add_file(
    context: &Context<'_>,
    id: UploadDefinitionId,
    mut definition: Value,
) -> Result<Value, Refusal> {
    let transaction = context.store.database.transaction().await?;
    let mut document = held(context, &transaction, id).await?;
    complete(&mut definition, id, &instant::format(context.stamp.at));
    if let Some(Value::Array(list)) = document.get_mut("fileDefinitions") {
        list.push(definition);
    }
    write(context, transaction, id, document).await
}

pub(super) async fn held(
    context: &Context<'_>,
    transaction: &Transaction,
    id: UploadDefinitionId,
) -> Result<Map<String, Value>, Refusal> {
    let collection = context.collection(TABLE);
    match fetch_locked(transaction, context.tenant, collection, id.uuid()).await? {
        Some(Value::Object(mut document)) => {
            document
                .entry("fileDefinitions")
                .or_insert_with(|| json!([]));
            Ok(document)
        }
        _ => Err(Refusal::NoUpload(id)),
    }
}

async fn write(
    context: &Context<'_>,
    transaction: Transaction,
    id: UploadDefinitionId,
    document: Map<String, Value>,
) -> Result<Value, Refusal> {
    let collection = context.collection(TABLE);
    let (tenant, stamp) = (context.tenant, &context.stamp);
    let replaced = replace(
        &transaction,
        tenant,
        collection,
        id.uuid(),
        &document,
        stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(serde_json::from_slice(&replaced.new).unwrap_or_default())
}

/// A file of a definition.
pub(super) fn file(
    document: &mut Map<String, Value>,
    id: FileDefinitionId,
) -> Result<&mut Value, Refusal> {
    let list = document
        .get_mut("fileDefinitions")
        .and_then(Value::as_array_mut);
    let mut found = list
        .into_iter()
        .flatten()
        .filter(|one| one["id"] == json!(id));
    found.next().ok_or(Refusal::NoFile(id))
}

fn settle(document: &mut Map<String, Value>) {
    let list = document.get("fileDefinitions").and_then(Value::as_array);
    let all = |state: &str| list.is_some_and(|list| list.iter().all(|one| one["status"] == state));
    let status = match () {
        () if all("ERROR") => "ERROR",
        () if all("UPLOADED") => "LOADED",
        () => "IN_PROGRESS",
    };
    document.insert("status".to_owned(), json!(status));
}

/// Why an upload failed: a client error while reading, or a refusal.
#[derive(Debug)]
pub(crate) enum NotTaken {
    Refused(Refusal),
    Broken(ApiError),
}

impl<E: Into<Refusal>> From<E> for NotTaken {
    fn from(error: E) -> NotTaken {
        NotTaken::Refused(error.into())
    }
}

/// Receives a file. Its portions are written one by one under the attempt's own key; the definition gets
/// that key when the attempt begins, and is marked as uploaded when all portions are stored. Of several
/// attempts the one that began last wins; the others remove their portions. The portions of a dead
/// process are removed by a timer.
pub(crate) async fn take(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
    coming: Upload,
) -> Result<Value, NotTaken> {
    let key = StoredFileId::from(Uuid::new_v4());
    begin(context, upload, id, key).await?;
    let taken = match write_portions(context, key, &coming, FILE_BYTES_MAX, &mut |_| ()).await {
        Ok(portions) => finish(context, upload, id, key, portions.bytes).await,
        Err(reason) => Err(reason),
    };
    if taken.is_err() {
        give_up(context, upload, id, key).await?;
    }
    taken
}

/// Makes an attempt the current one.
async fn begin(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
    key: StoredFileId,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let mut document = held(context, &transaction, upload).await?;
    let definition = awaited(&mut document, id)?;
    // The previous attempt removes its own portions, or the timer does.
    definition["status"] = json!("UPLOADING");
    definition["sourcePath"] = json!(format!("{upload}/{id}/{key}"));
    write(context, transaction, upload, document).await?;
    Ok(())
}

/// A file of a definition that is not uploaded yet.
pub(super) fn awaited(
    document: &mut Map<String, Value>,
    id: FileDefinitionId,
) -> Result<&mut Value, Refusal> {
    let definition = file(document, id)?;
    if definition["status"] == "UPLOADED" {
        return Err(Refusal::UploadedAlready(id));
    }
    Ok(definition)
}

/// The written portions of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Portions {
    pub number: i32,
    pub bytes: i64,
}

/// Writes received data up to a limit; each piece is passed to `look`.
pub(super) async fn write_portions(
    context: &Context<'_>,
    key: StoredFileId,
    coming: &Upload,
    bytes_max: u64,
    look: &mut (dyn FnMut(&[u8]) + Send),
) -> Result<Portions, NotTaken> {
    let (database, tenant) = (&context.store.database, context.tenant);
    let (mut number, mut begins) = (0_i32, 0_i64);
    let mut waiting = BytesMut::with_capacity(PORTION_BYTES);
    loop {
        let piece: Option<Bytes> = coming.next().await.map_err(NotTaken::Broken)?;
        let is_last = piece.is_none();
        let piece = piece.unwrap_or_default();
        look(&piece);
        waiting.extend_from_slice(&piece);
        if begins.unsigned_abs() + waiting.len() as u64 > bytes_max {
            return Err(Refusal::LargeFile(FILE_BYTES_MAX).into());
        }
        while waiting.len() >= PORTION_BYTES || (is_last && !waiting.is_empty()) {
            let portion = waiting.split_to(waiting.len().min(PORTION_BYTES));
            files::add(database, tenant, key, number, begins, &portion).await?;
            number += 1;
            begins += portion.len() as i64;
        }
        if is_last {
            return Ok(Portions {
                number,
                bytes: begins,
            });
        }
    }
}

/// Completes an attempt in the definition, if it is still the current one.
async fn finish(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
    key: StoredFileId,
    bytes: i64,
) -> Result<Value, NotTaken> {
    let transaction = context.store.database.transaction().await?;
    let mut document = held(context, &transaction, upload).await?;
    let definition = file(&mut document, id)?;
    if !is_turn_of(definition, key) {
        return Err(Refusal::Overtaken(id).into());
    }
    mark_uploaded(definition, bytes, &instant::format(context.stamp.at));
    Ok(keep_uploaded(context, transaction, upload, id, document).await?)
}

/// Marks a file as uploaded.
pub(super) fn mark_uploaded(definition: &mut Value, bytes: i64, now: &str) {
    definition["status"] = json!("UPLOADED");
    definition["uploadedDate"] = json!(now);
    if definition["size"].is_null() {
        definition["size"] = json!(bytes / 1024);
    }
}

/// Updates the definition and the job of an uploaded file.
async fn follow_uploaded(
    context: &Context<'_>,
    transaction: &Transaction,
    id: FileDefinitionId,
    document: &mut Map<String, Value>,
) -> Result<(), Refusal> {
    let job = file(document, id)?["jobExecutionId"]
        .as_str()
        .and_then(JobExecutionId::parse);
    settle(document);
    if let Some(job) = job {
        set_status_within(context, transaction, job, "FILE_UPLOADED", None).await?;
    }
    Ok(())
}

/// Stores a definition with an uploaded file; returns it.
pub(super) async fn keep_uploaded(
    context: &Context<'_>,
    transaction: Transaction,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
    mut document: Map<String, Value>,
) -> Result<Value, Refusal> {
    follow_uploaded(context, &transaction, id, &mut document).await?;
    write(context, transaction, upload, document).await
}

/// Removes an attempt's portions. The file has failed, unless another attempt is current by now.
async fn give_up(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
    key: StoredFileId,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let document = match held(context, &transaction, upload).await {
        Err(Refusal::NoUpload(_)) => None,
        other => Some(other?),
    };
    if let Some(mut document) = document {
        match file(&mut document, id) {
            Ok(definition) if is_turn_of(definition, key) => {
                definition["status"] = json!("ERROR");
                settle(&mut document);
                write(context, transaction, upload, document).await?;
            }
            // The commit succeeded although its response was lost.
            Ok(definition) if key_of(definition) == Some(key) => return Ok(()),
            _ => {}
        }
    }
    Ok(files::remove(&context.store.database, context.tenant, &[key]).await?)
}

/// Whether an attempt is the current one and still running.
fn is_turn_of(definition: &Value, key: StoredFileId) -> bool {
    definition["status"] == "UPLOADING" && key_of(definition) == Some(key)
}

/// The key of a file's portions: the end of its path, or its own id for a multipart upload.
fn key_of(definition: &Value) -> Option<StoredFileId> {
    let end = |path: &Value| StoredFileId::parse(path.as_str()?.rsplit('/').next()?);
    end(&definition["sourcePath"]).or_else(|| end(&definition["id"]))
}

/// Marks waiting files of a definition as failed, if it was not changed since an instant. Their portions
/// are then unreferenced.
pub(crate) async fn forget(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    before: &str,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let mut document = match held(context, &transaction, upload).await {
        Err(Refusal::NoUpload(_)) => return Ok(()),
        other => other?,
    };
    // A client may have changed it concurrently.
    let changed = document.get("metadata").map(|it| &it["updatedDate"]);
    let changed = changed.and_then(Value::as_str);
    if document["status"] == "COMPLETED" || changed.is_some_and(|at| at >= before) {
        return Ok(());
    }
    let list = document.get_mut("fileDefinitions");
    for one in list.and_then(Value::as_array_mut).into_iter().flatten() {
        if one["status"] == "UPLOADED" || one["status"] == "UPLOADING" {
            one["status"] = json!("ERROR");
        }
    }
    settle(&mut document);
    write(context, transaction, upload, document).await?;
    Ok(())
}

/// Removes a file from its definition.
pub(crate) async fn remove_file(
    context: &Context<'_>,
    upload: UploadDefinitionId,
    id: FileDefinitionId,
) -> Result<(), Refusal> {
    let transaction = context.store.database.transaction().await?;
    let mut document = held(context, &transaction, upload).await?;
    let key = key_of(file(&mut document, id)?);
    refuse_used(context, &transaction, upload, &document).await?;
    if let Some(Value::Array(list)) = document.get_mut("fileDefinitions") {
        list.retain(|one| one["id"] != json!(id));
    }
    files::remove(&transaction, context.tenant, &Vec::from_iter(key)).await?;
    write(context, transaction, upload, document).await?;
    Ok(())
}

/// Removes a definition with its files; its jobs are discarded.
pub(crate) async fn remove(
    context: &Context<'_>,
    upload: UploadDefinitionId,
) -> Result<(), Refusal> {
    let tenant = context.tenant;
    let transaction = context.store.database.transaction().await?;
    let document = held(context, &transaction, upload).await?;
    let jobs_of = refuse_used(context, &transaction, upload, &document).await?;
    for id in jobs_of {
        runs::end(&transaction, tenant, id).await?;
        if let Some(mut job) = jobs::hold(&transaction, tenant, id).await?
            && job.text("status") != "PARENT"
        {
            put_status(&mut job, "DISCARDED", None, context);
            jobs::write(&transaction, tenant, &job).await?;
        }
    }
    let list = document["fileDefinitions"].as_array();
    let keys: Vec<StoredFileId> = list.into_iter().flatten().filter_map(key_of).collect();
    files::remove(&transaction, tenant, &keys).await?;
    delete(
        &transaction,
        tenant,
        context.collection(TABLE),
        upload.uuid(),
    )
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// The jobs of a definition; refuses if one has begun.
async fn refuse_used(
    context: &Context<'_>,
    transaction: &Transaction,
    upload: UploadDefinitionId,
    document: &Map<String, Value>,
) -> Result<Vec<JobExecutionId>, Refusal> {
    let list = document.get("fileDefinitions").and_then(Value::as_array);
    let ids: Vec<JobExecutionId> = list
        .into_iter()
        .flatten()
        .filter_map(|one| JobExecutionId::parse(one["jobExecutionId"].as_str()?))
        .collect();
    for id in &ids {
        if let Some(job) = jobs::find(transaction, context.tenant, *id).await? {
            let state = job.text("status");
            if !matches!(state, "NEW" | "FILE_UPLOADED" | "DISCARDED") && !status::is_over(state) {
                return Err(Refusal::UploadInUse(upload));
            }
            if matches!(state, "COMMITTED" | "ERROR" | "CANCELLED") {
                return Err(Refusal::UploadInUse(upload));
            }
        }
    }
    Ok(ids)
}

/// Replaces a definition; its files stay as they are.
pub(crate) async fn change(
    context: &Context<'_>,
    id: UploadDefinitionId,
    mut document: Map<String, Value>,
) -> Result<Value, Refusal> {
    let transaction = context.store.database.transaction().await?;
    let old = held(context, &transaction, id).await?;
    document.insert("id".to_owned(), json!(id));
    for name in ["fileDefinitions", "metaJobExecutionId", "createDate"] {
        if let Some(kept) = old.get(name) {
            document.insert(name.to_owned(), kept.clone());
        }
    }
    write(context, transaction, id, document).await
}

/// A definition's files with their jobs, and the definition marked as done.
pub(crate) async fn hand_over(
    context: &Context<'_>,
    transaction: &Transaction,
    id: UploadDefinitionId,
) -> Result<Vec<(StoredFileId, JobExecutionId, String)>, Refusal> {
    let mut document = held(context, transaction, id).await?;
    let list = document["fileDefinitions"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let mut all = Vec::new();
    for one in &list {
        let job_of = || JobExecutionId::parse(one["jobExecutionId"].as_str()?);
        if one["status"] != "UPLOADED" {
            return Err(Refusal::NotUploaded(name(one)));
        }
        if let (Some(file), Some(job)) = (key_of(one), job_of()) {
            all.push((file, job, name(one)));
        }
    }
    document.insert("status".to_owned(), json!("COMPLETED"));
    let collection = context.collection(TABLE);
    replace(
        transaction,
        context.tenant,
        collection,
        id.uuid(),
        &document,
        &context.stamp,
    )
    .await?;
    Ok(all)
}
