//! Errors in mod-calendar's form: `{"timestamp", "status", "errors": [{"code", "message", "data",
//! "_parameters"}]}`.

use http::StatusCode;
use jiff::Timestamp;
use octavo_platform::ApiError;
use octavo_records::instant;
use serde_json::{Value, json};

use crate::app::{Declined, Refusal};
use crate::rules::Problem;
use crate::rules::read::Unreadable;

/// The response for a failed operation.
pub(super) fn of_declined(declined: Declined) -> ApiError {
    match declined {
        Declined::Store(error) => in_form(error.into()),
        Declined::Refused(Refusal::NotFound(ids)) => {
            let message = "No calendar was found with the specified query";
            let error = json!({"code": "calendarNotFound", "message": message,
                               "data": {"notFound": ids}, "_parameters": {"query": ids}});
            refusal(StatusCode::NOT_FOUND, vec![error])
        }
        Declined::Refused(Refusal::Problems(problems)) => {
            // One conflict makes the response a 409, whatever the other errors.
            let status = match problems.iter().any(Problem::is_conflict) {
                true => StatusCode::CONFLICT,
                false => StatusCode::BAD_REQUEST,
            };
            refusal(status, problems.iter().map(item).collect())
        }
    }
}

/// 400 for a body that is not a calendar.
pub(super) fn unreadable(error: &Unreadable) -> ApiError {
    unparsable(&error.to_string())
}

/// 400 for a parameter or a body that cannot be read.
pub(super) fn unparsable(why: &str) -> ApiError {
    let message = format!("One of the parameters was the incorrect type: {why}");
    let error = json!({"code": "invalidParameter", "message": message, "_parameters": {}});
    refusal(StatusCode::BAD_REQUEST, vec![error])
}

/// Any other refusal of a request; faults of ours stay as they are.
pub(super) fn in_form(error: ApiError) -> ApiError {
    match error {
        ApiError::Text(StatusCode::BAD_REQUEST, message) => unparsable(&message),
        ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors) => {
            let messages: Vec<&str> = errors
                .iter()
                .filter_map(|error| error["message"].as_str())
                .collect();
            unparsable(&messages.join(", "))
        }
        other => other,
    }
}

fn item(problem: &Problem) -> Value {
    let mut error = json!({"code": problem.code(), "message": problem.message()});
    if let Some(data) = data(problem) {
        error["data"] = data;
    }
    error["_parameters"] = parameters(problem);
    error
}

/// The error's `data`, for programs.
fn data(problem: &Problem) -> Option<Value> {
    match problem {
        Problem::DateOverlap { shared, .. } => Some(json!({"conflictingServicePointIds": shared})),
        Problem::NormalHours(hours) => Some(json!({"conflicts": hours})),
        Problem::Exceptions(ranges) => Some(json!({"conflicts": ranges})),
        Problem::ExceptionDateOrder(range) | Problem::ExceptionDateBoundary { range, .. } => {
            Some(json!({"range": range}))
        }
        _ => None,
    }
}

/// The error's `_parameters`: the sent values. mod-calendar repeats all exceptions in each error; here
/// only the relevant ones.
fn parameters(problem: &Problem) -> Value {
    match problem {
        Problem::NoName { name } => json!({"name": name}),
        Problem::DateRange { start, end } => json!({"startDate": start, "endDate": end}),
        Problem::DateOverlap { shared, .. } => json!({"assignments": shared}),
        Problem::NormalHours(hours) => json!({"normalHours": hours}),
        Problem::ExceptionName(ranges) | Problem::Exceptions(ranges) => {
            json!({"exceptions": ranges})
        }
        Problem::ExceptionDateOrder(range)
        | Problem::ExceptionDateBoundary { range, .. }
        | Problem::OpeningBoundary { range, .. }
        | Problem::Openings { range, .. } => json!({"exceptions": [range]}),
        Problem::TooMany { .. } => json!({}),
    }
}

fn refusal(status: StatusCode, errors: Vec<Value>) -> ApiError {
    let timestamp = instant::format(Timestamp::now());
    let body = json!({"timestamp": timestamp, "status": status.as_u16(), "errors": errors});
    ApiError::Json(status, body)
}
