//! `/users`: writes. The routes that read are generic.

use axum::response::Response;
use http::{Method, StatusCode};
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};
use serde_json::Value;
use uuid::Uuid;

use super::refusal::{Writing, user};
use crate::app::{UserContext, delete_user, write_user};

/// POST `/users`.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.record()?;
    let stored = write_user::create(&UserContext::of(&call), document).await;
    let (id, stored) = stored.map_err(|refusal| user(refusal, Writing::New))?;
    Ok(created(stored, &id.to_string()))
}

/// PUT `/users/{id}`.
pub async fn change(call: Call) -> Result<Response, ApiError> {
    let (id, document) = (call.id()?, call.record()?);
    let changed = write_user::change(&UserContext::of(&call), id, document).await;
    changed.map_err(|refusal| user(refusal, Writing::Changed))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE `/users/{id}`.
pub async fn delete(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let deleted = delete_user::delete_user(&UserContext::of(&call), id).await;
    deleted.map_err(|refusal| user(refusal, Writing::Changed))?;
    delete_remote_blocks(&call, id).await;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Asks a remote module for fees to delete the user's blocks. The user is deleted already: a failure is
/// only logged, as in mod-users.
async fn delete_remote_blocks(call: &Call, user: Uuid) {
    const BLOCKS_MAX: usize = 1_000;
    let Some(fees) = call.remote("feesfines") else {
        return;
    };
    let path = format!("/manualblocks?query=userId%3D%3D{user}&limit={BLOCKS_MAX}");
    let listed = match fees.send(call, Method::GET, &path, None).await {
        Ok(answer) => answer.json(),
        Err(error) => Err(error),
    };
    let blocks: Vec<Value> = match listed {
        Ok(mut page) => match page["manualblocks"].take() {
            Value::Array(blocks) => blocks,
            _ => Vec::new(),
        },
        Err(error) => {
            tracing::warn!(%user, status = %error.status(), "a deleted user's blocks cannot be listed");
            return;
        }
    };
    let ids = blocks.iter().filter_map(|block| block["id"].as_str());
    for id in ids.filter(|id| Uuid::try_parse(id).is_ok()) {
        let path = format!("/manualblocks/{id}");
        if let Err(error) = fees.send(call, Method::DELETE, &path, None).await {
            tracing::warn!(%user, status = %error.status(), "a deleted user's block stays");
        }
    }
}

/// DELETE `/users?query=`.
///
/// # Errors
/// 400 without a query, and the store's refusals.
pub async fn delete_by_query(call: Call) -> Result<Response, ApiError> {
    let query = call.parameter("query")?;
    let Some(query) = query.filter(|query| !query.trim().is_empty()) else {
        return Err(ApiError::bad_request(
            "Expected CQL but query parameter is empty",
        ));
    };
    let deleted = delete_user::delete_users(&UserContext::of(&call), &query).await;
    deleted.map_err(|refusal| user(refusal, Writing::Changed))?;
    Ok(empty(StatusCode::NO_CONTENT))
}
