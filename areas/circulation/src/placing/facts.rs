//! The facts for placing a request.

use std::collections::HashSet;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_library::{
    InstanceId, ItemId, LoanId, Patron, ProxyRelationship, RequestId, RequestLevel, RequestStatus,
    UserId,
};

use crate::facts::{Item, ManualBlock, QueuedRequest};
use crate::request_policy::RequestPolicy;
use crate::settings::TitleLevelRequests;

/// The facts; `None` and empty lists mean not found.
#[derive(Debug, Clone)]
pub struct PlaceFacts {
    /// The settings of title level requests.
    pub titles: TitleLevelRequests,
    /// Whether the title exists.
    pub instance_exists: bool,
    pub requester: Option<Patron>,
    /// The relationships in which the proxy acts for the requester, active or not.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// All blocks that staff put on the requester, expired ones too.
    pub manual_blocks: Vec<ManualBlock>,
    /// The messages of the requester's automated blocks of requests.
    pub automated_blocks: Vec<String>,
    /// Whether the service point is a pickup location; `None` if it does not exist.
    pub pickup_location: Option<bool>,
    /// The requested item, or the one chosen for the title.
    pub item: Option<Item>,
    /// The item's open loan.
    pub loan: Option<ItemLoan>,
    /// The requester's open loan of an item of the title: the item. Read for title level requests only.
    pub title_loan: Option<ItemId>,
    /// The requester's open requests for the item or for the title, in order of position.
    pub own: Vec<OwnRequest>,
    /// The policy that the rules name for the item.
    pub policy: Option<RequestPolicy>,
    /// The items of the title. Asked for titles only.
    pub copies: Vec<Copy>,
    /// Why no item of the title could be chosen.
    pub nothing_to_recall: bool,
    /// The last position in the queue; 0 when it is empty.
    pub last_position: u32,
    /// The tenant's time zone.
    pub zone: TimeZone,
    /// The operator's permissions, expanded; only those for overrides matter.
    pub operator_permissions: HashSet<String>,
}

/// The open loan of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemLoan {
    pub id: LoanId,
    /// Its borrower.
    pub user_id: Option<UserId>,
}

/// An item of a title.
#[derive(Debug, Clone)]
pub struct Copy {
    pub item: Item,
    /// The policy that the rules name for it and the requester.
    pub policy: Option<RequestPolicy>,
    /// When its open loan is due, if it has one.
    pub loan: Option<CopyLoan>,
    /// How many open recalls are for it.
    pub recalls: u32,
}

/// The open loan of an item of a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopyLoan {
    /// When it is due.
    pub due_date: Option<Timestamp>,
    /// Its borrower.
    pub user_id: Option<UserId>,
}

/// An open request of the requester.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnRequest {
    pub id: RequestId,
    /// For an item or for a title.
    pub level: RequestLevel,
    pub item_id: Option<ItemId>,
    /// The title.
    pub instance_id: Option<InstanceId>,
    /// Its status.
    pub status: RequestStatus,
}

impl From<&QueuedRequest> for OwnRequest {
    fn from(request: &QueuedRequest) -> OwnRequest {
        OwnRequest {
            id: request.id,
            level: request.request_level,
            item_id: request.item_id,
            instance_id: request.instance_id,
            status: request.status,
        }
    }
}

impl OwnRequest {
    /// Whether it prevents another request of its requester; FOLIO ignores one that is being delivered.
    #[must_use]
    pub fn counts(&self) -> bool {
        self.status.is_open() && self.status != RequestStatus::AwaitingDelivery
    }
}
