//! Items: their statuses, and what locates them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::closed_set::closed_set;
use crate::wire_time;
use crate::{CampusId, InstitutionId, LibraryId, ServicePointId};

closed_set! {
    /// What an item can be, by its `status.name`.
    pub enum ItemStatus {
        /// Overdue for so long that a timer took it for lost.
        AgedToLost = "Aged to lost",
        /// On its shelf.
        Available = "Available",
        /// Waits to be brought to who asked for it.
        AwaitingDelivery = "Awaiting delivery",
        /// Waits on a hold shelf.
        AwaitingPickup = "Awaiting pickup",
        /// In a patron's hands.
        CheckedOut = "Checked out",
        /// The patron says that it came back; nobody has found it.
        ClaimedReturned = "Claimed returned",
        /// The patron says that it is lost.
        DeclaredLost = "Declared lost",
        /// Being prepared for the shelf.
        InProcess = "In process",
        /// The same, and not to be requested meanwhile.
        InProcessNonRequestable = "In process (non-requestable)",
        /// On its way between service points.
        InTransit = "In transit",
        /// A description without a volume of its own.
        IntellectualItem = "Intellectual item",
        /// Not found for so long that nobody searches any more.
        LongMissing = "Long missing",
        /// Lost, and what was owed for it is settled.
        LostAndPaid = "Lost and paid",
        /// Not found.
        Missing = "Missing",
        /// Ordered, not there yet.
        OnOrder = "On order",
        /// Its order was closed before it came.
        OrderClosed = "Order closed",
        /// To be fetched from the shelf for a request.
        Paged = "Paged",
        /// Not for everybody.
        Restricted = "Restricted",
        /// Not to be had for now.
        Unavailable = "Unavailable",
        /// Nobody knows.
        Unknown = "Unknown",
        /// Taken from the collection.
        Withdrawn = "Withdrawn",
    }
}

impl ItemStatus {
    /// The status of an item's document; none where it has none that there is.
    #[must_use]
    pub fn of(item: &Value) -> Option<ItemStatus> {
        ItemStatus::named(item.get("status")?.get("name")?.as_str()?)
    }

    /// The status of this name. What an item without one is nobody knows.
    #[must_use]
    pub fn or_unknown(name: Option<&str>) -> ItemStatus {
        name.and_then(ItemStatus::named).unwrap_or(Self::Unknown)
    }

    /// Whether a loan of the item is about a loss or the claim that there is none: it keeps its due date.
    #[must_use]
    pub fn is_lost_or_claimed_returned(self) -> bool {
        matches!(
            self,
            Self::DeclaredLost | Self::ClaimedReturned | Self::AgedToLost
        )
    }
}

/// An item's status and since when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatedStatus {
    /// The status.
    pub name: ItemStatus,
    /// Since when.
    #[serde(
        default,
        with = "wire_time::optional",
        skip_serializing_if = "Option::is_none"
    )]
    pub date: Option<Timestamp>,
}

impl DatedStatus {
    /// A status from now on; its date stays when it is the same as before.
    #[must_use]
    pub fn become_at(self, name: ItemStatus, now: Timestamp) -> DatedStatus {
        let since = self.date.filter(|_| self.name == name);
        let date = since.or(Some(now));
        DatedStatus { name, date }
    }

    /// Writes the status into an item's document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let mut status = Map::new();
        status.insert("name".into(), self.name.into());
        if let Some(date) = self.date {
            status.insert("date".into(), wire_time::format(date).into());
        }
        document.insert("status".into(), Value::Object(status));
    }
}

/// A location with the units above it and the service points that serve it; reads a stored location.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Place {
    /// The institution.
    pub institution_id: Option<InstitutionId>,
    /// The campus.
    pub campus_id: Option<CampusId>,
    /// The library.
    pub library_id: Option<LibraryId>,
    /// The service point that items of the location return to.
    pub primary_service_point: Option<ServicePointId>,
    /// All service points that serve the location.
    #[serde(default)]
    pub service_point_ids: Vec<ServicePointId>,
}

impl Place {
    /// Whether a service point serves the location.
    #[must_use]
    pub fn is_served_by(&self, service_point_id: ServicePointId) -> bool {
        self.primary_service_point == Some(service_point_id)
            || self.service_point_ids.contains(&service_point_id)
    }
}
