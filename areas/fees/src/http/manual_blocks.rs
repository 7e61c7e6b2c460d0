//! `/manualblocks`: writing them. They are read as any record.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call, of_record};

use super::plain_lists::of_new;
use crate::account_followers::Follower;
use crate::app::manual_block;

const TABLE: &str = "manualblocks";

/// 201 with the block.
pub async fn create(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let stored = manual_block::create(call.context(), follower.as_ref(), call.record()?).await;
    let (id, stored) = stored.map_err(of_new)?;
    Ok(created(stored, &call.collection(TABLE).location_of(id)))
}

/// 204.
pub async fn replace(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let (id, block) = (call.id()?, call.record()?);
    let changed = manual_block::change(call.context(), follower.as_ref(), id, block).await;
    changed.map_err(|error| of_record(error, call.collection(TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204.
pub async fn delete(follower: Arc<dyn Follower>, call: Call) -> Result<Response, ApiError> {
    let removed = manual_block::remove(call.context(), follower.as_ref(), call.id()?).await;
    removed.map_err(|error| of_record(error, call.collection(TABLE).missing.change))?;
    Ok(empty(StatusCode::NO_CONTENT))
}
