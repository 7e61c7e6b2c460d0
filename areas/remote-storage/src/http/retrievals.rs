//! `/remote-storage/retrievals`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};

use super::parameters::{created, flag, id, segment, window};
use crate::app::mark_done::{Done, mark_done};
use crate::store::queues::{Narrowed, RETRIEVALS, Rows};

/// 200 with a page.
///
/// # Errors
/// 400 for a parameter that cannot be read.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let narrowed = Narrowed {
        done: flag(&call, "retrieved")?,
        storage: id(&call, "storageId")?,
        created: created(&call)?,
    };
    let page = RETRIEVALS.page(call.store(), call.tables(), narrowed, window(&call)?);
    Ok(json_bytes(StatusCode::OK, page.await?))
}

/// 204 when the row was open.
///
/// # Errors
/// 404 when there is none.
pub async fn done_by_id(call: Call) -> Result<Response, ApiError> {
    let row = Rows::Id(segment(&call, "retrievalId")?);
    mark_done(&call.context(), Done::Retrieval(row)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// 204 when the item had open rows.
///
/// # Errors
/// 404 when it had none.
pub async fn done_by_barcode(call: Call) -> Result<Response, ApiError> {
    let rows = Rows::Barcode(call.segment("barcode"));
    mark_done(&call.context(), Done::Retrieval(rows)).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
