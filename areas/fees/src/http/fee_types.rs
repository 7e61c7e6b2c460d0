//! `/feefines`, as far as it has rules of its own: the types that are charged by themselves stay as
//! they are.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::run;
use octavo_platform::{ApiError, Call, Operation};
use serde_json::json;

use super::{collection, plain_lists};
use crate::app::record_rules::{AUTOMATIC_TYPE, AUTOMATIC_TYPES, is_automatic};

const TABLE: &str = "feefines";

/// 201 with the type.
///
/// # Errors
/// 422 when its id is that of an automatic type, 400 when the owner has it already.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    if is_automatic(call.record()?.get("id")) {
        return Err(automatic());
    }
    plain_lists::create(call, TABLE).await
}

/// 204.
///
/// # Errors
/// 404 when there is none, 422 when it is automatic.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    if AUTOMATIC_TYPES.contains(&call.id()?) {
        return Err(automatic());
    }
    run(Operation::Replace, collection(&call, TABLE), call.clone()).await
}

/// 204.
///
/// # Errors
/// 404 when there is none, 422 when it is automatic.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    if AUTOMATIC_TYPES.contains(&call.id()?) {
        return Err(automatic());
    }
    run(Operation::Delete, collection(&call, TABLE), call.clone()).await
}

fn automatic() -> ApiError {
    let error = json!({"message": AUTOMATIC_TYPE, "parameters": []});
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, vec![error])
}
