//! mod-source-record-storage over HTTP: requests and responses, no decisions.

pub mod batch;
pub mod matching;
pub mod migrations;
mod parameters;
pub mod records;
pub mod snapshots;
pub mod source_records;
pub mod stream;

use http::StatusCode;
use octavo_platform::ApiError;
use octavo_records::StoreError;

use crate::app::Refusal;

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
        Refusal::MigrationUnderWay(_) => ApiError::text(StatusCode::CONFLICT, refusal.to_string()),
        Refusal::SnapshotNotStarted(_)
        | Refusal::ExternalIdsMissing
        | Refusal::OtherRecord(..)
        | Refusal::SeveralSnapshots
        | Refusal::SeveralTypes
        | Refusal::ParsedIdMissing
        | Refusal::AlreadySaved
        | Refusal::TooMany(_)
        | Refusal::UnknownMigrations(_) => ApiError::bad_request(refusal.to_string()),
    }
}
