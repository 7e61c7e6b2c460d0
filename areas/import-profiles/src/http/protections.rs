//! `/field-protection-settings/marc`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::records_http::Hooks;
use octavo_platform::respond::{empty, json_bytes, pretty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::{Value, json};

use super::refusal::missing;
use crate::app::settings::{Change, PROTECTIONS, change};

/// A new protected field gets a new id.
pub const HOOKS: Hooks = Hooks {
    body: |call, _| call.json(),
    before: |_, _, setting| {
        if let Value::Object(setting) = setting {
            setting.remove("id");
            setting.entry("override").or_insert(json!(false));
        }
        Ok(())
    },
    wording: |refused| match (&refused.error, refused.id) {
        (StoreError::NotFound, Some(id)) => {
            missing("MARC field protection setting", &id.to_string())
        }
        _ => refused.as_stored(),
    },
    created: |_, _, stored| json_bytes(StatusCode::CREATED, stored),
    ..Hooks::NONE
};

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
