//! `/configurations/entries`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call, Operation, records_http};
use octavo_records::StoreError;
use serde_json::{Map, Value, json};

use super::collection;
use crate::app::entry_form::complete;

const TABLE: &str = "config_data";

/// A page of entries, with facets where they are asked for.
///
/// # Errors
/// 400 for a parameter or a query that is not understood.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    generic(Operation::List, call).await
}

/// One entry.
///
/// # Errors
/// 404 when there is none.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    generic(Operation::Read, call).await
}

/// An entry deleted.
///
/// # Errors
/// 404 when there is none.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    generic(Operation::Delete, call).await
}

async fn generic(operation: Operation, call: Call) -> Result<Response, ApiError> {
    check_language(&call)?;
    let collection = collection(&call, TABLE).clone();
    records_http::run(operation, &collection, call).await
}

/// A new entry.
///
/// # Errors
/// 422 when it does not fit or one like it is enabled.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    check_language(&call)?;
    let mut entry = call.record()?;
    complete(&mut entry);
    let named = named(&entry);
    let outcome = call
        .store()
        .create(&call.tenant, collection(&call, TABLE), entry, &call.stamp())
        .await;
    match outcome {
        Ok((id, stored)) => Ok(created(stored, &format!("/configurations/entries/{id}"))),
        Err(StoreError::Duplicate { field, .. }) if field != "id" => Err(taken(named)),
        Err(error) => Err(error.into()),
    }
}

/// An entry replaced.
///
/// # Errors
/// 404 when there is none, 422 when it does not fit or another one like it is enabled.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    check_language(&call)?;
    let id = call.id()?;
    let mut entry = call.record()?;
    complete(&mut entry);
    call.store()
        .replace(
            &call.tenant,
            collection(&call, TABLE),
            id,
            entry,
            &call.stamp(),
        )
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// `lang` changes nothing, but must look like a language.
pub(super) fn check_language(call: &Call) -> Result<(), ApiError> {
    let Some(language) = call.parameter("lang")? else {
        return Ok(());
    };
    if language.len() == 2 && language.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Ok(());
    }
    let shown: String = language.chars().take(100).collect();
    Err(ApiError::bad_request(format!(
        "'lang' parameter is incorrect. parameter value {{{shown}}} is not valid: must match \
         \"[a-zA-Z]{{2}}\""
    )))
}

/// What an entry is unique by, as far as it has it.
fn named(entry: &Value) -> Map<String, Value> {
    ["module", "configName", "code", "userId"]
        .into_iter()
        .filter_map(|name| Some((name.to_owned(), entry.get(name)?.clone())))
        .filter(|(_, value)| !value.is_null())
        .collect()
}

/// 422 in the form that mod-configuration has for this alone.
fn taken(named: Map<String, Value>) -> ApiError {
    let mut error = json!({
        "message": "Cannot have more than one tenant or user record with the same module, config \
                    name and code",
        "parameters": [],
    });
    if let Some(error) = error.as_object_mut() {
        error.extend(named);
    }
    ApiError::Json(StatusCode::UNPROCESSABLE_ENTITY, json!({"errors": [error]}))
}
