//! The item's destination: the next requester, its shelf, or in transit to either.

use jiff::Timestamp;
use octavo_library::{
    FulfillmentPreference, ItemStatus, LoanAction, RequestStatus, ServicePointId,
};
use uuid::Uuid;

use super::facts::CheckInFacts;
use super::plan::{
    CheckInPlan, CheckInRecord, HoldShelfExpiration, ItemReturn, LastCheckIn, LoanClosure,
    RequestChange,
};
use super::request::{CheckInRequest, ClaimResolution};
use crate::due_date::hold_shelf_expiration;
use crate::facts::{Item, QueuedRequest};
use crate::refusal::Refusal;

/// Decides a check-in made at `now`; its record gets the id given.
///
/// # Errors
/// One refusal: FOLIO stops at the first.
pub fn decide(
    request: &CheckInRequest,
    facts: &CheckInFacts,
    now: Timestamp,
    check_in_id: Uuid,
) -> Result<CheckInPlan, Vec<Refusal>> {
    decide_one(request, facts, now, check_in_id).map_err(|refusal| vec![refusal])
}

fn decide_one(
    request: &CheckInRequest,
    facts: &CheckInFacts,
    now: Timestamp,
    check_in_id: Uuid,
) -> Result<CheckInPlan, Refusal> {
    let operator_id = facts.operator_id.ok_or(Refusal::NoLoggedInUser)?;
    let item = facts
        .item
        .as_ref()
        .ok_or_else(|| Refusal::ItemNotFoundForCheckIn {
            barcode: request.item_barcode.clone(),
        })?;
    check_status(request, item)?;
    let served = facts.queue.first_for_check_in(item).filter(|served| {
        !request.modifiers.ignore_holds || served.status != RequestStatus::NotYetFilled
    });
    let in_house_use = item.is(ItemStatus::Available)
        && facts.queue.size() == 0
        && item.is_served_by(request.service_point_id);
    if request.modifiers.in_house_only && !in_house_use {
        return Err(Refusal::NotForInHouseUse {
            item: item.reference(),
            status: item.status.name,
            requests: facts.queue.size(),
        });
    }
    let way = way_of(request, item, served)?;
    let request_change = match served {
        Some(served) => Some(change_request(served, &way, item, facts, now)?),
        None => None,
    };
    let status = item.change_status(way.status(), now);
    Ok(CheckInPlan {
        item: ItemReturn {
            status,
            in_transit_destination_service_point_id: way.destination(),
            last_check_in: LastCheckIn {
                date_time: now,
                service_point_id: request.service_point_id,
                staff_member_id: operator_id,
            },
        },
        loan: facts.open_loan.map(|loan| LoanClosure {
            loan_id: loan.id,
            action: loan_action(request, item),
            return_date: request.check_in_date,
            system_return_date: now,
            checkin_service_point_id: request.service_point_id,
            item_status: status.name,
            was_aged_to_lost: item.is(ItemStatus::AgedToLost),
        }),
        request: request_change,
        in_house_use,
        record: CheckInRecord {
            id: check_in_id,
            occurred_date_time: now,
            item_id: item.id,
            item_status_prior_to_check_in: item.status.name,
            request_queue_size: facts.queue.size(),
            item_location_id: item.effective_location_id,
            service_point_id: request.service_point_id,
            performed_by_user_id: operator_id,
        },
    })
}

fn check_status(request: &CheckInRequest, item: &Item) -> Result<(), Refusal> {
    if item.is(ItemStatus::IntellectualItem) {
        return Err(Refusal::ItemStatusForbidsCheckIn {
            item: item.reference(),
            status: item.status.name,
        });
    }
    if item.is(ItemStatus::ClaimedReturned) && request.claimed_returned_resolution.is_none() {
        return Err(Refusal::ClaimedReturnedNotResolved);
    }
    Ok(())
}

/// The item's destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Destination {
    Shelf,
    /// To the location's primary service point, if it has one.
    Home(Option<ServicePointId>),
    HoldShelfHere,
    HoldShelfAt(ServicePointId),
    Delivery,
}

impl Destination {
    fn status(self) -> ItemStatus {
        match self {
            Self::Shelf => ItemStatus::Available,
            Self::Home(_) | Self::HoldShelfAt(_) => ItemStatus::InTransit,
            Self::HoldShelfHere => ItemStatus::AwaitingPickup,
            Self::Delivery => ItemStatus::AwaitingDelivery,
        }
    }

    fn destination(self) -> Option<ServicePointId> {
        match self {
            Self::Home(primary) => primary,
            Self::HoldShelfAt(pickup) => Some(pickup),
            Self::Shelf | Self::HoldShelfHere | Self::Delivery => None,
        }
    }
}

fn way_of(
    request: &CheckInRequest,
    item: &Item,
    served: Option<&QueuedRequest>,
) -> Result<Destination, Refusal> {
    let here = request.service_point_id;
    let Some(served) = served else {
        if item.is_served_by(here) {
            return Ok(Destination::Shelf);
        }
        return Ok(Destination::Home(
            item.place
                .as_ref()
                .and_then(|place| place.primary_service_point),
        ));
    };
    match served.fulfillment_preference {
        FulfillmentPreference::Delivery => Ok(Destination::Delivery),
        FulfillmentPreference::HoldShelf => match served.pickup_service_point_id {
            None => Err(Refusal::RequestWithoutPickupServicePoint),
            Some(pickup) if pickup == here => Ok(Destination::HoldShelfHere),
            Some(pickup) => Ok(Destination::HoldShelfAt(pickup)),
        },
    }
}

fn change_request(
    served: &QueuedRequest,
    way: &Destination,
    item: &Item,
    facts: &CheckInFacts,
    now: Timestamp,
) -> Result<RequestChange, Refusal> {
    let status = match way {
        Destination::HoldShelfHere => RequestStatus::AwaitingPickup,
        Destination::Delivery => RequestStatus::AwaitingDelivery,
        Destination::HoldShelfAt(_) | Destination::Home(_) | Destination::Shelf => {
            RequestStatus::InTransit
        }
    };
    let expiration = match (way, served.hold_shelf_expiration_date) {
        (Destination::HoldShelfHere, Some(_)) => HoldShelfExpiration::Keep,
        (Destination::HoldShelfHere, None) => {
            let end = hold_shelf_expiration(now, &facts.hold_shelf, &facts.openings, &facts.zone)?;
            end.map_or(HoldShelfExpiration::Keep, HoldShelfExpiration::Set)
        }
        _ => HoldShelfExpiration::Remove,
    };
    let set_aside = served.item_id != Some(item.id);
    Ok(RequestChange {
        id: served.id,
        status,
        item: set_aside.then_some((item.id, item.holdings_record_id)),
        hold_shelf_expiration: expiration,
    })
}

fn loan_action(request: &CheckInRequest, item: &Item) -> LoanAction {
    if !item.is(ItemStatus::ClaimedReturned) {
        return LoanAction::CheckedIn;
    }
    match request.claimed_returned_resolution {
        Some(ClaimResolution::FoundByLibrary) => LoanAction::CheckedInFoundByLibrary,
        Some(ClaimResolution::ReturnedByPatron) => LoanAction::CheckedInReturnedByPatron,
        None => LoanAction::CheckedIn,
    }
}
