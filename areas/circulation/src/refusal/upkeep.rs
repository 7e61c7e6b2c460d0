//! Refusals of changing a request and of reordering a queue.

use octavo_library::RequestId;
use serde_json::Value;
use uuid::Uuid;

use super::error::{Parameters, text};

/// Why such an operation is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpkeepRefusal {
    /// The request is neither for an item nor, where that is allowed, for a title.
    LevelNotAllowed {
        /// What was given.
        level: Option<String>,
        /// Whether requests can be for titles.
        titles: bool,
    },
    /// The item is neither to be fetched nor to be delivered.
    FulfillmentNotAllowed {
        /// What was given.
        preference: Option<String>,
    },
    /// No title is named.
    WithoutInstance {
        /// What was given.
        id: Option<String>,
    },
    /// A request for an item names none.
    WithoutItem {
        /// What was given.
        id: Option<String>,
    },
    /// An item is named without its holdings.
    WithoutHoldings {
        /// What was given.
        id: Option<String>,
    },
    /// It does not say when it was made.
    WithoutRequestDate,
    /// The requester is named as their own proxy.
    OwnProxy {
        /// The user.
        id: String,
    },
    /// The proxy does not act for the requester.
    ProxyNotValid {
        /// The proxy.
        id: String,
    },
    /// A pickup request has no service point.
    WithoutPickupPoint { id: RequestId },
    /// The pickup service point does not exist.
    PickupPointNotFound {
        /// The id given.
        id: String,
    },
    /// The service point is not a pickup location.
    NotAPickupLocation {
        /// The service point.
        id: String,
    },
    /// The comment of the patron is another than it was.
    PatronCommentsChanged {
        /// What it is.
        existing: Option<String>,
    },
    /// The request is closed.
    AlreadyClosed { id: RequestId },
    /// It is cancelled for a reason that does not exist.
    CancellationReasonUnknown,
    /// The queues are those of items, and one of a title is meant; or the other way round.
    OtherQueues {
        /// Whether they are those of titles.
        titles: bool,
        /// `itemId` or `instanceId`.
        key: &'static str,
        /// The item or title.
        id: Uuid,
    },
    /// Positions are not consecutive from 1.
    NotSequential,
    /// The queue has other requests than those sent.
    Inconsistent,
    /// A page would not be first.
    PageDisplaced,
    /// The request of the item that gets it already would not be first.
    FilledDisplaced,
    /// The requests of the title that get their items already would not be first.
    FilledDisplacedFromTop,
}

impl UpkeepRefusal {
    /// FOLIO's message.
    pub(super) fn message(&self) -> String {
        match self {
            Self::LevelNotAllowed { titles: true, .. } => {
                r#"Request level must be one of the following: "Item", "Title""#
            }
            Self::LevelNotAllowed { titles: false, .. } => {
                r#"Request level must be one of the following: "Item""#
            }
            Self::FulfillmentNotAllowed { .. } => {
                "Fulfillment preference must be one of the following: Hold Shelf, Delivery"
            }
            Self::WithoutInstance { .. } => "Cannot create a request with no instance ID",
            Self::WithoutItem { .. } => "Cannot create an item level request with no item ID",
            Self::WithoutHoldings { .. } => {
                "Cannot create a request with item ID but no holdings record ID"
            }
            Self::WithoutRequestDate => "Cannot create a request with no requestDate",
            Self::OwnProxy { .. } => "User cannot be proxy for themselves",
            Self::ProxyNotValid { .. } => "proxyUserId is not valid",
            Self::WithoutPickupPoint { .. } => {
                "Hold shelf fulfillment requests require a Pickup service point"
            }
            Self::PickupPointNotFound { .. } => "Pickup service point does not exist",
            Self::NotAPickupLocation { .. } => "Service point is not a pickup location",
            Self::PatronCommentsChanged { .. } => "Patron comments are not allowed to change",
            Self::AlreadyClosed { .. } => "The Request has already been closed",
            Self::CancellationReasonUnknown => "Cancellation reason does not exist",
            Self::OtherQueues { titles: true, .. } => {
                "Refuse to reorder request queue, TLR feature status is ENABLED."
            }
            Self::OtherQueues { titles: false, .. } => {
                "Refuse to reorder request queue, TLR feature status is DISABLED."
            }
            Self::NotSequential => "Positions must have sequential order.",
            Self::Inconsistent => {
                "There is inconsistency between provided reordered queue and existing queue."
            }
            Self::PageDisplaced => "Page requests can not be displaced from position 1.",
            Self::FilledDisplaced => {
                "Requests can not be displaced from position 1 when fulfillment begun."
            }
            Self::FilledDisplacedFromTop => {
                "Requests can not be displaced from top positions when fulfillment begun."
            }
        }
        .to_owned()
    }

    /// FOLIO's code, where it has one.
    pub(super) fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::LevelNotAllowed { .. } => "REQUEST_LEVEL_IS_NOT_ALLOWED",
            Self::FulfillmentNotAllowed { .. } => "FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED",
            Self::OwnProxy { .. } => "USER_CANNOT_BE_PROXY_FOR_THEMSELVES",
            Self::WithoutPickupPoint { .. } => "HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT",
            Self::NotAPickupLocation { .. } => "SERVICE_POINT_IS_NOT_PICKUP_LOCATION",
            Self::AlreadyClosed { .. } => "REQUEST_ALREADY_CLOSED",
            _ => return None,
        })
    }

    /// The parameters in the order in which they are written.
    pub(super) fn parameters(&self) -> Parameters {
        match self {
            Self::LevelNotAllowed { level, .. } => vec![("requestLevel", text(level))],
            Self::FulfillmentNotAllowed { preference } => {
                vec![("fulfillmentPreference", text(preference))]
            }
            Self::WithoutInstance { id } => vec![("instanceId", text(id))],
            Self::WithoutItem { id } => vec![("itemId", text(id))],
            Self::WithoutHoldings { id } => vec![("holdingsRecordId", text(id))],
            Self::WithoutRequestDate => vec![("requestDate", Value::Null)],
            Self::OwnProxy { id } | Self::ProxyNotValid { id } => {
                vec![("proxyUserId", id.as_str().into())]
            }
            Self::WithoutPickupPoint { id } | Self::AlreadyClosed { id } => {
                vec![("id", id.to_string().into())]
            }
            Self::PickupPointNotFound { id } | Self::NotAPickupLocation { id } => {
                vec![("pickupServicePointId", id.as_str().into())]
            }
            Self::PatronCommentsChanged { existing } => {
                vec![("existingPatronComments", text(existing))]
            }
            Self::OtherQueues { key, id, .. } => vec![(*key, id.to_string().into())],
            Self::NotSequential
            | Self::PageDisplaced
            | Self::FilledDisplaced
            | Self::FilledDisplacedFromTop => vec![("newPosition", Value::Null)],
            Self::Inconsistent | Self::CancellationReasonUnknown => Vec::new(),
        }
    }
}
