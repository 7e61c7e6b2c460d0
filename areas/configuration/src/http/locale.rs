//! `/locale`

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, pretty};
use octavo_platform::{ApiError, Call};
use serde_json::Value;

use super::small_json;
use crate::app::locale::Locale;
use crate::app::set_locale::set_locale;
use crate::store::tenant;

/// 200 with the locale or the default.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let stored = tenant::locale(&store.database, &call.tenant, &store.catalog).await?;
    let locale = Locale::stored(stored.as_deref());
    Ok(pretty(StatusCode::OK, &locale.document()))
}

/// 201 without a body.
///
/// # Errors
/// 400 when something is missing or wrong.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let Value::Object(document) = small_json(&call)? else {
        return Err(ApiError::bad_request("locale missing"));
    };
    let locale = Locale::sent(&document).map_err(|wrong| ApiError::bad_request(wrong.message()))?;
    set_locale(call.writer(), &call.tenant, &locale, &call.stamp()).await?;
    Ok(empty(StatusCode::CREATED))
}
