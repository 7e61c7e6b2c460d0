//! The kinds of request, and which of them the status of an item allows, whatever a policy says.

use crate::facts::RequestType;

/// The kinds of request, in the order in which FOLIO tells them.
pub const KINDS: [RequestType; 3] = [RequestType::Hold, RequestType::Recall, RequestType::Page];

/// The kinds of request that can be made for an item of this status. Of one that FOLIO's circulation
/// does not know, holds alone.
#[must_use]
pub fn kinds_for_status(status: &str) -> &'static [RequestType] {
    use RequestType::{Hold, Page, Recall};
    match status.to_lowercase().as_str() {
        "available" => &[Page],
        "restricted" => &[Hold, Recall, Page],
        "checked out" | "awaiting pickup" | "awaiting delivery" | "in transit" | "paged"
        | "on order" | "in process" => &[Hold, Recall],
        "declared lost"
        | "claimed returned"
        | "withdrawn"
        | "lost and paid"
        | "aged to lost"
        | "intellectual item"
        | "in process (non-requestable)"
        | "long missing"
        | "unavailable"
        | "unknown" => &[],
        // "Missing" and whatever FOLIO has no name for.
        _ => &[Hold],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_an_item_decides_what_can_be_asked() {
        use RequestType::{Hold, Page, Recall};
        for (status, kinds) in [
            ("Available", &[Page][..]),
            ("Restricted", &[Hold, Recall, Page]),
            ("Checked out", &[Hold, Recall]),
            ("Paged", &[Hold, Recall]),
            ("Missing", &[Hold]),
            ("Order closed", &[Hold]),
            ("Declared lost", &[]),
            ("Long missing", &[]),
            ("In process", &[Hold, Recall]),
            ("In process (non-requestable)", &[]),
        ] {
            assert_eq!(kinds_for_status(status), kinds, "{status}");
        }
    }
}
