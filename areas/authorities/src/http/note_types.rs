//! `/authority-note-types`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;

use super::{object, one, page, refusal};
use crate::app::Refusal;
use crate::collections::NOTE_TYPE;

const KIND: &str = "Authority Note Type";

/// A page of kinds of notes.
///
/// # Errors
/// 422 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    page(&call, NOTE_TYPE).await
}

/// One of them.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    one(&call, NOTE_TYPE, KIND).await
}

/// A new one.
///
/// # Errors
/// 422 when it does not fit or its name is taken.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = Value::Object(object(&call)?);
    let types = call.collection(NOTE_TYPE);
    let stored = call
        .store()
        .create(&call.tenant, types, document, &call.stamp())
        .await;
    let (id, stored) = stored.map_err(refused)?;
    Ok(created(stored, &format!("/authority-note-types/{id}")))
}

/// One of them replaced.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let document = object(&call)?;
    let sent = document.get("id").and_then(Value::as_str).unwrap_or("null");
    if sent != id.to_string() {
        return Err(refusal::invalid(
            &format!("Request should have id = {id}"),
            "id",
            sent,
        ));
    }
    let types = call.collection(NOTE_TYPE);
    let document = Value::Object(document);
    let outcome = call
        .store()
        .replace(&call.tenant, types, id, document, &call.stamp())
        .await;
    outcome.map_err(|error| match error {
        StoreError::NotFound => refusal::not_found(KIND, id),
        other => refused(other),
    })?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// One of them deleted.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let outcome = call
        .store()
        .delete(&call.tenant, call.collection(NOTE_TYPE), id)
        .await;
    outcome.map_err(|error| match error {
        StoreError::NotFound => refusal::not_found(KIND, id),
        other => refusal::of_store(other),
    })?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn refused(error: StoreError) -> ApiError {
    match error {
        StoreError::Duplicate { field, .. } if field == "name" => Refusal::Taken {
            message: "Authority note type with the given 'name' already exists.",
            code: "107",
        }
        .into(),
        other => refusal::of_store(other),
    }
}
