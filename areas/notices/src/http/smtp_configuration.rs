//! `/smtp-configuration`; all but creating is generic.

use axum::response::Response;
use octavo_platform::respond::created;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;

/// The mail server, if none is known yet.
///
/// # Errors
/// 422 when it does not fit or there is one.
pub async fn create(call: Call) -> Result<Response, ApiError> {
    let store = call.store();
    let configurations = store.catalog.declared("smtp_configuration");
    let outcome = store
        .create(&call.tenant, configurations, call.record()?, &call.stamp())
        .await;
    match outcome {
        Ok((id, stored)) => Ok(created(stored, &format!("/smtp-configuration/{id}"))),
        Err(StoreError::Duplicate { .. }) => Err(ApiError::invalid(
            "(true) value already exists in table smtp_configuration: t",
            "(true)",
            "t",
        )),
        Err(other) => Err(other.into()),
    }
}
