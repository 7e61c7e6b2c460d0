//! `/field-protection-settings/marc`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::page;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::refusal::missing;
use crate::app::settings::{Change, PROTECTIONS, change};

/// A page of protected fields.
///
/// # Errors
/// 400 for a query that cannot be run.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let paging = call.paging()?;
    Ok(page(&call, call.collection(PROTECTIONS), paging.search()).await?)
}

/// One protected field.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let found = call
        .store()
        .read(&call.tenant, call.collection(PROTECTIONS), id)
        .await?;
    let what = "MARC field protection setting";
    let found = found.ok_or_else(|| missing(what, &id.to_string()))?;
    Ok(json_bytes(StatusCode::OK, found))
}

/// A new protected field: 201. It gets an id of its own.
///
/// # Errors
/// 422 when it does not fit.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let mut setting = call.json()?;
    if let Value::Object(setting) = &mut setting {
        setting.remove("id");
        setting.entry("override").or_insert(json!(false));
    }
    let collection = call.collection(PROTECTIONS);
    let (_, stored) = call
        .store()
        .create(&call.tenant, collection, setting, &call.stamp())
        .await?;
    Ok(json_bytes(StatusCode::CREATED, stored))
}

/// A protected field replaced: 200.
///
/// # Errors
/// 400 for one of FOLIO's own, 404 when there is none, 422 when it does not fit.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let mut setting = call.json()?;
    if let Value::Object(setting) = &mut setting {
        setting.insert("id".to_owned(), json!(id));
        setting.entry("override").or_insert(json!(false));
    }
    let shape = &call.collection(PROTECTIONS).shape;
    shape.check(&mut setting).map_err(StoreError::Invalid)?;
    let Value::Object(setting) = setting else {
        return Err(ApiError::invalid("must be a JSON object", "", ""));
    };
    let now = change(call.context(), id, &Change::Replace(setting)).await?;
    Ok(pretty(StatusCode::OK, &now.unwrap_or_default()))
}

/// A protected field deleted: 204.
///
/// # Errors
/// 400 for one of FOLIO's own, 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    change(call.context(), call.id()?, &Change::Delete).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
