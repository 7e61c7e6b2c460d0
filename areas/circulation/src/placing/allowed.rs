//! Which kinds of request an item can have in which of its statuses.

use crate::allowed_points::kinds_for_status;
use crate::facts::RequestType;

/// Whether an item of this status can be asked for in this way.
#[must_use]
pub fn allows(kind: RequestType, status: &str) -> bool {
    kinds_for_status(status).contains(&kind)
}
