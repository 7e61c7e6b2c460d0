//! Routes that use an object storage (S3) in FOLIO, which Octavo does not have: the refusal names the
//! alternative.

use axum::response::Response;
use http::StatusCode;
use octavo_platform::{ApiError, Call};

/// POST `/instance-storage/instances/bulk`: instances from a file.
///
/// # Errors
/// Always 501.
pub async fn bulk(_: Call) -> Result<Response, ApiError> {
    Err(ApiError::text(
        StatusCode::NOT_IMPLEMENTED,
        "Instances are not read from files in an object storage, since none is configured; send \
         them to /instance-storage/batch/synchronous?upsert=true",
    ))
}

/// POST `/inventory-reindex-records/export`: records into a file.
///
/// # Errors
/// Always 501.
pub async fn export(_: Call) -> Result<Response, ApiError> {
    Err(ApiError::text(
        StatusCode::NOT_IMPLEMENTED,
        "Records are not written to files in an object storage, since none is configured; send the \
         same request to /inventory-reindex-records/publish",
    ))
}
