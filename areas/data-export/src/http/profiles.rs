//! `/data-export/job-profiles`, `/data-export/mapping-profiles` and the fields of the latter.

use axum::response::Response;
use http::StatusCode;
use octavo_library::ExportProfileId;
use octavo_platform::records_http::page;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::store::{delete, fetch_locked, insert, replace};
use octavo_records::{Search, StoreError, Totals, instant};
use serde_json::{Map, Value, json};

use super::{id_of, patterns};
use crate::app::profiles::{
    ExportProfileKind, Refusal, check_mapping, complete, deleting_default, editing_default,
};
use crate::collections::{JOB_PROFILES, MAPPING_PROFILES};
use crate::rules::transformation_fields;
use crate::store::{files, jobs, references, users};

const LOCK_JOB: &str = "data-export.job-profiles.item.lock.execute";
const LOCK_MAPPING: &str = "data-export.mapping-profiles.item.lock.execute";

fn table(kind: ExportProfileKind) -> &'static str {
    match kind {
        ExportProfileKind::Job => JOB_PROFILES,
        ExportProfileKind::Mapping => MAPPING_PROFILES,
    }
}

fn segment(kind: ExportProfileKind) -> &'static str {
    match kind {
        ExportProfileKind::Job => "jobProfileId",
        ExportProfileKind::Mapping => "mappingProfileId",
    }
}

fn refused(refusal: Refusal) -> ApiError {
    let text = |status, sentence: &str| ApiError::text(status, sentence);
    match refusal {
        Refusal::Default(sentence) | Refusal::MayNotLock(sentence) => {
            text(StatusCode::FORBIDDEN, sentence)
        }
        Refusal::Locked => text(
            StatusCode::INTERNAL_SERVER_ERROR,
            "This profile is locked. Please unlock the profile to proceed with editing/deletion.",
        ),
        Refusal::Linked(ids) => text(
            StatusCode::INTERNAL_SERVER_ERROR,
            &format!(
                "Cannot delete mapping profile linked to job profiles: [{}].",
                ids.join(", ")
            ),
        ),
        Refusal::AtWork(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(i64::to_string).collect();
            text(
                StatusCode::CONFLICT,
                &format!(
                    "Exports by this profile are not finished: [{}]. Wait for them, or delete them.",
                    numbers.join(", ")
                ),
            )
        }
        Refusal::Sentence(sentence) => text(StatusCode::UNPROCESSABLE_ENTITY, &sentence),
        Refusal::Patterns(wrong) => patterns(&wrong),
    }
}

/// A page of job profiles; with `used=true` those that jobs used.
pub async fn job_profiles(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    if call.parameter("used")?.as_deref() == Some("true") {
        let (database, tenant) = (&call.store().database, &call.tenant);
        let used = jobs::used_profiles(database, tenant, paging.offset, paging.limit.min(10_000));
        let used = used.await?;
        let entries: Vec<Value> = used
            .into_iter()
            .map(|(id, name)| json!({"id": id, "name": name}))
            .collect();
        let total = entries.len();
        let body = json!({"jobProfiles": entries, "totalRecords": total});
        return Ok(pretty(StatusCode::OK, &body));
    }
    let collection = call.writer_context().collection(JOB_PROFILES);
    Ok(page(&call, collection, paging.search()).await?)
}

/// A new job profile.
///
/// # Errors
/// 422 when it does not fit, 403 when the user may not lock it.
pub async fn create_job(call: Call) -> Result<Response, ApiError> {
    create(&call, ExportProfileKind::Job).await
}

/// A job profile replaced.
///
/// # Errors
/// As [`create_job`], 404 when there is none, 403 for a default.
pub async fn replace_job(call: Call) -> Result<Response, ApiError> {
    change(&call, ExportProfileKind::Job).await
}

/// A job profile deleted, with the files and logs of its jobs.
///
/// # Errors
/// 404 when there is none, 403 for a default, 500 for a locked one, as in FOLIO; 409 while jobs use it.
pub async fn delete_job(call: Call) -> Result<Response, ApiError> {
    remove(&call, ExportProfileKind::Job).await
}

/// A new mapping profile.
///
/// # Errors
/// 422 when it does not fit, 403 when the user may not lock it.
pub async fn create_mapping(call: Call) -> Result<Response, ApiError> {
    create(&call, ExportProfileKind::Mapping).await
}

/// A mapping profile replaced.
///
/// # Errors
/// As [`create_mapping`], 404 when there is none, 403 for a default.
pub async fn replace_mapping(call: Call) -> Result<Response, ApiError> {
    change(&call, ExportProfileKind::Mapping).await
}

/// A mapping profile deleted.
///
/// # Errors
/// 404 when there is none, 403 for a default, 500 while it is locked or job profiles use it.
pub async fn delete_mapping(call: Call) -> Result<Response, ApiError> {
    remove(&call, ExportProfileKind::Mapping).await
}

