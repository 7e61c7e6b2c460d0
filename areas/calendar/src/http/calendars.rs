//! `/calendar/calendars`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page_of;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};
use octavo_records::plan::{Plan, Predicate, SortTerm, Sql, TextMatch};
use octavo_records::{Search, StoreError, Totals};
use uuid::Uuid;

use super::parameters::{date, ids, missing, path_id};
use super::refusal::{in_form, of_declined, unreadable};
use crate::app::{Refusal, delete as deletion, save};
use crate::collections::{TABLE, by_date};
use crate::record::CalendarRecord;
use crate::rules::read;

/// A page of calendars by the day on which they begin.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let plan = Plan {
        predicate: wanted(&call)?,
        sort: [r#"(jsonb->>'startDate') COLLATE "C""#, "id"]
            .map(|expression| SortTerm {
                expression: expression.to_owned(),
                descending: false,
            })
            .into(),
    };
    let search = Search {
        query: None,
        offset: call.number("offset", 0, 0).map_err(in_form)?,
        limit: call.number("limit", 10, 0).map_err(in_form)?,
        totals: Totals::Exact,
    };
    let collection = call
        .store()
        .catalog
        .get(TABLE)
        .ok_or(StoreError::NotFound)?;
    let sql = Sql::page(
        call.tenant.schema(),
        TABLE,
        &plan,
        search.limit,
        search.offset,
    );
    Ok(page_of(&call, collection, &plan, sql, search).await?)
}

/// `id`, `servicePointId`, `startDate` and `endDate`, combined by AND.
fn wanted(call: &Call) -> Result<Predicate, ApiError> {
    let mut parts = Vec::new();
    let named = ids(call, "id")?;
    if !named.is_empty() {
        parts.push(Predicate::IdIn("id".to_owned(), named));
    }
    let points = ids(call, "servicePointId")?;
    if !points.is_empty() {
        let held = |point: Uuid| {
            Predicate::Contains("jsonb->'assignments'".to_owned(), format!("[\"{point}\"]"))
        };
        parts.push(Predicate::Any(points.into_iter().map(held).collect()));
    }
    for (parameter, field, operator) in [
        ("startDate", "endDate", ">="),
        ("endDate", "startDate", "<="),
    ] {
        if let Some(date) = date(call, parameter)? {
            let text = TextMatch::declared(by_date(field), operator, date.to_string());
            parts.push(Predicate::Text(text));
        }
    }
    Ok(match parts.is_empty() {
        true => Predicate::Everything,
        false => Predicate::All(parts),
    })
}

/// One calendar.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = path_id(&call, "calendarId")?;
    let collection = call
        .store()
        .catalog
        .get(TABLE)
        .ok_or(StoreError::NotFound)?;
    let found = call.store().read(&call.tenant, collection, id).await?;
    match found {
        Some(stored) => Ok(json_bytes(StatusCode::OK, stored)),
        None => Err(of_declined(Refusal::NotFound(vec![id]).into())),
    }
}

/// 201 with the new calendar.
///
/// # Errors
/// 400 with all its errors, 409 when it overlaps another one.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let stored = save::create(call.context(), &sent(&call)?).await;
    Ok(json_bytes(
        StatusCode::CREATED,
        stored.map_err(of_declined)?,
    ))
}

/// 200 with the changed calendar.
///
/// # Errors
/// 404 when there is none, else as [`create`].
pub async fn update(call: Call) -> Result<Response, ApiError> {
    let id = path_id(&call, "calendarId")?;
    let stored = save::update(call.context(), id, &sent(&call)?).await;
    Ok(json_bytes(StatusCode::OK, stored.map_err(of_declined)?))
}

/// 204 when the calendar is deleted.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = path_id(&call, "calendarId")?;
    let deleted = deletion::delete(call.context(), &[id]).await;
    deleted.map_err(of_declined)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 after deleting all calendars of `id`.
///
/// # Errors
/// 404 when one is missing; then none is deleted.
pub async fn delete_several(call: Call) -> Result<Response, ApiError> {
    if call.parameter("id").map_err(in_form)?.is_none() {
        return Err(missing("id"));
    }
    let named = ids(&call, "id")?;
    let deleted = deletion::delete(call.context(), &named).await;
    deleted.map_err(of_declined)?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn sent(call: &Call) -> Result<CalendarRecord, ApiError> {
    let body = call.json().map_err(in_form)?;
    read::calendar(&body).map_err(|error| unreadable(&error))
}
