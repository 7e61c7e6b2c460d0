//! Handlers: parse the request, call an operation, render the result. No SQL, no decisions.

pub mod mapping_metadata;
pub mod mapping_rules;
pub mod parsed_records;
pub mod records_editor;
mod refusal;

use octavo_mapping::RecordKind;
use octavo_platform::{ApiError, Call};

/// The kind of records that the path names.
fn kind_in_path(call: &Call) -> Result<RecordKind, ApiError> {
    RecordKind::named(call.segment("recordType")).ok_or_else(|| {
        ApiError::bad_request("Only marc-bib, marc-holdings or marc-authority supported")
    })
}
