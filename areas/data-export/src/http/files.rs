//! `/data-export/file-definitions`: files of ids or with a query, declared and then uploaded.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::id_of;
use crate::app::new_job::announce;
use crate::app::upload::{FILE_KB_MAX, NotTaken, take};
use crate::collections::DEFINITIONS;

/// Declares a file.
///
/// # Errors
/// 413 for one that is too large, 422 for a name that ends in neither `.csv` nor `.cql`.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let context = call.writer_context();
    let mut document = call.json()?;
    let shape = &context.collection(DEFINITIONS).shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    let size = document["size"].as_i64().unwrap_or(0);
    if size > FILE_KB_MAX {
        return Err(too_large(&size.to_string()));
    }
    let name = document["fileName"]
        .as_str()
        .unwrap_or_default()
        .to_lowercase();
    if !name.ends_with(".csv") && !name.ends_with(".cql") {
        let name = document["fileName"].as_str().unwrap_or_default();
        let sentence = format!("Incorrect file extension of {name}");
        return Err(ApiError::text(StatusCode::UNPROCESSABLE_ENTITY, sentence));
    }
    if document["uploadFormat"].is_null() {
        document["uploadFormat"] = json!("csv");
    }
    let Value::Object(document) = document else {
        return Err(ApiError::bad_request("an object is expected"));
    };
    let transaction = call.writer().database.transaction().await?;
    let (_, stored) = announce(&context, &transaction, document).await?;
    transaction.commit().await?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// Receives the declared file.
///
/// # Errors
/// 404 when none is declared, 400 when it is uploaded already or interrupted, 413 when it is too large.
pub async fn upload(call: Call) -> Result<Response, ApiError> {
    let id = id_of(&call, "fileDefinitionId")?;
    let coming = call.upload();
    let taken = take(&call.writer_context(), id, &coming).await;
    let document = taken.map_err(|reason| match reason {
        NotTaken::Unknown => ApiError::text(StatusCode::NOT_FOUND, "File Definition not found"),
        NotTaken::Taken => ApiError::bad_request("File already uploaded for this FileDefinition"),
        NotTaken::TooLarge => too_large("more"),
        NotTaken::Broken(error) => error,
        NotTaken::Store(error) => error.into(),
    })?;
    Ok(pretty(StatusCode::OK, &document))
}

/// FOLIO's message; sizes are in kilobytes.
fn too_large(size: &str) -> ApiError {
    let sentence = format!(
        "File size is too large: '{size}'. Please use file with size less than {FILE_KB_MAX}."
    );
    ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, sentence)
}
