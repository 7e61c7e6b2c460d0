//! Entries of reference lists with special rules, and the timer that backfills the reference tables.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::respond::{created, empty};
use octavo_platform::{ApiError, Call};

use crate::app::delete_reference::{delete_reference, fill_references};
use crate::app::keep_list;

/// POST: a new entry of a list.
pub async fn create(call: Call, table: &'static str) -> Result<Response, ApiError> {
    let context = call.context();
    let (id, stored) = keep_list::create_entry(&context, table, call.record()?).await?;
    Ok(created(stored, &context.collection(table).location_of(id)))
}

/// PUT: an entry replaced.
pub async fn replace(call: Call, table: &'static str) -> Result<Response, ApiError> {
    let (id, entry) = (call.id()?, call.record()?);
    keep_list::replace_entry(&call.context(), table, id, entry).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE: an entry that records refer to by a property.
pub async fn delete(call: Call, table: &'static str) -> Result<Response, ApiError> {
    keep_list::delete_entry(&call.context(), table, call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// DELETE: an entry that records refer to in lists.
pub async fn delete_listed(call: Call, table: &'static str) -> Result<Response, ApiError> {
    delete_reference(&call.context(), table, call.id()?).await?;
    Ok(empty(StatusCode::NO_CONTENT))
}

/// Backfills the reference tables for records older than these tables.
///
/// # Errors
/// On a database error; what was committed before stays.
pub async fn fill(call: Call) -> Result<Response, ApiError> {
    let portions = fill_references(&call.context()).await?;
    if portions > 0 {
        tracing::info!(tenant = call.tenant.id(), portions, "references were found");
    }
    Ok(empty(StatusCode::NO_CONTENT))
}
