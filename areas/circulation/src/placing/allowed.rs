//! Which kinds of request an item can have in which of its statuses.

use octavo_library::{ItemStatus, RequestType};

use crate::allowed_points::kinds_for_status;

/// Whether an item of this status can be asked for in this way.
#[must_use]
pub fn allows(kind: RequestType, status: ItemStatus) -> bool {
    kinds_for_status(status).contains(&kind)
}
