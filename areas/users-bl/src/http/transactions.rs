//! `/bl-users/…/open-transactions`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::Value;
use uuid::Uuid;

use super::refusal;
use crate::app::open_transactions::open_transactions;
use crate::app::{Refusal, users};

/// 200 with a user's open transactions.
pub async fn by_id(call: Call) -> Result<Response, ApiError> {
    let id = call.id()?;
    let user = users::by_id(&call, id).await?;
    let user = user.ok_or_else(|| refusal::of(Refusal::NoSuchUser(id).into()))?;
    transactions_response(&call, id, &user).await
}

/// 200 with a user's open transactions.
///
/// # Errors
/// 404 when no user has this name.
pub async fn by_username(call: Call) -> Result<Response, ApiError> {
    let name = call.segment("id");
    let found = users::locate(&call, &["username".to_owned()], name).await;
    let user = found.map_err(refusal::of)?.pop();
    let id = user.as_ref().and_then(|user| user["id"].as_str());
    match (id.and_then(|id| Uuid::try_parse(id).ok()), &user) {
        (Some(id), Some(user)) => transactions_response(&call, id, user).await,
        _ => {
            let shown: String = name.chars().take(100).collect();
            Err(ApiError::text(
                StatusCode::NOT_FOUND,
                format!("Users with username '{shown}' not found"),
            ))
        }
    }
}

async fn transactions_response(call: &Call, id: Uuid, user: &Value) -> Result<Response, ApiError> {
    let open = open_transactions(call, id).await?;
    Ok(pretty(StatusCode::OK, &open.document(user)))
}
