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
    match (refused.operation, &refused.error) {
        (Operation::Create, StoreError::Duplicate { .. } | StoreError::MissingReference { .. }) => {
            ApiError::bad_request("Unable to process request")
        }
        _ => refused.as_stored(),
    }
}
