//! The result for the records of a job: `/metadata-provider/journalRecords`, `jobLogEntries`,
//! `jobSummary` and `incomingRecords`

use std::collections::HashMap;

use ::http::StatusCode;
use axum::response::Response;
use octavo_library::IncomingRecordId;
use octavo_platform::respond::{json_bytes, pretty};
use octavo_platform::{ApiError, Call, incorrect};
use serde_json::{Value, json};

use super::{answer, segment};
use crate::app::Refusal;
use crate::rules::log::{self, Entry, LogQuery, Order};
use crate::store::{incoming, jobs, journal, log as lines_of};

/// Entries of one answer.
const ENTRIES_MAX: i64 = 50_000;
/// Lines of one page.
const LINES_MAX: i64 = 1_000;

/// The journal of a job.
///
/// # Errors
/// 400 for an order that is not known, 404 when there is no such job.
pub(crate) async fn journal(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "jobExecutionId")?;
    let by = match call.parameter("sortBy")?.as_deref() {
        None => None,
        Some("source_record_order") => Some("position"),
        Some("action_type") => Some("action"),
        Some("error") => Some("error"),
        Some(other) => {
            return Err(ApiError::bad_request(format!(
                "The specified field for sorting journal records is invalid: '{other}'"
            )));
        }
    };
    let descending = descending(&call)?;
    let database = &call.store().database;
    let job = jobs::find(database, &call.tenant, id).await?;
    job.ok_or_else(|| answer(Refusal::NoJob(id)))?;
    let list = journal::list(database, &call.tenant, id, by, descending, ENTRIES_MAX).await?;
    Ok(json_bytes(StatusCode::OK, list))
}

fn descending(call: &Call) -> Result<bool, ApiError> {
    match call.parameter("order")?.as_deref() {
        None | Some("asc") => Ok(false),
        Some("desc") => Ok(true),
        Some(other) => Err(incorrect("order", other, "must be asc or desc")),
    }
}

/// The log of a job: one line for each record.
pub(crate) async fn lines(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "jobExecutionId")?;
    let by = call.parameter("sortBy")?;
    let by = by.as_deref().unwrap_or("source_record_order");
    let order = Order::named(by).ok_or_else(|| {
        ApiError::bad_request(format!(
            "The specified field for sorting job log entries is invalid: '{by}'"
        ))
    })?;
    let kind = call.parameter("entityType")?;
    let kind = kind.as_deref().unwrap_or("ALL");
    let group = log::group(kind).ok_or_else(|| {
        let why = "must be one of MARC, INSTANCE, HOLDINGS, AUTHORITY, ITEM, ORDER, INVOICE, ALL";
        incorrect("entityType", kind, why)
    })?;
    let query = LogQuery {
        group,
        errors_only: call.parameter("errorsOnly")?.as_deref() == Some("true"),
        order,
        descending: descending(&call)?,
    };
    let paging = call.paging()?;
    let limit = paging.limit.min(LINES_MAX);
    let database = &call.store().database;
    let tenant = &call.tenant;
    let counts = lines_of::counts(database, tenant, id).await?;
    let total = counts.get(&log::counted(query.group, query.errors_only));
    let total = total.copied().unwrap_or(0);
    // Beyond the total no lines are read.
    let places = match paging.offset < total {
        true => lines_of::page(database, tenant, id, &query, limit, paging.offset).await?,
        false => Vec::new(),
    };
    let mut of: HashMap<IncomingRecordId, Vec<Entry>> = HashMap::new();
    let mut ids: Vec<IncomingRecordId> = places.iter().map(|(id, _)| *id).collect();
    ids.dedup();
    for entry in journal::of_records(database, tenant, id, &ids).await? {
        of.entry(entry.source).or_default().push(entry);
    }
    let lines: Vec<Value> = places
        .iter()
        .filter_map(|(record, position)| Some((of.get(record)?, *position)))
        .map(|(entries, position)| log::line(id, entries, Some(position), tenant.id()))
        .collect();
    Ok(pretty(
        StatusCode::OK,
        &json!({"entries": lines, "totalRecords": total}),
    ))
}

/// The line of one record.
///
/// # Errors
/// 404 when the job has no such record.
pub(crate) async fn line(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "jobExecutionId")?;
    let record = segment(&call, "recordId")?;
    let database = &call.store().database;
    let entries = journal::of_records(database, &call.tenant, id, &[record]).await?;
    if entries.is_empty() {
        let sentence = "Can`t find record with specific jobExecutionId and recordId";
        return Err(ApiError::text(StatusCode::NOT_FOUND, sentence));
    }
    Ok(pretty(
        StatusCode::OK,
        &log::line(id, &entries, None, call.tenant.id()),
    ))
}

/// The summary of a job.
///
/// # Errors
/// 404 when the job has no journal.
pub(crate) async fn summary(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "jobExecutionId")?;
    let counts = lines_of::counts(&call.store().database, &call.tenant, id).await?;
    let summary = log::summary(id, &counts).ok_or_else(|| {
        let sentence = format!("JobSummary for jobExecutionId: '{id}' was not found");
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(pretty(StatusCode::OK, &summary))
}

/// A raw incoming record.
pub(crate) async fn incoming(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "recordId")?;
    let found = incoming::find(&call.store().database, &call.tenant, id).await?;
    let found = found.ok_or_else(|| {
        let sentence = format!("IncomingRecord by id: '{id}' was not found");
        ApiError::text(StatusCode::NOT_FOUND, sentence)
    })?;
    Ok(json_bytes(StatusCode::OK, found))
}
