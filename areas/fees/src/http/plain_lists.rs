//! What a library sets up before it charges, and blocks: lists whose new records FOLIO refuses in words
//! written by hand.

use octavo_platform::records_http::{Hooks, Refused};
use octavo_platform::{ApiError, Operation};
use octavo_records::StoreError;

/// A new record that is there already, or names what is not, is refused without a reason.
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
