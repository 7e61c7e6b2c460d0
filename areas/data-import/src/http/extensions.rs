//! `/data-import/fileExtensions` and `/data-import/dataTypes`

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call, error_item};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{answer, object, segment};
use crate::app::extensions;

/// A new ending.
///
/// # Errors
/// 422 when it is none, or known.
pub(crate) async fn create(call: Call) -> Result<Response, ApiError> {
    let sent = prepared(&call)?;
    let context = call.writer_context();
    let collection = context.collection("file_extension");
    let ending = sent["extension"].as_str().unwrap_or_default().to_owned();
    let created = call
        .writer()
        .create(&call.tenant, collection, sent, &call.stamp())
        .await;
    let (_, stored) = created.map_err(|error| known(error, &ending))?;
    let stored: Value = serde_json::from_slice(&stored).unwrap_or_default();
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// An ending replaced.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit.
pub(crate) async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let mut sent = prepared(&call)?;
    sent["id"] = json!(id);
    let context = call.writer_context();
    let collection = context.collection("file_extension");
    let ending = sent["extension"].as_str().unwrap_or_default().to_owned();
    let stamp = call.stamp();
    let replaced = call
        .writer()
        .replace(&call.tenant, collection, id, sent.clone(), &stamp)
        .await;
    replaced.map_err(|error| match error {
        StoreError::NotFound => missing(id),
        other => known(other, &ending),
    })?;
    Ok(pretty(StatusCode::OK, &sent))
}

/// One ending.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn read(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let collection = call.writer_context().collection("file_extension");
    let found = call.store().read(&call.tenant, collection, id).await?;
    let found = found.ok_or_else(|| missing(id))?;
    Ok(octavo_platform::respond::json_bytes(StatusCode::OK, found))
}

/// An ending deleted.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = segment(&call, "id")?;
    let collection = call.writer_context().collection("file_extension");
    let deleted = call.writer().delete(&call.tenant, collection, id).await;
    deleted.map_err(|error| match error {
        StoreError::NotFound => missing(id),
        other => other.into(),
    })?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// The endings of a new library instead of those that there are.
pub(crate) async fn restore(call: Call) -> Result<Response, ApiError> {
    let restored = extensions::restore(&call.writer_context())
        .await
        .map_err(answer)?;
    let total = restored.len();
    let body = json!({"fileExtensions": restored, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// The kinds of data that files may hold.
///
/// # Errors
/// Never.
pub(crate) async fn data_types(_call: Call) -> Result<Response, ApiError> {
    let types = ["Delimited", "EDIFACT", "MARC"];
    Ok(pretty(
        StatusCode::OK,
        &json!({"dataTypes": types, "totalRecords": types.len()}),
    ))
}

fn missing(id: Uuid) -> ApiError {
    let sentence = format!("FileExtension with id '{id}' was not found");
    ApiError::text(StatusCode::NOT_FOUND, sentence)
}

fn listed(message: &str) -> ApiError {
    let errors = vec![error_item(message, None, &[])];
    ApiError::Errors(StatusCode::UNPROCESSABLE_ENTITY, errors)
}

fn known(error: StoreError, ending: &str) -> ApiError {
    match error {
        StoreError::Duplicate { field, .. } if field.contains("extension") => {
            listed(&format!("File extension {ending} already exists"))
        }
        other => other.into(),
    }
}

fn prepared(call: &Call) -> Result<Value, ApiError> {
    let mut sent = object(call)?;
    let ending = sent
        .get("extension")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned();
    let rest = ending.strip_prefix('.').unwrap_or_default();
    let is_word = |one: char| one.is_ascii_alphanumeric() || one == '_';
    if rest.is_empty() || !rest.chars().all(is_word) {
        return Err(listed(&format!(
            "File extension {ending} is not a valid format"
        )));
    }
    sent.shift_remove("metadata");
    if let Some(Value::Array(types)) = sent.get_mut("dataTypes") {
        types.sort_by(|a, b| a.as_str().cmp(&b.as_str()));
    }
    Ok(Value::Object(sent))
}
