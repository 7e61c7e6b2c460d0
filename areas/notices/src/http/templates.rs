//! `/templates`; reading is generic.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty, json_bytes};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;
use uuid::Uuid;

use crate::app::delete_template::delete_template;
use crate::app::template_form::{TemplateFault, check};

/// A new template.
///
/// # Errors
/// 400 for a resolver that is not known, 422 when it does not fit or cannot be read.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let template = sent(&call)?;
    let store = call.store();
    let (id, stored) = store
        .create(
            &call.tenant,
            store.catalog.declared("template"),
            template,
            &call.stamp(),
        )
        .await?;
    Ok(created(stored, &format!("/templates/{id}")))
}

fn sent(call: &Call) -> Result<Value, ApiError> {
    let mut template = call.record()?;
    let shape = &call.collection("template").shape;
    shape.check(&mut template).map_err(StoreError::Invalid)?;
    match check(&template) {
        Ok(()) => Ok(template),
        Err(TemplateFault::Resolver(name)) => Err(ApiError::bad_request(format!(
            "Template resolver '{name}' is not supported"
        ))),
        Err(TemplateFault::Invalid(violations)) => Err(StoreError::Invalid(violations).into()),
    }
}

fn missing(id: Uuid) -> ApiError {
    ApiError::text(
        StatusCode::NOT_FOUND,
        format!("Template with id '{id}' not found"),
    )
}

/// One template.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let store = call.store();
    let found = store
        .read(&call.tenant, store.catalog.declared("template"), id)
        .await?;
    Ok(json_bytes(
        StatusCode::OK,
        found.ok_or_else(|| missing(id))?,
    ))
}

/// A template replaced; 200 with it, as FOLIO has it here.
///
/// # Errors
/// 404 when there is none, else as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let template = sent(&call)?;
    let store = call.store();
    let collection = store.catalog.declared("template");
    let outcome = store
        .replace(&call.tenant, collection, id, template, &call.stamp())
        .await;
    outcome.map_err(|error| of(error, id))?;
    let found = store.read(&call.tenant, collection, id).await?;
    Ok(json_bytes(
        StatusCode::OK,
        found.ok_or_else(|| missing(id))?,
    ))
}

fn of(error: StoreError, id: Uuid) -> ApiError {
    match error {
        StoreError::NotFound => missing(id),
        other => other.into(),
    }
}

/// A template deleted.
///
/// # Errors
/// 400 while a patron notice policy sends by it, 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    match delete_template(&call, id)
        .await
        .map_err(|error| of(error, id))?
    {
        true => Ok(empty(StatusCode::NO_CONTENT)),
        false => Err(ApiError::bad_request(
            "Cannot delete template which is currently in use",
        )),
    }
}