async fn sent(
    call: &Call,
    kind: ExportProfileKind,
    stored: Option<&Value>,
) -> Result<Map<String, Value>, ApiError> {
    let context = call.writer_context();
    let mut document = call.json()?;
    let shape = &context.collection(table(kind)).shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    let Value::Object(mut document) = document else {
        return Err(ApiError::bad_request("an object is expected"));
    };
    let user = call.user_id();
    let person = users::person(&call.writer().database, &call.tenant, user).await?;
    let may_lock = call.has_permission(match kind {
        ExportProfileKind::Job => LOCK_JOB,
        ExportProfileKind::Mapping => LOCK_MAPPING,
    });
    let now = instant::format(context.stamp.at);
    complete(&mut document, stored, &person, user, may_lock, &now).map_err(refused)?;
    if kind == ExportProfileKind::Mapping {
        check_mapping(&document).map_err(refused)?;
    }
    Ok(document)
}

async fn create(call: &Call, kind: ExportProfileKind) -> Result<Response, ApiError> {
    let document = sent(call, kind, None).await?;
    let context = call.writer_context();
    let collection = context.collection(table(kind));
    let database = &call.writer().database;
    let (_, stored) = insert(database, &call.tenant, collection, document, &context.stamp).await?;
    let stored: Value = serde_json::from_slice(&stored).unwrap_or_default();
    Ok(pretty(StatusCode::CREATED, &stored))
}

async fn change(call: &Call, kind: ExportProfileKind) -> Result<Response, ApiError> {
    let id: ExportProfileId = id_of(call, segment(kind))?;
    let context = call.writer_context();
    let collection = context.collection(table(kind));
    let transaction = call.writer().database.transaction().await?;
    let stored = fetch_locked(&transaction, &call.tenant, collection, id.uuid()).await?;
    let stored = stored.ok_or_else(ApiError::not_found)?;
    if stored["default"] == true {
        return Err(refused(editing_default(kind)));
    }
    let mut document = sent(call, kind, Some(&stored)).await?;
    document.insert("id".to_owned(), json!(id));
    replace(
        &transaction,
        &call.tenant,
        collection,
        id.uuid(),
        &document,
        &context.stamp,
    )
    .await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

async fn remove(call: &Call, kind: ExportProfileKind) -> Result<Response, ApiError> {
    let id: ExportProfileId = id_of(call, segment(kind))?;
    let (context, tenant) = (call.writer_context(), &call.tenant);
    let collection = context.collection(table(kind));
    let transaction = call.writer().database.transaction().await?;
    let stored = fetch_locked(&transaction, tenant, collection, id.uuid()).await?;
    let stored = stored.ok_or_else(ApiError::not_found)?;
    if stored["default"] == true {
        return Err(refused(deleting_default(kind)));
    }
    if stored["locked"] == true {
        return Err(refused(Refusal::Locked));
    }
    match kind {
        ExportProfileKind::Job => {
            let unfinished = jobs::unfinished_of(&transaction, tenant, id).await?;
            if !unfinished.is_empty() {
                return Err(refused(Refusal::AtWork(unfinished)));
            }
            let of_profile = jobs::of_profile(&transaction, tenant, id).await?;
            jobs::forget_errors(&transaction, tenant, &of_profile).await?;
            files::delete_of(&transaction, tenant, &of_profile).await?;
        }
        ExportProfileKind::Mapping => {
            let linked = linked(call, id).await?;
            if !linked.is_empty() {
                return Err(refused(Refusal::Linked(linked)));
            }
        }
    }
    delete(&transaction, tenant, collection, id.uuid()).await?;
    transaction.commit().await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The job profiles that use a mapping profile.
async fn linked(call: &Call, mapping: ExportProfileId) -> Result<Vec<String>, ApiError> {
    let query = format!("mappingProfileId=={mapping}");
    let search = Search {
        query: Some(&query),
        offset: 0,
        limit: 1_000,
        totals: Totals::None,
    };
    let collection = call.writer_context().collection(JOB_PROFILES);
    let page = call.writer().page(&call.tenant, collection, search).await?;
    let octavo_records::PageBody::Whole(bytes) = page.body else {
        return Ok(Vec::new());
    };
    let page: Value = serde_json::from_slice(&bytes).unwrap_or_default();
    let found = page["jobProfiles"].as_array().cloned().unwrap_or_default();
    let id = |one: &Value| one["id"].as_str().map(str::to_owned);
    Ok(found.iter().filter_map(id).collect())
}

/// The fields that a mapping profile may take values from.
pub async fn fields(call: Call) -> Result<Response, ApiError> {
    let references = references::read(&call.store().database, &call.tenant).await?;
    let fields = transformation_fields(&references);
    let total = fields.len();
    let body = json!({"transformationFields": fields, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}
