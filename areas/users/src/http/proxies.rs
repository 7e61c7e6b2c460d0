//! `/proxiesfor`: who may borrow on behalf of whom; each pair once, and nobody for themselves.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;
use serde_json::Value;

use super::collection;

const TABLE: &str = "proxyfor";

/// POST `/proxiesfor`.
///
/// # Errors
/// 422 when the pair is there already, or is no pair.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    if is_for_oneself(&document) {
        let user = document["userId"].as_str().unwrap_or_default();
        return Err(ApiError::invalid(ONESELF, "proxyUserId", user));
    }
    let id = document["id"].as_str().unwrap_or("null").to_owned();
    let (store, collection) = (&call.platform.store, collection(&call, TABLE));
    let stamp = call.stamp();
    let stored = store.create(&call.tenant, collection, document, &stamp);
    let (id, stored) = stored.await.map_err(|error| match error {
        StoreError::Duplicate { message, field, .. } if field == "userId" => {
            ApiError::invalid(message, "proxyFor", id)
        }
        other => other.into(),
    })?;
    Ok(created(stored, &id.to_string()))
}

/// PUT `/proxiesfor/{id}`.
///
/// # Errors
/// 400 when the pair is there already, or is no pair; 404 when there is none of this id.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (call.id()?, call.record()?);
    if is_for_oneself(&document) {
        return Err(ApiError::bad_request(ONESELF));
    }
    let (store, collection) = (&call.platform.store, collection(&call, TABLE));
    store
        .replace(&call.tenant, collection, id, document, &call.stamp())
        .await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

const ONESELF: &str =
    "A user cannot be their own proxy; name another user as userId or proxyUserId";

fn is_for_oneself(document: &Value) -> bool {
    match (
        document["userId"].as_str(),
        document["proxyUserId"].as_str(),
    ) {
        (Some(user), Some(proxy)) => user.eq_ignore_ascii_case(proxy),
        _ => false,
    }
}
