//! `/audit-data/acquisition/…`: what happened to orders, lines, pieces, invoices and organizations.

use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::instant;
use serde_json::{Map, Value, json};

use super::parameters::{acquisition_id, up_to_date};
use crate::rules::event::{Acquisition, AcquisitionEntry, PIECE};
use crate::store::History;
use crate::store::acquisitions::{Sorting, history, status_changes};

/// Entries of an answer, however many are asked for: each has the whole record.
const ENTRIES_MAX: i64 = 1_000;

/// 200 with a page of the history of a record.
///
/// # Errors
/// 400 and 422 for parameters that cannot be used.
pub async fn events(kind: &'static Acquisition, call: Call) -> Result<Response, ApiError> {
    let (entity, sorting, window) = asked(&call)?;
    up_to_date(&call).await?;
    let (database, tables) = (&call.writer().database, call.tables());
    let found = history(database, tables, (kind.name, entity), sorting, window).await?;
    Ok(answer(kind, found))
}

/// 200 with those entries of a piece after which its status or its claiming interval was another one.
///
/// # Errors
/// As [`events`].
pub async fn piece_status_changes(call: Call) -> Result<Response, ApiError> {
    let (entity, sorting, window) = asked(&call)?;
    up_to_date(&call).await?;
    let (database, tables) = (&call.writer().database, call.tables());
    let found = status_changes(database, tables, (PIECE.name, entity), sorting, window).await?;
    Ok(answer(&PIECE, found))
}

fn asked(call: &Call) -> Result<(uuid::Uuid, Sorting, (i64, i64)), ApiError> {
    let entity = acquisition_id(call)?;
    let order = call.parameter("sortOrder")?;
    let descending = match order.as_deref() {
        None | Some("desc") => true,
        Some("asc") => false,
        Some(other) => {
            let message = "must be asc or desc";
            return Err(ApiError::invalid(message, "sortOrder", other));
        }
    };
    let column = call.parameter("sortBy")?;
    let column = column.as_deref().unwrap_or("action_date");
    let sorting = Sorting::by(column, descending)
        .ok_or_else(|| ApiError::invalid("cannot be sorted by", "sortBy", column))?;
    let limit = call.number("limit", i64::from(i32::MAX), 0)?;
    let offset = call.number("offset", 0, 0)?;
    Ok((entity, sorting, (limit.min(ENTRIES_MAX), offset)))
}

fn answer(kind: &Acquisition, found: History<AcquisitionEntry>) -> Response {
    let entries: Vec<Value> = found
        .entries
        .into_iter()
        .map(|entry| shown(kind, entry))
        .collect();
    let mut body = Map::new();
    body.insert(kind.list.to_owned(), json!(entries));
    body.insert("totalItems".to_owned(), json!(found.total));
    pretty(StatusCode::OK, &Value::Object(body))
}

fn shown(kind: &Acquisition, entry: AcquisitionEntry) -> Value {
    let mut shown = json!({"id": entry.event, "action": entry.action});
    if let Some(((told_as, _), whole)) = kind.whole.zip(entry.whole) {
        shown[told_as] = json!(whole);
    }
    shown[kind.id] = json!(entry.entity);
    if let Some(user) = entry.user {
        shown["userId"] = json!(user);
    }
    shown["eventDate"] = json!(date(entry.event_ms));
    shown["actionDate"] = json!(date(entry.action_ms));
    shown[kind.snapshot] = entry.snapshot.unwrap_or_default();
    shown
}

/// An instant as FOLIO's modules show it.
pub(super) fn date(ms: i64) -> String {
    instant::format(Timestamp::from_millisecond(ms).unwrap_or_default())
}
