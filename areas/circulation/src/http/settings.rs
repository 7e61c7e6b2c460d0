//! `/circulation/settings`, and FOLIO's storage of them where it differs from other storages.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{created, empty, pretty, pretty_text};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{desk, unprocessable};
use crate::app::operation_error::OperationError;
use crate::app::save_setting::save_setting;
use crate::config_cache::ConfigCache;
use crate::refusal::DeskRefusal;

const TABLE: &str = "circulation_settings";
const PROPERTIES: [&str; 4] = ["id", "name", "value", "metadata"];

/// Ids must be in hyphenated form, and "not found" names the setting.
pub const HOOKS: Hooks = Hooks {
    id,
    wording: |refused| match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => ApiError::from(OperationError::NotFound {
            what: "circulationSettings",
            id,
        }),
        _ => refused.as_stored(),
    },
    ..Hooks::NONE
};

/// 201 with the setting as it was sent; an existing name gets the new value.
///
/// # Errors
/// 422 when the setting is not well formed.
pub async fn create(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let mut body = call.json()?;
    if let Value::Object(setting) = &mut body
        && !setting.get("id").is_some_and(Value::is_string)
    {
        setting.insert("id".to_owned(), json!(Uuid::new_v4()));
    }
    let setting = checked(&call, well_formed(body)?)?;
    let answer = save_setting(desk(&call, &cache), &setting).await?;
    Ok(pretty(StatusCode::CREATED, &Value::Object(answer)))
}

/// 204. The record is the one whose id is in the body, as in FOLIO.
///
/// # Errors
/// 422 when the setting is not well formed, 404 when there is no such setting.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let body = well_formed(call.json()?)?;
    let setting = checked(&call, body.clone())?;
    let id = setting.get("id").and_then(Value::as_str);
    let id = id.and_then(|id| Uuid::try_parse(id).ok());
    let id = id.ok_or_else(|| unprocessable(&DeskRefusal::SettingIdInvalid))?;
    let (store, stamp) = (call.store(), call.stamp());
    let collection = call.collection(TABLE);
    store
        .replace(&call.tenant, collection, id, body, &stamp)
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204, also when it does not exist.
///
/// # Errors
/// 422 when the id is invalid.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    let deleted = call
        .store()
        .delete(&call.tenant, call.collection(TABLE), id)
        .await;
    match deleted {
        Ok(()) | Err(StoreError::NotFound) => Ok(empty(StatusCode::NO_CONTENT)),
        Err(error) => Err(error.into()),
    }
}

/// FOLIO's storage: 201; one whose name is taken gets the new value.
///
/// # Errors
/// 422 when the record is not well formed.
pub async fn store(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let setting = checked(&call, call.record()?)?;
    let answer = save_setting(desk(&call, &cache), &setting).await?;
    let location = answer.get("id").and_then(Value::as_str).unwrap_or_default();
    let location = location.to_owned();
    let body = pretty_text(&Value::Object(answer));
    Ok(created(body.into(), &location))
}

/// mod-circulation validates a setting before its storage does.
fn well_formed(body: Value) -> Result<Value, ApiError> {
    let is_text = |name: &str| body.get(name).is_some_and(Value::is_string);
    let known = body.as_object().is_some_and(|setting| {
        let mut names = setting.keys();
        names.all(|name| PROPERTIES.contains(&name.as_str()))
    });
    let has_value = body.get("value").is_some_and(Value::is_object);
    if known && has_value && is_text("id") && is_text("name") {
        return Ok(body);
    }
    Err(unprocessable(&DeskRefusal::SettingInvalid))
}

fn checked(call: &Call, mut body: Value) -> Result<Map<String, Value>, ApiError> {
    let shape = &call.collection(TABLE).shape;
    shape.check(&mut body).map_err(StoreError::Invalid)?;
    match body {
        Value::Object(setting) => Ok(setting),
        _ => Err(unprocessable(&DeskRefusal::SettingInvalid)),
    }
}

fn id(call: &Call) -> Result<Uuid, ApiError> {
    let text = call.segment("id");
    let id = Uuid::try_parse(text).ok();
    // Only the hyphenated form is accepted.
    id.filter(|id| id.to_string() == text)
        .ok_or_else(|| unprocessable(&DeskRefusal::SettingIdInvalid))
}
