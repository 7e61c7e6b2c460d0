//! `/inventory/items/move` and `/inventory/holdings/move`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::pretty;
use octavo_platform::{ApiError, Call};
use serde_json::json;

use crate::app::move_holdings::move_holdings;
use crate::app::move_items::move_items;
use crate::rules::move_form::{self, Move, MoveKind};

/// POST: items get other holdings; 200 with the ids that no item has.
///
/// # Errors
/// 422 when something is missing or the holdings do not exist, 413 when there are too many.
pub async fn items(call: Call) -> Result<Response, ApiError> {
    let wanted = read(&call, &move_form::ITEMS)?;
    let missed = move_items(&call.context(), wanted).await?;
    Ok(not_moved(&missed))
}

/// POST: holdings get another instance; 200 with the ids that no holdings have.
///
/// # Errors
/// 422 when something is missing or the instance does not exist, 413 when there are too many.
pub async fn holdings(call: Call) -> Result<Response, ApiError> {
    let wanted = read(&call, &move_form::HOLDINGS)?;
    let missed = move_holdings(&call.context(), wanted).await?;
    Ok(not_moved(&missed))
}

fn read(call: &Call, kind: &MoveKind) -> Result<Move, ApiError> {
    move_form::read(&call.json()?, kind)
        .map_err(|(sentence, key)| ApiError::invalid(sentence, key, "null"))
}

fn not_moved(ids: &[String]) -> Response {
    pretty(StatusCode::OK, &json!({"nonUpdatedIds": ids}))
}
