//! The one error type of the HTTP surface, in FOLIO's body forms: plain text, the `errors` list,
//! and the few JSON bodies that are neither.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use octavo_postgres::DatabaseError;
use octavo_records::{Contention, Fault, QueryRefusal, StoreError, Violation};
use serde_json::{Value, json};

/// The error response of a request.
#[derive(Debug)]
pub enum ApiError {
    /// A message as `text/plain`.
    Text(StatusCode, String),
    /// FOLIO's `{"errors": [...]}`.
    Errors(StatusCode, Vec<Value>),
    /// Another JSON body (circulation rules, calendars).
    Json(StatusCode, Value),
    /// The request is valid but cannot be served now: 503, worth a retry.
    Unavailable(&'static str),
    /// A conflict with other transactions, rolled back: 409, unless it is retried first.
    Contended(String),
    /// A fault of the server: 500 with no details in the body; the log line has them.
    Internal(Fault),
}

impl ApiError {
    /// A plain-text refusal.
    pub fn text(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError::Text(status, message.into())
    }

    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::text(StatusCode::BAD_REQUEST, message)
    }

    /// 404 with the message of FOLIO's storage modules.
    #[must_use]
    pub fn not_found() -> ApiError {
        ApiError::text(StatusCode::NOT_FOUND, "Not found")
    }

    /// 422 with one error.
    pub fn invalid(
        message: impl Into<String>,
        key: impl Into<String>,
        value: impl Into<String>,
    ) -> ApiError {
        ApiError::Errors(
            StatusCode::UNPROCESSABLE_ENTITY,
            vec![error_item(
                &message.into(),
                Some("-1"),
                &[(key.into(), value.into())],
            )],
        )
    }

    /// A fault of the server, described without values.
    #[track_caller]
    pub fn fault(reason: impl std::fmt::Display) -> ApiError {
        ApiError::Internal(Fault::new(reason))
    }

