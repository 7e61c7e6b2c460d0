//! The checks of moving a request to another item of its title, in FOLIO's order. FOLIO stops at the
//! first refusal.

use jiff::Timestamp;
use octavo_library::{
    DatedStatus, ItemId, ItemStatus, Patron, RequestLevel, RequestStatus, RequestType,
};

use super::decide::{policy_forbids, status_forbids};
use super::facts::{ItemLoan, OwnRequest};
use crate::facts::{Item, QueuedRequest};
use crate::refusal::PlacingRefusal;
use crate::request_policy::RequestPolicy;

/// The target of a move, and optionally a new request type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveRequest {
    pub destination: ItemId,
    /// Hold, recall or page; as before, if not given.
    pub kind: Option<RequestType>,
}

/// The facts.
#[derive(Debug, Clone)]
pub struct MoveFacts {
    /// The current request.
    pub request: QueuedRequest,
    /// Whether title level requests are enabled.
    pub titles: bool,
    /// The target item.
    pub destination: Option<Item>,
    /// The open loan of that item.
    pub loan: Option<ItemLoan>,
    /// The source item.
    pub source: Option<Item>,
    /// How many other open requests the source item has.
    pub left_behind: u32,
    pub requester: Option<Patron>,
    /// The requester's open requests for the target item, or for the title.
    pub own: Vec<OwnRequest>,
    /// The policy that the rules name for that item.
    pub policy: Option<RequestPolicy>,
    /// The last position in the target queue; 0 when it is empty.
    pub last_position: u32,
}

/// The changes of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MovePlan {
    /// Hold, recall or page.
    pub kind: RequestType,
    /// Its position in the target queue.
    pub position: u32,
    /// The target item's new status.
    pub destination_status: Option<DatedStatus>,
    /// The source item's new status.
    pub source_status: Option<DatedStatus>,
    /// Whether the target item's loan is recalled.
    pub recalls: bool,
}

/// The checks that need no items.
pub fn may_move(
    request: &QueuedRequest,
    to: MoveRequest,
    titles: bool,
) -> Result<(), PlacingRefusal> {
    let request_id = request.id.to_string();
    let of_title = request.request_level == RequestLevel::Title;
    if of_title && !titles {
        return Err(PlacingRefusal::TitlesSwitchedOff { request_id });
    }
    let hold = |kind: RequestType| kind == RequestType::Hold;
    if of_title && (hold(request.request_type) || to.kind.is_some_and(hold)) {
        return Err(PlacingRefusal::HoldOfTitleMoved { request_id });
    }
    match request.status {
        RequestStatus::NotYetFilled => Ok(()),
        status if status.is_open() => Err(PlacingRefusal::BeingFilled { id: request_id }),
        _ => Err(PlacingRefusal::Closed { id: request_id }),
    }
}

/// Decides on a move at `now`.
///
/// # Errors
/// The first refusal.
pub fn decide_move(
    to: MoveRequest,
    facts: &MoveFacts,
    now: Timestamp,
) -> Result<MovePlan, PlacingRefusal> {
    let request = &facts.request;
    may_move(request, to, facts.titles)?;
    let other_title = |item: Option<&Item>| PlacingRefusal::ItemOfOtherTitle {
        item_id: item
            .map_or(request.item_id, |item| Some(item.id))
            .map(|id| id.to_string()),
        instance_id: item.map(|item| item.instance_id.to_string()),
    };
    let item = facts.destination.as_ref();
    let item = item.ok_or_else(|| other_title(None))?;
    if Some(item.instance_id) != request.instance_id {
        return Err(other_title(Some(item)));
    }
    let kind = if item.is(ItemStatus::Available) {
        RequestType::Page
    } else {
        to.kind.unwrap_or(request.request_type)
    };
    let requester_id = request.requester_id.to_string();
    let Some(requester) = &facts.requester else {
        let id = Some(requester_id);
        return Err(PlacingRefusal::RequesterNotFound { id });
    };
    if requester.patron_group.is_none() {
        return Err(PlacingRefusal::WithoutPatronGroup);
    }
    refused(status_forbids(Some(kind), item))?;
    refused(already_requested(facts, item))?;
    if let Some(loan) = facts.loan.filter(|loan| loan.user_id == Some(requester.id)) {
        return Err(PlacingRefusal::ItemOnLoan {
            item_id: item.id.to_string(),
            user_id: requester_id,
            loan_id: loan.id.to_string(),
        });
    }
    let pickup = request.pickup_service_point_id.map(|id| id.to_string());
    let fulfillment = request.fulfillment_preference;
    refused(policy_forbids(
        facts.policy.as_ref(),
        Some(kind),
        fulfillment,
        pickup,
    ))?;
    let fetched = kind == RequestType::Page && item.is(ItemStatus::Available);
    let left = facts.source.as_ref();
    let left = left.filter(|source| source.is(ItemStatus::Paged) && facts.left_behind == 0);
    Ok(MovePlan {
        kind,
        // Within one title's queue it moves up by one again when the queue closes up.
        position: facts.last_position + 1,
        destination_status: fetched.then(|| item.change_status(ItemStatus::Paged, now)),
        source_status: left.map(|source| source.change_status(ItemStatus::Available, now)),
        recalls: kind == RequestType::Recall && facts.loan.is_some(),
    })
}

fn refused(refusal: Option<PlacingRefusal>) -> Result<(), PlacingRefusal> {
    refusal.map_or(Ok(()), Err)
}

fn already_requested(facts: &MoveFacts, item: &Item) -> Option<PlacingRefusal> {
    let request = &facts.request;
    let of_title = request.request_level == RequestLevel::Title;
    let other = facts.own.iter().find(|own| {
        let for_item = own.item_id == Some(item.id);
        own.counts()
            && match own.level {
                RequestLevel::Title if facts.titles && !of_title => {
                    own.instance_id == request.instance_id
                }
                _ => for_item,
            }
    })?;
    let requester_id = Some(request.requester_id.to_string());
    let instance_id = request.instance_id.map(|id| id.to_string());
    Some(match (of_title, other.level) {
        (true, RequestLevel::Title) => PlacingRefusal::MovedToSameItem {
            requester_id,
            instance_id,
        },
        (true, RequestLevel::Item) => PlacingRefusal::ItemOfTitleRequested {
            requester_id,
            instance_id,
        },
        (false, _) => PlacingRefusal::ItemRequested {
            item_id: Some(item.id.to_string()),
            requester_id,
            request_id: Some(request.id.to_string()),
        },
    })
}
