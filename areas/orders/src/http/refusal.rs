//! Refusals in FOLIO's body forms.

use http::StatusCode;
use octavo_platform::{Answer, ApiError, error_item};
use serde_json::{Value, json};

use crate::refusal::{Refusal, Wrong};

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        match self {
            Refusal::Listed { status, wrong } => {
                let errors: Vec<Value> = wrong.iter().map(item).collect();
                let total = errors.len();
                ApiError::Json(
                    of(status),
                    json!({"errors": errors, "total_records": total}),
                )
            }
            Refusal::Text { status, message } => ApiError::text(of(status), message),
            Refusal::OfFinance {
                status,
                code,
                message,
                parameters,
            } => {
                let error = error_item(&message, code, &parameters);
                ApiError::Json(of(status), json!({"errors": [error], "total_records": 1}))
            }
        }
    }
}

fn of(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// One error of a list, also within results.
#[must_use]
pub fn item(wrong: &Wrong) -> Value {
    let mut error = error_item(wrong.message(), Some(wrong.code.code()), &wrong.parameters);
    if let Value::Object(error) = &mut error {
        error.shift_remove("type");
        for (name, value) in &wrong.extra {
            error.insert(name.clone(), value.clone());
        }
    }
    error
}
