//! The request types that item statuses allow.

use octavo_library::{ItemStatus, RequestType};

use crate::allowed_points::kinds_for_status;

/// Whether an item of this status allows this request type.
#[must_use]
pub fn allows(kind: RequestType, status: ItemStatus) -> bool {
    kinds_for_status(status).contains(&kind)
}
