//! `/patron-block-limits`, as far as it has rules of its own.

use axum::response::Response;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call};

use super::{collection, refused};
use crate::app::block_rules::check_limit;

const TABLE: &str = "patron_block_limits";

/// A new limit.
///
/// # Errors
/// 422 when it does not fit its condition or its shape.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let document = call.json()?;
    check_limit(&document).map_err(refused)?;
    let store = call.store();
    let (id, stored) = store
        .create(
            &call.tenant,
            collection(&call, TABLE),
            document,
            &call.stamp(),
        )
        .await?;
    Ok(created(stored, &id.to_string()))
}

/// A limit replaced.
///
/// # Errors
/// 404 when there is none, 422 as [`create`].
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    super::replace(&call, TABLE, check_limit).await
}
