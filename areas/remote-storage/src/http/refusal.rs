//! Refusals in mod-remote-storage's form: `{"errors": [{"message", "code", "type", "parameters"}]}`, in which
//! the code is a phrase.

use http::StatusCode;
use octavo_platform::{Answer, ApiError};
use octavo_records::{StoreError, Violation};
use serde_json::{Value, json};

use crate::rules::Refusal;

const VALIDATION: &str = "Validation error";
const CONSTRAINT: &str = "Constraint violation error";
const UNKNOWN: &str = "Unknown error";

impl Answer for Refusal {
    fn answer(self) -> ApiError {
        let message = self.message();
        let (status, code) = match self {
            Refusal::Invalid(violations) => return invalid(&violations),
            Refusal::NoAccessionConfiguration(_)
            | Refusal::NoAccessionDetails
            | Refusal::NoAccessionLocation(_)
            | Refusal::NoAccessionItem(_)
            | Refusal::SeveralHoldings(_) => (StatusCode::BAD_REQUEST, "Accession error"),
            Refusal::NoLocation
            | Refusal::OtherLocation
            | Refusal::NoServicePoint
            | Refusal::NoRetrieval { .. } => (StatusCode::BAD_REQUEST, "Check in by barcode error"),
            Refusal::NoReturnConfiguration(_) | Refusal::NoMapping(_) | Refusal::NoRequester(_) => {
                (StatusCode::BAD_REQUEST, "Item return error")
            }
            Refusal::NoItem(_)
            | Refusal::NoUser(_)
            | Refusal::NoAccessionWithId(_)
            | Refusal::NoAccessionWithBarcode(_)
            | Refusal::NoRetrievalWithId(_)
            | Refusal::NoRetrievalWithBarcode(_) => (StatusCode::NOT_FOUND, "Not found"),
            Refusal::Elsewhere(_) => {
                let error = json!({"message": message, "code": UNKNOWN, "type": "unknown"});
                return listed(StatusCode::INTERNAL_SERVER_ERROR, &[error]);
            }
        };
        listed(status, &[error(&message, code)])
    }
}

fn error(message: &str, code: &str) -> Value {
    json!({"message": message, "code": code, "type": "internal"})
}

fn listed(status: StatusCode, errors: &[Value]) -> ApiError {
    let body = json!({"errors": errors, "totalRecords": errors.len()});
    ApiError::Json(status, body)
}

/// 422 for properties that are missing or wrong.
fn invalid(violations: &[Violation]) -> ApiError {
    let errors: Vec<Value> = violations
        .iter()
        .map(|one| {
            let mut error = error(&one.message, VALIDATION);
            error["parameters"] = json!([{"key": one.path, "value": one.value}]);
            error
        })
        .collect();
    listed(StatusCode::UNPROCESSABLE_ENTITY, &errors)
}

/// 400 for a parameter, an id in the path, or a body that cannot be read.
pub(super) fn unreadable(message: &str) -> ApiError {
    listed(StatusCode::BAD_REQUEST, &[error(message, VALIDATION)])
}

/// 400 for a date that is not a local date-time.
pub(super) fn no_date(message: &str) -> ApiError {
    listed(
        StatusCode::BAD_REQUEST,
        &[error(message, "Date format error")],
    )
}

/// 422 for what the table of configurations does not allow.
pub(super) fn constraint(message: &str) -> ApiError {
    let body = json!({"errors": [error(message, CONSTRAINT)]});
    ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
}

/// The form of refusals that arise before an operation.
pub(super) fn in_form(error: ApiError) -> ApiError {
    match error {
        ApiError::Text(StatusCode::BAD_REQUEST, message) => unreadable(&message),
        other => other,
    }
}

/// The answer to a refusal of the store for a configuration.
pub(super) fn of_store(error: StoreError, missing: ApiError) -> ApiError {
    match error {
        StoreError::NotFound => missing,
        StoreError::Invalid(violations) => match violations.iter().find(|one| one.is_of_reader()) {
            Some(fault) => unreadable(&fault.message),
            None => invalid(&violations),
        },
        StoreError::Duplicate { field, value, .. } => {
            let column = if field == "id" { "id" } else { "name" };
            constraint(&format!("Key ({column})=({value}) already exists."))
        }
        other => in_form(other.into()),
    }
}