    #[must_use]
    pub fn status(&self) -> StatusCode {
        match self {
            ApiError::Text(status, _) | ApiError::Errors(status, _) | ApiError::Json(status, _) => {
                *status
            }
            ApiError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            ApiError::Contended(_) => StatusCode::CONFLICT,
            ApiError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// How much of a client's input an error repeats, in characters.
const SHOWN_CHARS_MAX: usize = 4_000;

fn shown(text: &str) -> std::borrow::Cow<'_, str> {
    match text.char_indices().nth(SHOWN_CHARS_MAX) {
        None => text.into(),
        Some((end, _)) => format!("{}…", &text[..end]).into(),
    }
}

/// One entry of an `errors` list.
#[must_use]
pub fn error_item(message: &str, code: Option<&str>, parameters: &[(String, String)]) -> Value {
    let parameters: Vec<Value> = parameters
        .iter()
        .map(|(key, value)| json!({"key": shown(key), "value": shown(value)}))
        .collect();
    let mut item = json!({"message": shown(message), "type": "1"});
    if let Some(code) = code {
        item["code"] = json!(code);
    }
    item["parameters"] = Value::Array(parameters);
    item
}

/// The error without `null` values of parameters, which FOLIO leaves out.
fn without_nulls(mut error: Value) -> Value {
    if let Some(Value::Array(parameters)) = error.get_mut("parameters") {
        for parameter in parameters {
            if let Value::Object(parameter) = parameter
                && parameter.get("value").is_some_and(Value::is_null)
            {
                parameter.shift_remove("value");
            }
        }
    }
    error
}

impl Contention for ApiError {
    fn is_contention(&self) -> bool {
        matches!(self, ApiError::Contended(_))
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        let refused = |status: u16, message: String, key: String, value: String| {
            if status == 422 {
                ApiError::invalid(message, key, value)
            } else {
                ApiError::bad_request(message)
            }
        };
        match error {
            StoreError::NotFound => ApiError::not_found(),
            StoreError::VersionConflict { .. } => {
                ApiError::text(StatusCode::CONFLICT, error.to_string())
            }
            StoreError::Contended => ApiError::Contended(error.to_string()),
            StoreError::Invalid(violations) => invalid(violations),
            StoreError::Duplicate {
                status,
                message,
                field,
                value,
            } => refused(status, message, field, value),
            StoreError::MissingReference {
                status,
                message,
                field,
                value,
            } => refused(status, message, field, value),
            StoreError::StillReferenced { message, .. } => ApiError::bad_request(message),
            StoreError::Query(message) => ApiError::bad_request(message),
            StoreError::QueryOf { refusal, message } => refused_query(refusal, message),
            StoreError::TooLarge(message) => ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message),
            StoreError::Timeout(fault) => {
                fault.log_outage();
                ApiError::text(
                    StatusCode::GATEWAY_TIMEOUT,
                    "The database did not answer within its time limit",
                )
            }
            StoreError::TooSlow(_) => {
                ApiError::text(StatusCode::GATEWAY_TIMEOUT, error.to_string())
            }
            StoreError::Unavailable(_, fault) => {
                fault.log_outage();
                ApiError::Unavailable("The database is not available now; try again in a moment")
            }
            StoreError::Busy(message) => ApiError::Unavailable(message),
            StoreError::Fault(fault) => ApiError::Internal(fault),
        }
    }
}

impl From<DatabaseError> for ApiError {
    #[track_caller]
    fn from(error: DatabaseError) -> ApiError {
        StoreError::from(error).into()
    }
}

impl From<serde_json::Error> for ApiError {
    /// For documents that this program wrote; [`crate::Call`] handles errors in what a client sent.
    #[track_caller]
    fn from(error: serde_json::Error) -> ApiError {
        ApiError::Internal(error.into())
    }
}

/// A document that violates its shape: where parsing stopped, or every violated rule.
fn invalid(violations: Vec<Violation>) -> ApiError {
    match violations.iter().find(|one| one.is_of_reader()) {
        Some(fault) if fault.is_unreadable() => ApiError::bad_request(shown(&fault.message)),
        Some(unknown) => ApiError::invalid(&unknown.message, "", ""),
        None => ApiError::Errors(
            StatusCode::UNPROCESSABLE_ENTITY,
            violations
                .into_iter()
                .map(|one| error_item(&one.message, Some(one.code), &[(one.path, one.value)]))
                .collect(),
        ),
    }
}

/// A query that cannot be run, with the status that its collection's module uses.
fn refused_query(refusal: QueryRefusal, message: String) -> ApiError {
    match refusal {
        QueryRefusal::Plain | QueryRefusal::Quoting => ApiError::bad_request(message),
        QueryRefusal::Failing => ApiError::text(StatusCode::INTERNAL_SERVER_ERROR, message),
        QueryRefusal::Listed => {
            let key = match message.starts_with("CQL Parse Error") {
                true => "CQL parse error",
                false => "",
            };
            ApiError::invalid(message, key, "")
        }
    }
}

/// An error in reading or changing a record; a missing record gives `missing`.
#[must_use]
pub fn of_record(error: StoreError, missing: &str) -> ApiError {
    match error {
        StoreError::NotFound => ApiError::text(StatusCode::NOT_FOUND, missing),
        other => other.into(),
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        match self {
            ApiError::Text(_, message) | ApiError::Contended(message) => plain(status, message),
            ApiError::Errors(_, errors) => {
                let errors: Vec<Value> = errors.into_iter().map(without_nulls).collect();
                crate::respond::pretty(status, &json!({"errors": errors}))
            }
            ApiError::Json(_, body) => crate::respond::pretty(status, &body),
            ApiError::Unavailable(message) => {
                let mut response = plain(status, message.to_owned());
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
                response
            }
            ApiError::Internal(fault) => {
                fault.log();
                plain(status, "Internal Server Error".to_owned())
            }
        }
    }
}

fn plain(status: StatusCode, message: String) -> Response {
    let mut response = Response::new(Body::from(message));
    *response.status_mut() = status;
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}
