//! Lists of settings and blocks for whose new records FOLIO has hand-written refusals.

use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Operation};
use octavo_records::StoreError;

/// A new record that exists already or has a dangling reference is refused without a reason.
pub const HOOKS: Hooks = Hooks {
    wording,
    ..Hooks::NONE
};

pub(super) fn wording(refused: Refused<'_>) -> ApiError {
    match refused.operation {
        Operation::Create => of_new(refused.error),
        _ => refused.as_stored(),
    }
}

/// Why a new record was not stored.
pub(super) fn of_new(error: StoreError) -> ApiError {
    match error {
        StoreError::Duplicate { .. } | StoreError::MissingReference { .. } => {
            ApiError::bad_request("Unable to process request")
        }
        other => other.into(),
    }
}
