//! Requests: their types, levels, statuses and fulfillment preferences.

use serde_json::{Map, Value};

use crate::closed_set::closed_set;

closed_set! {
    pub enum RequestType {
        /// Wait for the item's return.
        Hold = "Hold",
        /// Call the item back from its borrower.
        Recall = "Recall",
        /// Fetch the available item from the shelf.
        Page = "Page",
    }
}

closed_set! {
    /// Whether a request is for an item or for any item of a title.
    #[derive(Default)]
    pub enum RequestLevel {
        #[default]
        Item = "Item",
        /// Any item of an instance.
        Title = "Title",
    }
}

closed_set! {
    /// A request's `status`.
    pub enum RequestStatus {
        /// Waits for an item.
        NotYetFilled = "Open - Not yet filled",
        /// The item waits on the hold shelf.
        AwaitingPickup = "Open - Awaiting pickup",
        /// The item is on its way.
        InTransit = "Open - In transit",
        /// The item waits to be delivered.
        AwaitingDelivery = "Open - Awaiting delivery",
        /// The requester has got the item.
        Filled = "Closed - Filled",
        Cancelled = "Closed - Cancelled",
        /// Expired without an item.
        Unfilled = "Closed - Unfilled",
        /// Not picked up in time.
        PickupExpired = "Closed - Pickup expired",
    }
}

impl RequestStatus {
    /// The status of a request's document; `None` for a missing or unknown one.
    #[must_use]
    pub fn of(request: &Map<String, Value>) -> Option<RequestStatus> {
        RequestStatus::named(request.get("status")?.as_str()?)
    }

    /// Whether the request is still in the queue.
    #[must_use]
    pub const fn is_open(self) -> bool {
        match self {
            Self::NotYetFilled
            | Self::AwaitingPickup
            | Self::InTransit
            | Self::AwaitingDelivery => true,
            Self::Filled | Self::Cancelled | Self::Unfilled | Self::PickupExpired => false,
        }
    }
}

closed_set! {
    /// How the item reaches the requester.
    pub enum FulfillmentPreference {
        /// From the hold shelf of a service point.
        HoldShelf = "Hold Shelf",
        /// Delivered to an address.
        Delivery = "Delivery",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_whether_a_request_is_open() {
        for status in RequestStatus::ALL {
            assert_eq!(status.is_open(), status.name().starts_with("Open - "));
        }
    }

    #[test]
    fn a_set_is_read_by_its_names_and_written_by_them() {
        for status in RequestStatus::ALL {
            let text = format!("\"{status}\"");
            assert_eq!(serde_json::to_string(status).ok().as_ref(), Some(&text));
            assert_eq!(serde_json::from_str(&text).ok(), Some(*status));
            assert_eq!(status.sql(), format!("'{status}'"));
            let shouted = status.name().to_uppercase();
            assert_eq!(RequestStatus::named(&shouted), None);
            assert_eq!(RequestStatus::named_in_any_case(&shouted), Some(*status));
        }
        assert!(serde_json::from_str::<RequestStatus>("\"Open\"").is_err());
    }
}
