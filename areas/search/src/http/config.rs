//! `/browse/config`.

use ::http::StatusCode;
use axum::response::Response;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::{form, ok, place, refusal};
use crate::app::config::{OptionForm, options, set_option};

/// The options of a list.
pub async fn list(call: Call) -> Result<Response, ApiError> {
    let found = options(place(&call), call.segment("browseType")).await;
    Ok(ok(&found.map_err(refusal::of)?))
}

/// Changes an option.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let form: OptionForm = form(&call)?;
    let (list, id) = (call.segment("browseType"), call.segment("browseConfigId"));
    let done = set_option(place(&call), list, id, &form).await;
    done.map_err(refusal::of)?;
    Ok(empty(StatusCode::OK))
}
