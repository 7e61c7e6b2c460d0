//! `/data-import/fileExtensions` and `/data-import/dataTypes`

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call, error_item};
use octavo_records::StoreError;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{answer, object, segment};
use crate::app::extensions;

/// Extensions are validated, with FOLIO's messages for duplicates and missing ones.
pub(crate) const HOOKS: Hooks = Hooks {
    id: |call| segment(call, "id"),
    body: |call, _| prepared(call),
    wording: |refused| match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => missing(id),
        _ => {
            let sent = refused.call.json().unwrap_or_default();
            let ending = sent["extension"].as_str().unwrap_or_default();
            known(refused.error, ending)
        }
    },
    created: |_, _, stored| {
        let stored: Value = serde_json::from_slice(&stored).unwrap_or_default();
        pretty(StatusCode::CREATED, &stored)
    },
    ..Hooks::NONE
};

/// An extension replaced.
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

/// Restores the default extensions.
pub(crate) async fn restore(call: Call) -> Result<Response, ApiError> {
    let restored = extensions::restore(&call.writer_context())
        .await
        .map_err(answer)?;
    let total = restored.len();
    let body = json!({"fileExtensions": restored, "totalRecords": total});
    Ok(pretty(StatusCode::OK, &body))
}

/// The kinds of data that files may hold.
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
