//! What writes `/instance-storage/instance-relationships`.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use crate::app::{Refusal, relate_instances};

/// POST: a new relationship.
///
/// # Errors
/// FOLIO's refusals; its interface declares no error list for duplicates and missing references.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let link = call.record()?;
    let (id, stored) = relate_instances::create_relationship(&call.context(), link)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(created(stored, &id.to_string()))
}

/// PUT: a relationship replaced.
///
/// # Errors
/// As POST's.
pub async fn replace(call: Call) -> Result<Response, ApiError> {
    let (id, link) = (call.id()?, call.record()?);
    relate_instances::replace_relationship(&call.context(), id, link)
        .await
        .map_err(Refusal::in_plain_text)?;
    Ok(empty(StatusCode::NO_CONTENT))
}
