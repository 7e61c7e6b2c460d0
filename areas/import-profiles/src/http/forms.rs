//! `/converter-storage/forms/configs`: form configurations by form name.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::store::forms::{all, of_name};

const TABLE: &str = "forms_configs";

fn missing(name: &str) -> ApiError {
    let name: String = name.chars().take(100).collect();
    let message = format!("FormConfig with formName '{name}' was not found");
    ApiError::text(StatusCode::NOT_FOUND, message)
}

pub async fn list(call: Call) -> Result<Response, ApiError> {
    let found = all(&call.store().database, &call.tenant).await?;
    let total = found.len();
    let body = json!({"formConfigs": found, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// A new one with a new id: 201.
///
/// # Errors
/// 400 when its name is taken, 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut form = call.json()?;
    if let Value::Object(form) = &mut form {
        form.remove("id");
    }
    let (_, stored) = call
        .store()
        .create(&call.tenant, call.collection(TABLE), form, &call.stamp())
        .await?;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// One of them.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let (_, form) = found(&call).await?;
    Ok(pretty(StatusCode::OK, &form))
}

async fn found(call: &Call) -> Result<(Uuid, Value), ApiError> {
    let name = call.segment("formName");
    let found = of_name(&call.store().database, call.tables(), name).await?;
    found.ok_or_else(|| missing(name))
}

/// One of them replaced: 200.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, _) = found(&call).await?;
    let mut form = call.json()?;
    if let Value::Object(form) = &mut form {
        form.insert("formName".to_owned(), json!(call.segment("formName")));
        form.insert("id".to_owned(), json!(id));
    }
    let outcome = call
        .store()
        .replace(
            &call.tenant,
            call.collection(TABLE),
            id,
            form.clone(),
            &call.stamp(),
        )
        .await;
    match outcome {
        Err(StoreError::NotFound) => Err(missing(call.segment("formName"))),
        outcome => {
            outcome?;
            Ok(pretty(StatusCode::OK, &form))
        }
    }
}

/// One of them deleted: 204.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let (id, _) = found(&call).await?;
    let outcome = call
        .store()
        .delete(&call.tenant, call.collection(TABLE), id)
        .await;
    match outcome {
        Err(StoreError::NotFound) => Err(missing(call.segment("formName"))),
        outcome => {
            outcome?;
            Ok(empty(StatusCode::NO_CONTENT))
        }
    }
}
