//! `/calendar/dates`: the opening hours of a service point.

use axum::response::Response;
use http::StatusCode;
use jiff::civil::Date;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::parameters::{incorrect, path_id, required_date, required_flag};
use super::refusal::in_form;
use crate::compiled::{Calendars, Day, Opening};
use crate::store;

/// Days of one range: a hundred years.
const DAYS_MAX: i32 = 36_525;

/// The last open day before a date, the date, and the first open day after it.
pub async fn surrounding_openings(call: Call) -> Result<Response, ApiError> {
    let point = path_id(&call, "servicePointId")?;
    let date = required_date(&call, "date")?;
    let days = calendars(&call, point).await?.surrounding(point, date);
    let openings: Vec<Value> = days.iter().map(shown).collect();
    answer(&json!({"openings": openings}))
}

/// The days of a range that calendars cover, or all of them.
///
/// # Errors
/// 400 for a parameter that is not understood, or a range longer than a century.
pub async fn all_openings(call: Call) -> Result<Response, ApiError> {
    let point = path_id(&call, "servicePointId")?;
    let start = required_date(&call, "startDate")?;
    let end = required_date(&call, "endDate")?;
    let closed_too = required_flag(&call, "includeClosed")?;
    let offset = call.number("offset", 0, 0).map_err(in_form)?;
    let limit = call.number("limit", 10, 0).map_err(in_form)?;
    if start.until(end).map_or(i32::MAX, |span| span.get_days()) >= DAYS_MAX {
        let expected = format!("less than {DAYS_MAX} days after startDate");
        return Err(incorrect("endDate", &end.to_string(), &expected));
    }
    let calendars = calendars(&call, point).await?;
    let listed = |date: Date| {
        let found = calendars.of(point).and_then(|point| point.listed(date));
        found.or_else(|| closed_too.then(|| Day::closed(date)))
    };
    let mut total = 0_i64;
    let mut dates = Vec::new();
    let days = start.series(jiff::Span::new().days(1));
    for day in days.take_while(|date| *date <= end).filter_map(listed) {
        if total >= offset && total - offset < limit {
            dates.push(shown(&day));
        }
        total += 1;
    }
    answer(&json!({"dates": dates, "totalRecords": total}))
}

async fn calendars(call: &Call, point: uuid::Uuid) -> Result<Calendars, StoreError> {
    let records = store::of_point(&call.store().database, call.tables(), point).await?;
    Ok(Calendars::new(&records))
}

fn shown(day: &Day) -> Value {
    let mut shown = Map::new();
    shown.insert("date".to_owned(), json!(day.date));
    shown.insert("allDay".to_owned(), json!(day.all_day));
    shown.insert("open".to_owned(), json!(day.open));
    shown.insert("exceptional".to_owned(), json!(day.exceptional));
    if let Some(name) = &day.exception_name {
        shown.insert("exceptionName".to_owned(), json!(**name));
    }
    let hours = |opening: &Opening| json!({"startTime": opening.start, "endTime": opening.end});
    let openings: Vec<Value> = day.openings.iter().map(hours).collect();
    shown.insert("openings".to_owned(), Value::Array(openings));
    Value::Object(shown)
}

fn answer(body: &Value) -> Result<Response, ApiError> {
    Ok(json_bytes(StatusCode::OK, body.to_string()))
}
