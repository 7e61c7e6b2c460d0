//! DELETE of what lists in records refer to, and the timer that finds out who refers to what.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::empty;
use octavo_platform::{ApiError, Call};

use super::context;
use crate::app::delete_reference::{delete_reference, fill_references};

/// DELETE: a statistical code.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete_statistical_code(call: Call) -> Result<Response, ApiError> {
    delete(call, "statistical_code").await
}

/// DELETE: a subject source.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete_subject_source(call: Call) -> Result<Response, ApiError> {
    delete(call, "subject_source").await
}

/// DELETE: a subject type.
///
/// # Errors
/// FOLIO's refusals.
pub async fn delete_subject_type(call: Call) -> Result<Response, ApiError> {
    delete(call, "subject_type").await
}

async fn delete(call: Call, table: &'static str) -> Result<Response, ApiError> {
    delete_reference(&context(&call), table, call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Goes through the records that were there before the database kept who refers to what.
///
/// # Errors
/// When the database does not answer; what was done before is kept.
pub async fn fill(call: Call) -> Result<Response, ApiError> {
    let portions = fill_references(&context(&call)).await?;
    if portions > 0 {
        tracing::info!(tenant = call.tenant.id(), portions, "references were found");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}
