//! `/hrid-settings-storage/hrid-settings`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{empty, json_bytes};
use octavo_platform::{ApiError, Call};

use octavo_records::Context;

use crate::app::number_records;

/// GET: the settings with the current numbers.
pub async fn read(call: Call) -> Result<Response, ApiError> {
    // Read from the primary: a replica's sequences are ahead, since WAL logs sequence values in advance.
    let context = Context {
        store: call.writer(),
        ..call.context()
    };
    let settings = number_records::hrid_settings(&context).await?;
    Ok(json_bytes(StatusCode::OK, settings))
}

/// PUT: other settings; numbers start again.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    number_records::replace_hrid_settings(&call.context(), call.json()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
