//! The kinds of request, and which of them the status of an item allows, whatever a policy says.

use octavo_library::{ItemStatus, RequestType};

/// The kinds of request, in the order of FOLIO's responses.
pub const KINDS: [RequestType; 3] = [RequestType::Hold, RequestType::Recall, RequestType::Page];

/// The kinds of request that can be made for an item of this status. For a status that FOLIO's
/// circulation does not know (a closed order), only holds.
#[must_use]
pub fn kinds_for_status(status: ItemStatus) -> &'static [RequestType] {
    use ItemStatus::{
        AgedToLost, Available, AwaitingDelivery, AwaitingPickup, CheckedOut, ClaimedReturned,
        DeclaredLost, InProcess, InProcessNonRequestable, InTransit, IntellectualItem, LongMissing,
        LostAndPaid, Missing, OnOrder, OrderClosed, Paged, Restricted, Unavailable, Unknown,
        Withdrawn,
    };
    use RequestType::{Hold, Page, Recall};
    match status {
        Available => &[Page],
        Restricted => &[Hold, Recall, Page],
        CheckedOut | AwaitingPickup | AwaitingDelivery | InTransit | Paged | OnOrder
        | InProcess => &[Hold, Recall],
        DeclaredLost
        | ClaimedReturned
        | Withdrawn
        | LostAndPaid
        | AgedToLost
        | IntellectualItem
        | InProcessNonRequestable
        | LongMissing
        | Unavailable
        | Unknown => &[],
        Missing | OrderClosed => &[Hold],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_status_of_an_item_decides_what_can_be_asked() {
        use RequestType::{Hold, Page, Recall};
        for (status, kinds) in [
            (ItemStatus::Available, &[Page][..]),
            (ItemStatus::Restricted, &[Hold, Recall, Page]),
            (ItemStatus::CheckedOut, &[Hold, Recall]),
            (ItemStatus::Paged, &[Hold, Recall]),
            (ItemStatus::Missing, &[Hold]),
            (ItemStatus::OrderClosed, &[Hold]),
            (ItemStatus::DeclaredLost, &[]),
            (ItemStatus::LongMissing, &[]),
            (ItemStatus::InProcess, &[Hold, Recall]),
            (ItemStatus::InProcessNonRequestable, &[]),
        ] {
            assert_eq!(kinds_for_status(status), kinds, "{status}");
        }
    }
}
