//! The one error type of the HTTP surface, in FOLIO's body forms: plain text, the `errors` list,
//! and the few JSON bodies that are neither.

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use octavo_records::Contention;
use octavo_records::StoreError;
use serde_json::{Value, json};

/// What a request is answered with when it is not carried out.
#[derive(Debug)]
pub enum ApiError {
    /// A sentence as `text/plain`.
    Text(StatusCode, String),
    /// FOLIO's `{"errors": [...], "total_records": n}`.
    Errors(StatusCode, Vec<Value>),
    /// A JSON body of its own form (circulation rules, calendars).
    Json(StatusCode, Value),
    /// Nothing is wrong with the request, but it cannot be served now: 503, and worth a retry.
    Unavailable(&'static str),
    /// Others were in the way and nothing was kept: 409, unless it is tried again first.
    Contended(String),
    /// A fault of ours: 500 with nothing inner in the body; the log line has the rest.
    Internal(String),
}

impl ApiError {
    /// A plain-text refusal.
    pub fn text(status: StatusCode, message: impl Into<String>) -> ApiError {
        ApiError::Text(status, message.into())
    }

    /// 400 with a sentence.
    pub fn bad_request(message: impl Into<String>) -> ApiError {
        ApiError::text(StatusCode::BAD_REQUEST, message)
    }

    /// 404 with FOLIO's storage sentence.
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

    /// The status it is answered with.
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

/// Characters of what a client sent that are repeated to it at most.
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
            StoreError::Invalid(violations) => ApiError::Errors(
                StatusCode::UNPROCESSABLE_ENTITY,
                violations
                    .into_iter()
                    .map(|one| error_item(&one.message, Some(one.code), &[(one.path, one.value)]))
                    .collect(),
            ),
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
            StoreError::TooLarge(message) => ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, message),
            StoreError::Timeout => ApiError::text(
                StatusCode::GATEWAY_TIMEOUT,
                "The database did not answer within its time limit",
            ),
            StoreError::TooSlow(_) => {
                ApiError::text(StatusCode::GATEWAY_TIMEOUT, error.to_string())
            }
            StoreError::Unavailable => {
                ApiError::Unavailable("The database is not available now; try again in a moment")
            }
            StoreError::Busy(message) => ApiError::Unavailable(message),
            StoreError::Database(inner) => ApiError::Internal(inner),
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        match self {
            ApiError::Text(_, message) | ApiError::Contended(message) => plain(status, message),
            ApiError::Errors(_, errors) => {
                let total = errors.len();
                crate::respond::pretty(status, &json!({"errors": errors, "total_records": total}))
            }
            ApiError::Json(_, body) => crate::respond::pretty(status, &body),
            ApiError::Unavailable(message) => {
                let mut response = plain(status, message.to_owned());
                response
                    .headers_mut()
                    .insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
                response
            }
            ApiError::Internal(inner) => {
                tracing::error!(error = %inner, "request failed");
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
