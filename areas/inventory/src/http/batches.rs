//! The `batch/synchronous` routes and their `-unsafe` siblings: many records of one type, all of them or none.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use crate::app::store_batch::{Mode, store_holdings, store_instances, store_items};
use crate::rules::form::unrecognized;

/// POST of items.
pub async fn items(call: Call) -> Result<Response, ApiError> {
    let mode = mode(&call)?;
    store_items(&call.context(), list(&call, "items")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// The same without optimistic locking, for as long as the operator allows it.
pub async fn items_unsafe(call: Call) -> Result<Response, ApiError> {
    let mode = unsafe_mode(&call)?;
    store_items(&call.context(), list(&call, "items")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// POST of holdings.
pub async fn holdings(call: Call) -> Result<Response, ApiError> {
    let mode = mode(&call)?;
    store_holdings(&call.context(), list(&call, "holdingsRecords")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// The same without optimistic locking, for as long as the operator allows it.
pub async fn holdings_unsafe(call: Call) -> Result<Response, ApiError> {
    let mode = unsafe_mode(&call)?;
    store_holdings(&call.context(), list(&call, "holdingsRecords")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// POST of instances.
pub async fn instances(call: Call) -> Result<Response, ApiError> {
    let mode = mode(&call)?;
    store_instances(&call.context(), list(&call, "instances")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// The same without optimistic locking, for as long as the operator allows it.
pub async fn instances_unsafe(call: Call) -> Result<Response, ApiError> {
    let mode = unsafe_mode(&call)?;
    store_instances(&call.context(), list(&call, "instances")?, mode).await?;
    Ok(empty(StatusCode::CREATED))
}

/// The list in a body; its `totalRecords` is ignored.
pub(super) fn list(call: &Call, key: &str) -> Result<Vec<Value>, ApiError> {
    let mut body = call.record()?;
    let Value::Object(body) = &mut body else {
        return Err(ApiError::invalid("must be of type object", "", ""));
    };
    if let Some((sentence, other)) = unrecognized(body, &[key, "totalRecords"]) {
        return Err(ApiError::invalid(sentence, other, ""));
    }
    match body.shift_remove(key) {
        Some(Value::Array(records)) => Ok(records),
        None | Some(Value::Null) => Err(ApiError::invalid("must not be null", key, "null")),
        Some(_) => Err(ApiError::invalid("must be of type array", key, "")),
    }
}

fn mode(call: &Call) -> Result<Mode, ApiError> {
    match call.parameter("upsert")?.as_deref() {
        None | Some("false") => Ok(Mode::Create),
        Some("true") => Ok(Mode::Upsert),
        Some(other) => {
            let shown: String = other.chars().take(100).collect();
            Err(ApiError::bad_request(format!(
                "'upsert' parameter is incorrect. parameter value {{{shown}}} is not valid: must \
                 be true or false"
            )))
        }
    }
}

/// The mode of the interfaces without optimistic locking; FOLIO's status and message when the operator
/// does not allow it.
fn unsafe_mode(call: &Call) -> Result<Mode, ApiError> {
    let until = call
        .platform
        .gateway
        .admission
        .limits
        .suppress_locking_until;
    if until.is_some_and(|until| call.stamp().at < until) {
        return Ok(Mode::UpsertAny);
    }
    Err(ApiError::text(
        StatusCode::PAYLOAD_TOO_LARGE,
        "DB_ALLOW_SUPPRESS_OPTIMISTIC_LOCKING environment variable doesn't allow to disable \
         optimistic locking",
    ))
}
