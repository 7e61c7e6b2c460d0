//! `/patron-block-conditions`, as far as it has rules of its own.

use axum::response::Response;
use octavo_platform::{ApiError, Call};

use crate::app::block_rules::check_condition;

/// A condition replaced.
///
/// # Errors
/// 404 when there is none, 422 when it blocks without a message or the reverse.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    super::replace(&call, "patron_block_conditions", check_condition).await
}
