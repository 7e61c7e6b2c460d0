//! `/email/settings`; reading and deleting are generic.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::app::setting_form::check;

const TABLE: &str = "email_settings";

fn sent(call: &Call) -> Result<Value, ApiError> {
    let mut setting = call.record()?;
    let shape = &call.collection(TABLE).shape;
    shape.check(&mut setting).map_err(StoreError::Invalid)?;
    check(&mut setting)
        .map_err(|fault| ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, fault.body()))?;
    Ok(setting)
}

/// A new setting.
///
/// # Errors
/// 422 when it does not fit, 400 when its key has one.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let setting = sent(&call)?;
    let store = call.store();
    let (id, stored) = store
        .create(
            &call.tenant,
            store.catalog.declared(TABLE),
            setting,
            &call.stamp(),
        )
        .await?;
    Ok(created(stored, &format!("/email/settings/{id}")))
}

/// A setting replaced.
///
/// # Errors
/// 404 when there is none, 409 when it has changed, 422 when it does not fit.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let setting = sent(&call)?;
    let store = call.store();
    let outcome = store
        .replace(
            &call.tenant,
            store.catalog.declared(TABLE),
            id,
            setting,
            &call.stamp(),
        )
        .await;
    outcome.map_err(|error| match error {
        StoreError::NotFound => missing(id),
        other => other.into(),
    })?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn missing(id: Uuid) -> ApiError {
    let error = json!({
        "message": format!("Setting entity not found by id: {id}"), "code": "not_found_error",
        "parameters": [{"key": "id", "value": id}],
    });
    ApiError::Json(StatusCode::NOT_FOUND, json!({"errors": [error]}))
}
