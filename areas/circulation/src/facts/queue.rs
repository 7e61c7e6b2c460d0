//! The queue of open requests for an item, or for its instance where title level requests are
//! allowed, and the question circulation asks: whose turn it is.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use super::Item;
use crate::wire_time;

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RequestType {
    /// To get the item when it is back.
    Hold,
    /// To have the item called back.
    Recall,
    /// To have the item fetched from the shelf.
    Page,
}

impl RequestType {
    /// The name on the wire.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Hold => "Hold",
            Self::Recall => "Recall",
            Self::Page => "Page",
        }
    }

    /// The type of a name, in any case of letters.
    #[must_use]
    pub fn named(name: &str) -> Option<RequestType> {
        let all = [Self::Hold, Self::Recall, Self::Page];
        let mut all = all.into_iter();
        all.find(|one| one.name().eq_ignore_ascii_case(name))
    }
}

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum RequestLevel {
    /// One item.
    #[default]
    Item,
    /// Any item of an instance.
    Title,
}

/// Where a request stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RequestStatus {
    /// Waits for an item.
    #[serde(rename = "Open - Not yet filled")]
    NotYetFilled,
    /// The item waits on the hold shelf.
    #[serde(rename = "Open - Awaiting pickup")]
    AwaitingPickup,
    /// The item is on its way.
    #[serde(rename = "Open - In transit")]
    InTransit,
    /// The item waits to be delivered.
    #[serde(rename = "Open - Awaiting delivery")]
    AwaitingDelivery,
    /// The requester has the item.
    #[serde(rename = "Closed - Filled")]
    Filled,
    /// Cancelled.
    #[serde(rename = "Closed - Cancelled")]
    Cancelled,
    /// Expired unfilled.
    #[serde(rename = "Closed - Unfilled")]
    Unfilled,
    /// Not picked up in time.
    #[serde(rename = "Closed - Pickup expired")]
    PickupExpired,
}

impl RequestStatus {
    /// All there are, in FOLIO's order.
    pub const ALL: [RequestStatus; 8] = [
        Self::NotYetFilled,
        Self::AwaitingPickup,
        Self::InTransit,
        Self::AwaitingDelivery,
        Self::Filled,
        Self::Cancelled,
        Self::Unfilled,
        Self::PickupExpired,
    ];

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotYetFilled => "Open - Not yet filled",
            Self::AwaitingPickup => "Open - Awaiting pickup",
            Self::InTransit => "Open - In transit",
            Self::AwaitingDelivery => "Open - Awaiting delivery",
            Self::Filled => "Closed - Filled",
            Self::Cancelled => "Closed - Cancelled",
            Self::Unfilled => "Closed - Unfilled",
            Self::PickupExpired => "Closed - Pickup expired",
        }
    }

    /// The status of a name, in any case of letters.
    #[must_use]
    pub fn named(name: &str) -> Option<RequestStatus> {
        let mut all = Self::ALL.into_iter();
        all.find(|one| one.name().eq_ignore_ascii_case(name))
    }

    /// Whether the request is still in the queue.
    pub fn is_open(self) -> bool {
        matches!(
            self,
            Self::NotYetFilled | Self::AwaitingPickup | Self::InTransit | Self::AwaitingDelivery
        )
    }
}

/// How the requester gets the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum FulfillmentPreference {
    /// From the hold shelf of a service point.
    #[serde(rename = "Hold Shelf")]
    HoldShelf,
    /// Delivered to an address.
    Delivery,
}

/// An open request; reads a stored request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueuedRequest {
    /// The request's id.
    pub id: Uuid,
    /// Hold, recall or page.
    pub request_type: RequestType,
    /// Item or title.
    #[serde(default)]
    pub request_level: RequestLevel,
    /// Where it stands.
    pub status: RequestStatus,
    /// Who asks.
    pub requester_id: Uuid,
    /// The instance asked for.
    pub instance_id: Option<Uuid>,
    /// The item asked for, or set aside for a title.
    pub item_id: Option<Uuid>,
    /// Place in the queue, from 1.
    pub position: Option<u32>,
    /// How the requester gets the item.
    pub fulfillment_preference: FulfillmentPreference,
    /// Where the requester picks the item up.
    pub pickup_service_point_id: Option<Uuid>,
    /// Until when the item waits on the hold shelf.
    #[serde(default, with = "wire_time::optional")]
    pub hold_shelf_expiration_date: Option<Timestamp>,
    /// The requester's group, as far as it was read; not part of the stored record.
    #[serde(skip)]
    pub patron_group: Option<Uuid>,
    /// Whether the circulation rules allow this requester both a request of this type and a loan
    /// of the item at hand. Asked for title level requests only; not part of the stored record.
    #[serde(skip, default = "allowed")]
    pub allowed_by_rules: bool,
}

