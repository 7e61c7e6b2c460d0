//! New records of what a library sets up before it charges, and of blocks: lists whose refusals FOLIO words
//! by hand.

use axum::response::Response;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;

use super::collection;

/// 201 with the record.
///
/// # Errors
/// 422 when it does not fit, 400 when it is there already or names what is not.
pub async fn create(call: Call, table: &'static str) -> Result<Response, ApiError> {
    let document = call.record()?;
    let (store, stamp) = (call.store(), call.stamp());
    let made = store.create(&call.tenant, collection(&call, table), document, &stamp);
    match made.await {
        Ok((id, stored)) => Ok(created(stored, &id.to_string())),
        Err(StoreError::Duplicate { .. } | StoreError::MissingReference { .. }) => {
            Err(ApiError::bad_request("Unable to process request"))
        }
        Err(other) => Err(other.into()),
    }
}
