//! `/links/stats/…`: changes of authorities, and their propagation.

use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::refusal;
use crate::app::Refusal;
use crate::store::{links, stats};

/// Rows of a page.
const LIMIT_MAX: i64 = 10_000;

/// Changes of authorities.
///
/// # Errors
/// 400 for invalid parameters, 422 for a time range that ends before it begins.
pub async fn authorities(call: Call) -> Result<Response, ApiError> {
    let time = time(&call)?;
    let limit = limit(&call)?;
    let action = match call.parameter("action")?.as_deref() {
        None | Some("UPDATE_HEADING") => "UPDATE_HEADING",
        Some("UPDATE_NATURAL_ID") => "UPDATE_NATURAL_ID",
        Some("DELETE") => "DELETE",
        Some(other) => return Err(unexpected("action", other)),
    };
    let database = &call.store().database;
    let rows = stats::report(database, &call.tenant, action, time, limit + 1).await;
    answer(rows, limit, |row| row["metadata"]["startedAt"].clone())
}

/// Links that were updated, or failed.
///
/// # Errors
/// As [`authorities`].
pub async fn instances(call: Call) -> Result<Response, ApiError> {
    let time = time(&call)?;
    let limit = limit(&call)?;
    let status = call.parameter("status")?;
    let status = match status.as_deref() {
        None | Some("") => None,
        Some(known @ ("ACTUAL" | "ERROR" | "NEW")) => Some(known),
        Some(other) => return Err(unexpected("status", other)),
    };
    let database = &call.store().database;
    let rows = links::report(database, &call.tenant, status, time, limit + 1).await;
    answer(rows, limit, |row| row["updatedAt"].clone())
}

fn answer(
    rows: Result<Vec<Value>, StoreError>,
    limit: i64,
    at: impl Fn(&Value) -> Value,
) -> Result<Response, ApiError> {
    let mut rows = rows.map_err(refusal::of_store)?;
    let limit = usize::try_from(limit).unwrap_or_default();
    let next = rows.get(limit).map(at);
    rows.truncate(limit);
    let mut body = json!({"stats": rows});
    if let Some(next) = next {
        body["next"] = next;
    }
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}

fn limit(call: &Call) -> Result<i64, ApiError> {
    Ok(call.number("limit", 100, 1)?.min(LIMIT_MAX))
}

fn time(call: &Call) -> Result<(Option<Timestamp>, Option<Timestamp>), ApiError> {
    let instant = |name: &'static str| match call.parameter(name)? {
        None => Ok(None),
        Some(text) => match text.parse::<Timestamp>() {
            Ok(at) => Ok(Some(at)),
            Err(_) => Err(refusal::bad(
                format!("'{name}' must be a date with time"),
                name,
                &text,
            )),
        },
    };
    let (from, to) = (instant("fromDate")?, instant("toDate")?);
    match (from, to) {
        (Some(from), Some(to)) if from > to => Err(Refusal::Invalid {
            message: "'to' date should be not less than 'from' date.".to_owned(),
            parameters: vec![
                ("fromDate".to_owned(), from.to_string()),
                ("toDate".to_owned(), to.to_string()),
            ],
        }
        .into()),
        time => Ok(time),
    }
}

fn unexpected(name: &str, value: &str) -> ApiError {
    refusal::bad(format!("Unexpected value '{value}'"), name, value)
}
