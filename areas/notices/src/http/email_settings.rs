//! `/email/settings`

use http::StatusCode;
use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;
use serde_json::{Value, json};

use crate::app::setting_form::check;

/// The value of a setting must fit its key.
pub const HOOKS: Hooks = Hooks {
    before: |call, _, setting| checked(call, setting),
    wording,
    ..Hooks::NONE
};

fn checked(call: &Call, setting: &mut Value) -> Result<(), ApiError> {
    let shape = &call.collection("email_settings").shape;
    shape.check(setting).map_err(StoreError::Invalid)?;
    check(setting).map_err(|fault| ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, fault.body()))
}

fn wording(refused: Refused<'_>) -> ApiError {
    match (refused.operation, &refused.error, refused.id) {
        (Operation::Replace, StoreError::NotFound, Some(id)) => {
            let error = json!({
                "message": format!("Setting entity not found by id: {id}"), "code": "not_found_error",
                "parameters": [{"key": "id", "value": id}],
            });
            ApiError::Json(StatusCode::NOT_FOUND, json!({"errors": [error]}))
        }
        _ => refused.as_stored(),
    }
}
