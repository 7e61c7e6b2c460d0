//! `/data-export/file-definitions`: files of ids or with a query, announced and then uploaded.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use octavo_records::store::{fetch_locked, replace};
use serde_json::{Value, json};

use super::{context, id_of};
use crate::app::new_job::announce;
use crate::collections::DEFINITIONS;
use crate::store::files::keep_upload;

/// FOLIO's limit of the size that a client announces.
const SIZE_MAX: i64 = 500_000;

/// Announces a file.
///
/// # Errors
/// 413 for one that is too large, 422 for a name that ends in neither `.csv` nor `.cql`.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let context = context(&call);
    let mut document = call.json()?;
    let shape = &context.collection(DEFINITIONS).shape;
    shape.check(&mut document).map_err(StoreError::Invalid)?;
    let size = document["size"].as_i64().unwrap_or(0);
    if size > SIZE_MAX {
        let sentence = format!(
            "File size is too large: '{size}'. Please use file with size less than {SIZE_MAX}."
        );
        return Err(ApiError::text(StatusCode::PAYLOAD_TOO_LARGE, sentence));
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
    let transaction = call
        .writer()
        .database
        .transaction()
        .await
        .map_err(StoreError::from)?;
    let (_, stored) = announce(&context, &transaction, document).await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(pretty(StatusCode::CREATED, &stored))
}

/// Takes the announced file.
///
/// # Errors
/// 404 when none is announced, 400 when one is there already.
pub async fn upload(call: Call) -> Result<Response, ApiError> {
    let id = id_of(&call, "fileDefinitionId")?;
    let context = context(&call);
    let collection = context.collection(DEFINITIONS);
    let transaction = call
        .writer()
        .database
        .transaction()
        .await
        .map_err(StoreError::from)?;
    let found = fetch_locked(&transaction, &call.tenant, collection, id).await?;
    let Some(Value::Object(mut document)) = found else {
        return Err(ApiError::text(
            StatusCode::NOT_FOUND,
            "File Definition not found",
        ));
    };
    if document.get("status") != Some(&json!("NEW")) {
        return Err(ApiError::bad_request(
            "File already uploaded for this FileDefinition",
        ));
    }
    keep_upload(&transaction, &call.tenant, id, &call.body).await?;
    document.insert("status".to_owned(), json!("COMPLETED"));
    document.insert(
        "sourcePath".to_owned(),
        json!(format!("data-export/uploads/{id}")),
    );
    replace(
        &transaction,
        &call.tenant,
        collection,
        id,
        &document,
        &context.stamp,
    )
    .await?;
    transaction.commit().await.map_err(StoreError::from)?;
    Ok(pretty(StatusCode::OK, &Value::Object(document)))
}
