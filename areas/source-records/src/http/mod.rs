//! mod-source-record-storage over HTTP: requests in, answers out; no decisions.

mod parameters;
pub mod records;
pub mod snapshots;
pub mod source_records;

use http::StatusCode;
use octavo_platform::{ApiError, Call};
use octavo_records::StoreError;

use crate::app::{Context, Refusal};

fn context(call: &Call) -> Context<'_> {
    Context {
        store: call.store(),
        tenant: &call.tenant,
        stamp: call.stamp(),
    }
}

fn answer(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::Store(StoreError::Duplicate { field, .. }) if field.contains("matchedId") => {
            ApiError::bad_request(
                "The record has this generation already; the incoming file may contain duplicates",
            )
        }
        Refusal::Store(error) => error.into(),
        Refusal::RecordNotFound(_)
        | Refusal::RecordOfNotFound { .. }
        | Refusal::SnapshotNotFound(_)
        | Refusal::NoGeneration(_) => ApiError::text(StatusCode::NOT_FOUND, refusal.to_string()),
        Refusal::SnapshotNotStarted(_) | Refusal::ExternalIdsMissing | Refusal::OtherRecord(..) => {
            ApiError::bad_request(refusal.to_string())
        }
    }
}
