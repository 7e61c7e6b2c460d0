//! `/inventory/items/{id}/mark-…`: a status that staff give to an item.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::json_bytes;
use octavo_platform::{ApiError, Call};

use crate::app::mark_item::mark_item;
use crate::rules::status_moves::Mark;
use crate::store::item_view;

/// POST without a body: 200 with the item as it is now.
///
/// # Errors
/// 404 when there is none, 422 when its status does not allow it.
pub async fn mark(call: Call, mark: Mark) -> Result<Response, ApiError> {
    let id = call.id()?;
    mark_item(&call.context(), id, mark).await?;
    let shown = super::shown(&call, &item_view::one(call.tenant.schema(), id)).await?;
    Ok(json_bytes(StatusCode::OK, shown))
}
