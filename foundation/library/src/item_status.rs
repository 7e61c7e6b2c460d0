//! The statuses of items.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::closed_set::closed_set;
use crate::wire_time;

closed_set! {
    /// An item's `status.name`.
    pub enum ItemStatus {
        /// Overdue for so long that a timer declared it lost.
        AgedToLost = "Aged to lost",
        /// On its shelf.
        Available = "Available",
        /// Waiting to be delivered to the requester.
        AwaitingDelivery = "Awaiting delivery",
        /// On the hold shelf.
        AwaitingPickup = "Awaiting pickup",
        /// On loan.
        CheckedOut = "Checked out",
        /// The patron claims to have returned it, and it has not been found.
        ClaimedReturned = "Claimed returned",
        /// Reported lost by the patron or staff.
        DeclaredLost = "Declared lost",
        /// Being prepared for the shelf.
        InProcess = "In process",
        /// In process, and not requestable meanwhile.
        InProcessNonRequestable = "In process (non-requestable)",
        /// On its way between service points.
        InTransit = "In transit",
        /// A description without a volume of its own.
        IntellectualItem = "Intellectual item",
        /// Not found, and no longer searched for.
        LongMissing = "Long missing",
        /// Lost, and the fees for it are settled.
        LostAndPaid = "Lost and paid",
        Missing = "Missing",
        /// Ordered, not received yet.
        OnOrder = "On order",
        /// The order was closed before it was received.
        OrderClosed = "Order closed",
        /// To be fetched from the shelf for a request.
        Paged = "Paged",
        Restricted = "Restricted",
        Unavailable = "Unavailable",
        Unknown = "Unknown",
        /// Taken from the collection.
        Withdrawn = "Withdrawn",
    }
}

impl ItemStatus {
    /// The status of an item's document; `None` for a missing or unknown one.
    #[must_use]
    pub fn of(item: &Value) -> Option<ItemStatus> {
        ItemStatus::named(item.get("status")?.get("name")?.as_str()?)
    }

    /// The status of this name; `Unknown` for an item without one.
    #[must_use]
    pub fn or_unknown(name: Option<&str>) -> ItemStatus {
        name.and_then(ItemStatus::named).unwrap_or(Self::Unknown)
    }

    /// Whether a loan of the item concerns a loss or a claimed return; such loans keep their due
    /// date.
    #[must_use]
    pub fn is_lost_or_claimed_returned(self) -> bool {
        matches!(
            self,
            Self::DeclaredLost | Self::ClaimedReturned | Self::AgedToLost
        )
    }
}

/// An item's status and its date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedStatus {
    pub name: ItemStatus,
    /// When the item got it.
    #[serde(
        default,
        with = "wire_time::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub date: Option<Timestamp>,
}

impl DatedStatus {
    /// The status from now on; the date stays when the status is the same as before.
    #[must_use]
    pub fn become_at(self, name: ItemStatus, now: Timestamp) -> DatedStatus {
        let since = self.date.filter(|_| self.name == name);
        let date = since.or(Some(now));
        DatedStatus { name, date }
    }

    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let mut status = Map::new();
        status.insert("name".into(), self.name.into());
        if let Some(date) = self.date {
            status.insert("date".into(), wire_time::format(date).into());
        }
        document.insert("status".into(), Value::Object(status));
    }
}
