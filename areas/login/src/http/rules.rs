//! `/tenant/rules`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call, Operation};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::password_check::unprocessable;
use crate::app::save_rule::{Name, save_rule};

/// Query errors have their own form; an invalid id is answered with 404.
pub const HOOKS: Hooks = Hooks {
    id: |call| Uuid::try_parse(call.segment("ruleId")).map_err(|_| missing()),
    wording: |refused| match (refused.operation, &refused.error) {
        (Operation::Read, StoreError::NotFound) => missing(),
        _ => self::refused(refused.error),
    },
    ..Hooks::NONE
};

fn missing() -> ApiError {
    ApiError::text(StatusCode::NOT_FOUND, "")
}

/// Creates a rule, or changes the one of the id except its name; 200 with the rule.
///
/// # Errors
/// 422 when it does not fit or its name is taken, 404 when there is none of its id.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    save(&call, Name::Stays).await
}

/// Changes a rule, or creates one when it has no id; 200 with the rule.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    save(&call, Name::Changes).await
}

async fn save(call: &Call, name: Name) -> Result<Response, ApiError> {
    let saved = save_rule(call, call.record()?, name).await;
    Ok(json_bytes(StatusCode::OK, saved.map_err(refused)?))
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::NotFound => ApiError::text(StatusCode::NOT_FOUND, "Rule not found"),
        StoreError::Invalid(violations) => {
            let wrong = violations.iter();
            unprocessable(
                wrong.map(|one| (one.path.as_str(), one.message.as_str(), one.value.as_str())),
            )
        }
        StoreError::Duplicate { field, value, .. } => {
            // Only id and name are unique; the database reports the column.
            let key = if field == "id" { "id" } else { "name" };
            let taken = [(key, "is another rule's", value.as_str())];
            unprocessable(taken.into_iter())
        }
        // A single error object instead of a list, as in FOLIO's module.
        StoreError::Query(message) | StoreError::QueryOf { message, .. } => {
            let error: Value = json!({"message": message, "type": "-2"});
            ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, error)
        }
        other => other.into(),
    }
}
