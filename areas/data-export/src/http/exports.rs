//! The routes that start an export: `/data-export/quick-export`, `/export`, `/export-all`,
//! `/export-deleted` and `/export-authority-deleted`.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_library::{ExportJobId, ExportProfileId};
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::{Search, Totals};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{id_in, of_job};
use crate::app::new_job::{self, DELETED_AUTHORITIES, INSTANCES, What, Which, announce, begin};
use crate::app::work::Exports;
use crate::store::records::ExportedKind;

/// Maximal number of ids of a quick export: as many as fit into a request body.
const IDS_MAX: usize = 250_000;

/// Begins an export of chosen records, by ids or by CQL.
///
/// # Errors
/// 400 for CQL that cannot be run, 422 for a body that does not fit, 404 for a profile that does not
/// exist.
pub async fn quick(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let what = match body["recordType"].as_str() {
        Some("INSTANCE") => What::Instance,
        Some("HOLDINGS") => What::Holdings,
        Some("AUTHORITY") => What::Authority,
        other => {
            let shown = other.unwrap_or_default();
            let message =
                format!("No default job profile found by the following recordType: {shown}");
            return Err(ApiError::invalid(message, "recordType", shown));
        }
    };
    let profile = id_in(&body, "jobProfileId")?.unwrap_or(what.default_profile());
    let which = match body["type"].as_str() {
        Some("cql") => {
            let query = body["criteria"].as_str().unwrap_or_default().to_owned();
            understood(&call, what, &query)?;
            Which::Found(query)
        }
        Some("uuid") => Which::These(ids(&body["uuids"])?),
        other => {
            let shown = other.unwrap_or_default();
            return Err(ApiError::invalid("type must be cql or uuid", "type", shown));
        }
    };
    let name = body["fileName"]
        .as_str()
        .filter(|name| !name.trim().is_empty());
    let name = match name {
        Some(name) => format!("{}.csv", plain(name)),
        None => "quick-export.csv".to_owned(),
    };
    let (job, number) = start(&call, &name, profile, what, which).await?;
    Ok(pretty(
        StatusCode::OK,
        &json!({"jobExecutionId": job, "jobExecutionHrId": number}),
    ))
}

/// Refuses a query that cannot be run, before a job is created.
fn understood(call: &Call, what: What, query: &str) -> Result<(), ApiError> {
    let kind = match what {
        What::Instance => ExportedKind::Instance,
        What::Holdings => ExportedKind::Holdings,
        What::Authority => ExportedKind::Authority,
    };
    let Some(collection) = call.store().catalog.get(kind.table()) else {
        return Err(ApiError::bad_request("there are no such records here"));
    };
    call.store().plan(&call.tenant, collection, Some(query))?;
    Ok(())
}

fn ids(given: &Value) -> Result<Vec<Uuid>, ApiError> {
    let Some(given) = given.as_array() else {
        return Ok(Vec::new());
    };
    if given.len() > IDS_MAX {
        let message = format!("uuids: at most {IDS_MAX} are taken; upload a file of them instead");
        return Err(ApiError::invalid(message, "uuids", given.len().to_string()));
    }
    let id = |value: &Value| {
        let text = value.as_str().unwrap_or_default();
        Uuid::try_parse(text).map_err(|_| ApiError::invalid("uuids: must be UUIDs", "uuids", text))
    };
    given.iter().map(id).collect()
}

/// Makes a name safe as a file name.
fn plain(name: &str) -> String {
    let kept = name.trim_end_matches(".mrc").chars().map(|c| {
        if c.is_alphanumeric() || " ._-()".contains(c) {
            c
        } else {
            '_'
        }
    });
    kept.take(100).collect()
}

/// Starts the export of a file definition.
///
/// # Errors
/// 404 when file or profile do not exist, 422 for a body that does not fit.
pub async fn export(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let missing = |name: &str| ApiError::invalid(format!("{name} must not be null"), name, "null");
    let definition =
        id_in(&body, "fileDefinitionId")?.ok_or_else(|| missing("fileDefinitionId"))?;
    let profile = id_in(&body, "jobProfileId")?.ok_or_else(|| missing("jobProfileId"))?;
    let what = of_id_type(&body)?;
    let context = call.writer_context();
    let transaction = call.writer().database.transaction().await?;
    let which = match body["all"] == true {
        true => all(&body),
        false => Which::Uploaded,
    };
    begin(&context, &transaction, definition, profile, what, which)
        .await
        .map_err(of_job)?;
    transaction.commit().await?;
    call.begin_work(Arc::new(Exports::default()));
    Ok(empty(StatusCode::NO_CONTENT))
}

fn of_id_type(body: &Value) -> Result<What, ApiError> {
    match body["idType"].as_str().unwrap_or("instance") {
        "instance" => Ok(What::Instance),
        "holding" => Ok(What::Holdings),
        "authority" => Ok(What::Authority),
        other => Err(ApiError::invalid(
            "idType must be instance, holding or authority",
            "idType",
            other,
        )),
    }
}

