//! Which kinds of request an item can have in which of its statuses.

use crate::facts::RequestType;

/// Whether an item of this status can be asked for in this way.
#[must_use]
pub fn allows(kind: RequestType, status: &str) -> bool {
    match kind {
        RequestType::Page => matches!(status, "Available" | "Restricted"),
        RequestType::Recall => waits(status),
        RequestType::Hold => waits(status) || status == "Missing",
    }
}

/// The item will be there some day.
fn waits(status: &str) -> bool {
    matches!(
        status,
        "Checked out"
            | "Awaiting pickup"
            | "Awaiting delivery"
            | "In transit"
            | "Paged"
            | "On order"
            | "In process"
            | "Restricted"
    )
}
