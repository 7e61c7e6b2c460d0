//! `/user/settings`: replacing a setting. The other routes are generic.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;
use serde_json::json;
use uuid::Uuid;

use crate::app::UserContext;
use crate::app::keep_settings::{self, SettingRefusal};

/// FOLIO's message when a key is taken.
pub const HOOKS: Hooks = Hooks {
    wording: |refused| match refused.operation {
        Operation::Create => worded(refused.error),
        _ => refused.as_stored(),
    },
    ..Hooks::NONE
};

/// PUT `/user/settings/{id}`.
///
/// # Errors
/// 404 when there is none, 409 on a version conflict, 400 when the key of pictures would change.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (call.id()?, call.record()?);
    let changed = keep_settings::change(&UserContext::of(&call), id, document).await;
    changed.map_err(|refusal| refused(refusal, id))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// FOLIO's table has a shorter name, which is part of the message.
fn worded(error: StoreError) -> ApiError {
    match error {
        StoreError::Duplicate {
            status,
            message,
            field,
            value,
        } => StoreError::Duplicate {
            status,
            message: message.replace("in table user_settings", "in table settings"),
            field,
            value,
        },
        other => other,
    }
    .into()
}

/// The refusals in mod-users' forms.
pub(super) fn refused(refusal: SettingRefusal, id: Uuid) -> ApiError {
    let one = |status, message: String, code: &str, value: String| {
        let parameters = [json!({"key": "id", "value": value})];
        let error = json!({"message": message, "code": code, "parameters": parameters});
        ApiError::Json(status, json!({"errors": [error]}))
    };
    match refusal {
        SettingRefusal::NotFound => one(
            StatusCode::NOT_FOUND,
            format!("Setting entity not found by id: {id}"),
            "not_found_error",
            id.to_string(),
        ),
        SettingRefusal::OtherId(other) => one(
            StatusCode::BAD_REQUEST,
            format!("ID of Setting for update not equal to id from path param: {other}"),
            "id_mismatch_error",
            other,
        ),
        SettingRefusal::KeyChanged => ApiError::bad_request("Cannot update the Encryption key"),
        SettingRefusal::TooLarge => ApiError::text(
            StatusCode::INTERNAL_SERVER_ERROR,
            "Max file size should not exceed more than 10 megabytes",
        ),
        SettingRefusal::Store(error) => worded(error),
    }
}