fn all(body: &Value) -> Which {
    Which::All {
        deleted: body["deletedRecords"] != false,
        suppressed: body["suppressedFromDiscovery"] == true,
    }
}

/// Begins an export of everything of one kind.
///
/// # Errors
/// As [`export`].
pub async fn export_all(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let what = of_id_type(&body)?;
    let profile = id_in(&body, "jobProfileId")?.unwrap_or(what.default_profile());
    let name = body["idType"].as_str().unwrap_or("instance");
    start(&call, &format!("{name}-all.csv"), profile, what, all(&body)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Begins an export of titles that were marked as deleted; yesterday's by default.
///
/// # Errors
/// 400 for invalid dates, or in the wrong order.
pub async fn deleted(call: Call) -> Result<Response, ApiError> {
    let body = match call.body.is_empty() {
        true => json!({}),
        false => call.json()?,
    };
    let day = |name: &str| -> Result<Option<jiff::civil::Date>, ApiError> {
        match &body[name] {
            Value::Null => Ok(None),
            given => given
                .as_str()
                .and_then(|text| text.parse().ok())
                .map(Some)
                .ok_or_else(|| ApiError::bad_request("Invalid date format for payload")),
        }
    };
    let (mut from, mut to) = (day("from")?, day("to")?);
    if from.is_some_and(|from| to.is_some_and(|to| from > to)) {
        return Err(ApiError::bad_request(
            "Invalid date range for payload: date 'from' cannot be after date 'to'.",
        ));
    }
    if from.is_none() && to.is_none() {
        let today = call.stamp().at.to_zoned(jiff::tz::TimeZone::UTC).date();
        (from, to) = (today.yesterday().ok(), today.yesterday().ok());
    }
    let digits = |day: jiff::civil::Date| day.strftime("%Y%m%d").to_string();
    let which = Which::Deleted {
        from: from.map(digits),
        to: to.map(digits),
    };
    let name = "deleted-marc-bib-records.csv";
    let (job, _) = start(&call, name, INSTANCES, What::Instance, which).await?;
    Ok(pretty(StatusCode::OK, &json!({"jobExecutionId": job})))
}

/// Begins an export of authorities that were marked as deleted.
pub async fn authorities_deleted(call: Call) -> Result<Response, ApiError> {
    let body = match call.body.is_empty() {
        true => json!({}),
        false => call.json()?,
    };
    let query = body["query"]
        .as_str()
        .filter(|query| !query.trim().is_empty());
    let archive = call.store().catalog.get("authority_archive").cloned();
    let which = match (archive, query) {
        (Some(archive), _) => {
            let search = Search {
                query,
                offset: body["offset"].as_i64().unwrap_or(0).max(0),
                limit: body["limit"].as_i64().unwrap_or(100).clamp(0, 1_000),
                totals: Totals::None,
            };
            let page = call.store().page(&call.tenant, &archive, search).await?;
            let octavo_records::PageBody::Whole(bytes) = page.body else {
                return Err(ApiError::bad_request("ask for at most 1000 authorities"));
            };
            let page: Value = serde_json::from_slice(&bytes).unwrap_or_default();
            let found = page[archive.list_key.as_str()].as_array().cloned();
            let id = |one: &Value| Uuid::try_parse(one["id"].as_str()?).ok();
            Which::These(found.unwrap_or_default().iter().filter_map(id).collect())
        }
        (None, Some(_)) => {
            return Err(ApiError::bad_request(
                "there are no deleted authorities to search",
            ));
        }
        (None, None) => Which::All {
            deleted: true,
            suppressed: true,
        },
    };
    let name = "deleted-authority-records.csv";
    let (job, _) = start(&call, name, DELETED_AUTHORITIES, What::Authority, which).await?;
    Ok(pretty(StatusCode::OK, &json!({"jobExecutionId": job})))
}

/// Creates a file definition of this name and starts its job.
async fn start(
    call: &Call,
    name: &str,
    profile: ExportProfileId,
    what: What,
    which: Which,
) -> Result<(ExportJobId, i64), ApiError> {
    let context = call.writer_context();
    let transaction = call.writer().database.transaction().await?;
    let definition = json!({"fileName": name, "size": 0, "uploadFormat": "csv"});
    let Value::Object(definition) = definition else {
        return Err(ApiError::fault("a definition is an object"));
    };
    let (definition, _) = announce(&context, &transaction, definition).await?;
    let begun = new_job::begin(&context, &transaction, definition, profile, what, which).await;
    let begun = begun.map_err(of_job)?;
    transaction.commit().await?;
    call.begin_work(Arc::new(Exports::default()));
    Ok(begun)
}