fn allowed() -> bool {
    true
}

/// Open requests in order of position. Of a long queue only those may be here that an act can
/// depend on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RequestQueue {
    requests: Vec<QueuedRequest>,
    size: usize,
}

impl RequestQueue {
    /// Puts requests in order; closed ones are left out.
    pub fn new(requests: impl IntoIterator<Item = QueuedRequest>) -> Self {
        let mut requests: Vec<_> = requests
            .into_iter()
            .filter(|request| request.status.is_open())
            .collect();
        requests.sort_by_key(|request| request.position.unwrap_or(0));
        let size = requests.len();
        Self { requests, size }
    }

    /// The same, of a queue that has as many requests as given.
    #[must_use]
    pub fn of_size(mut self, size: usize) -> Self {
        self.size = self.size.max(size);
        self
    }

    /// How many requests wait.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether anybody waits for any item of a title.
    pub fn has_requests_of_title(&self) -> bool {
        let mut requests = self.requests.iter();
        requests.any(|request| request.request_level == RequestLevel::Title)
    }

    /// Keeps what the circulation rules say of each request for a title and the item at hand.
    pub fn ask_rules(&mut self, allow: impl Fn(&QueuedRequest) -> bool) {
        for request in &mut self.requests {
            if request.request_level == RequestLevel::Title {
                request.allowed_by_rules = allow(request);
            }
        }
    }

    /// The requests in order.
    pub fn requests(&self) -> &[QueuedRequest] {
        &self.requests
    }

    /// Whose turn it is when the item is lent.
    pub fn first_for_check_out(&self, item: &Item) -> Option<&QueuedRequest> {
        self.requests
            .iter()
            .find(|request| match request.request_level {
                RequestLevel::Item => request.item_id == Some(item.id),
                RequestLevel::Title => {
                    request.instance_id == Some(item.instance_id)
                        && match request.request_type {
                            RequestType::Recall => request.item_id == Some(item.id),
                            _ => request.may_take(item),
                        }
                }
            })
    }

    /// Whose turn it is when the item comes back: here a recall of the title takes any item too.
    pub fn first_for_check_in(&self, item: &Item) -> Option<&QueuedRequest> {
        self.requests
            .iter()
            .find(|request| match request.request_level {
                RequestLevel::Item => request.item_id == Some(item.id),
                RequestLevel::Title => {
                    let concerned = request.item_id == Some(item.id)
                        || request.instance_id == Some(item.instance_id);
                    let unfilled_recall = request.request_type == RequestType::Recall
                        && request.status == RequestStatus::NotYetFilled;
                    concerned
                        && if unfilled_recall {
                            request.allowed_by_rules
                        } else {
                            request.may_take(item)
                        }
                }
            })
    }

    /// Whether a hold still waits for this item or for any of the title.
    pub fn has_unfilled_hold(&self, item: &Item) -> bool {
        self.requests.iter().any(|request| {
            request.request_type == RequestType::Hold
                && request.status == RequestStatus::NotYetFilled
                && request.item_id.is_none_or(|id| id == item.id)
        })
    }

    /// Whether someone else than the request given recalls this item.
    pub fn has_other_recall(&self, item: &Item, except: Option<Uuid>) -> bool {
        self.requests.iter().any(|request| {
            request.request_type == RequestType::Recall
                && request.item_id == Some(item.id)
                && Some(request.id) != except
        })
    }
}

impl QueuedRequest {
    /// A title level request takes an item when none or this one is set aside for it and the
    /// rules allow.
    fn may_take(&self, item: &Item) -> bool {
        self.item_id.is_none_or(|id| id == item.id) && self.allowed_by_rules
    }
}
