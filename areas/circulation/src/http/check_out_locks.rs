//! `/check-out-lock-storage`: locks that clients hold during a check-out.

use axum::response::Response;
use http::StatusCode;
use octavo_library::UserId;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::store::check_out_lock as locks;

/// 201 with the lock.
///
/// # Errors
/// 503 when another client has it, 422 when the request is not well formed.
pub async fn take(call: Call) -> Result<Response, ApiError> {
    let body = call.json()?;
    let given = body
        .get("userId")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let user = UserId::parse(given)
        .ok_or_else(|| ApiError::invalid("must be the UUID of a user", "userId", given))?;
    let milliseconds = match body.get("ttlMs") {
        None | Some(Value::Null) => 0,
        Some(number) => number
            .as_i64()
            .filter(|number| i32::try_from(*number).is_ok())
            .ok_or_else(|| {
                let message = "must be a whole number of milliseconds below 2147483648";
                ApiError::invalid(message, "ttlMs", number.to_string())
            })?,
    };
    let database = &call.store().database;
    match locks::take(database, call.tables(), user, milliseconds).await? {
        Some(lock) => Ok(pretty(StatusCode::CREATED, &lock)),
        None => Err(ApiError::text(
            StatusCode::SERVICE_UNAVAILABLE,
            "Unable to acquire lock",
        )),
    }
}

/// 200 with the locks of a user.
///
/// # Errors
/// 422 when no user is named.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let given = call.parameter("userId")?.unwrap_or_default();
    let Some(user) = UserId::parse(&given) else {
        return Err(ApiError::text(
            StatusCode::UNPROCESSABLE_ENTITY,
            "Invalid Parameters",
        ));
    };
    let paging = call.paging()?;
    let database = &call.store().database;
    let (limit, offset) = (paging.limit, paging.offset);
    let found = locks::of_user(database, call.tables(), user, limit, offset).await?;
    let answer = json!({"totalRecords": found.len(), "checkoutLocks": found});
    Ok(pretty(StatusCode::OK, &answer))
}

/// 200 with a lock, 404 without a body when there is none.
///
/// # Errors
/// 400 when the id is invalid.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    let found = locks::by_id(&call.store().database, call.tables(), id).await?;
    Ok(match found {
        Some(lock) => pretty(StatusCode::OK, &lock),
        None => empty(StatusCode::NOT_FOUND),
    })
}

/// 204, also when it does not exist.
///
/// # Errors
/// 400 when the id is invalid.
pub async fn give_back(call: Call) -> Result<Response, ApiError> {
    let id = id(&call)?;
    locks::give_back(&call.store().database, call.tables(), id).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

fn id(call: &Call) -> Result<Uuid, ApiError> {
    Uuid::try_parse(call.segment("lockId")).map_err(|_| ApiError::bad_request("Invalid lock id"))
}
