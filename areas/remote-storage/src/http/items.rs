//! Items that come from a storage, return to it, or are not found there.

use std::sync::Arc;

use axum::body::Body as Text;
use axum::response::Response;
use http::{HeaderValue, StatusCode, header};
use octavo_circulation::config_cache::ConfigCache;
use octavo_platform::{Answer, ApiError, Call};
use serde_json::json;

use super::dock;
use super::parameters::segment;
use super::refusal::in_form;
use crate::app::arrive::{arrive, arrive_for_hold};
use crate::app::mark_missing::mark_missing;
use crate::app::take_back::take_back;
use crate::rules::body::Body;

const STORAGE: &str = "remoteStorageConfigurationId";

fn barcode(call: &Call) -> Result<String, ApiError> {
    let sent = call.json().map_err(in_form)?;
    let mut body = Body::new(&sent);
    let barcode = body.text("itemBarcode");
    body.done(barcode).map_err(Answer::answer)
}

/// An empty text.
fn text(status: StatusCode) -> Response {
    let mut response = Response::new(Text::empty());
    *response.status_mut() = status;
    let plain = HeaderValue::from_static("text/plain");
    response.headers_mut().insert(header::CONTENT_TYPE, plain);
    response
}

/// 200 when the item is checked in.
///
/// # Errors
/// 400 when no service point serves it.
pub async fn check_in(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let (storage, barcode) = (segment(&call, STORAGE)?, barcode(&call)?);
    arrive(dock(&call, &cache), storage, &barcode).await?;
    Ok(text(StatusCode::OK))
}

/// 200 when the item of a request is checked in.
///
/// # Errors
/// 400 when none was sent, or no service point serves it.
pub async fn check_in_by_hold(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let storage = segment(&call, STORAGE)?;
    let sent = call.json().map_err(in_form)?;
    let mut body = Body::new(&sent);
    let hold = body.id("holdId");
    let hold = body.done(hold).map_err(Answer::answer)?;
    arrive_for_hold(dock(&call, &cache), storage, hold).await?;
    Ok(text(StatusCode::OK))
}

/// 200 with whether somebody waits for the item.
///
/// # Errors
/// 400 when there is no such storage, or no service point.
pub async fn give_back(cache: Arc<ConfigCache>, call: Call) -> Result<Response, ApiError> {
    let (storage, barcode) = (segment(&call, STORAGE)?, barcode(&call)?);
    let is_awaited = take_back(dock(&call, &cache), storage, &barcode).await?;
    let answer = json!({"isHoldRecallRequestExist": is_awaited});
    Ok(super::json(StatusCode::OK, &answer))
}

/// 201, also for a barcode that no item has.
///
/// # Errors
/// 500 when the item's status does not allow it.
pub async fn missing(call: Call) -> Result<Response, ApiError> {
    mark_missing(&call.context(), call.segment("barcode")).await?;
    Ok(text(StatusCode::CREATED))
}
