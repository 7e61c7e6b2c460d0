//! `/message-delivery`

use std::sync::LazyLock;

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};
use octavo_records::Shape;

use super::{fitting, refused};
use crate::app::deliver;

static NOTIFICATION: LazyLock<Shape> = LazyLock::new(|| {
    Shape::parse(include_str!("../shapes/message_delivery.shape"))
        .expect("invariant: the shape is well formed")
});

/// Messages for a user, sent afterwards.
///
/// # Errors
/// 400 for an unknown channel or user.
pub async fn send(call: Call) -> Result<Response, ApiError> {
    let request = fitting(call.record()?, &NOTIFICATION)?;
    deliver::deliver(&call, &request).await.map_err(refused)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
