//! PATCH of `/instance-date-types`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use crate::app::rename_date_type::rename_date_type;

/// PATCH: another name for a date type.
pub async fn patch(call: Call) -> Result<Response, ApiError> {
    let (id, form) = (call.id()?, call.record()?);
    rename_date_type(&call.context(), id, &form).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}
