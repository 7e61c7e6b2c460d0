//! What a check-in changes: the item, its loan, the served request; and the record of the check-in
//! itself. Each part writes itself into a stored document.

use jiff::Timestamp;
use octavo_library::{
    DatedStatus, HoldingsId, ItemId, ItemStatus, LoanAction, LoanId, LoanStatus, LocationId,
    RequestId, RequestStatus, ServicePointId, UserId, wire_time,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::facts::RequestQueue;
use crate::loan_change::{PlaceOfUse, UseChange};

type Document = Map<String, Value>;

/// The changes of one check-in. Store the item before the loan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInPlan {
    /// The change of the item.
    pub item: ItemReturn,
    /// The closing of the open loan.
    pub loan: Option<LoanClosure>,
    /// The change of the request that gets the item.
    pub request: Option<RequestChange>,
    /// The item was used in the house: it was available, nobody waits, and it belongs here.
    pub in_house_use: bool,
    pub record: CheckInRecord,
}

impl CheckInPlan {
    /// Whether the item now waits on the hold shelf for a request that did not wait there before.
    #[must_use]
    pub fn makes_ready(&self, before: &RequestQueue) -> bool {
        let ready = RequestStatus::AwaitingPickup;
        let Some(change) = self.request.filter(|change| change.status == ready) else {
            return false;
        };
        let mut before = before.requests().iter();
        !before.any(|request| request.id == change.id && request.status == ready)
    }
}

/// What happens to the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemReturn {
    pub status: DatedStatus,
    /// The transit destination; `None` if it stays.
    pub in_transit_destination_service_point_id: Option<ServicePointId>,
    /// The last check-in.
    pub last_check_in: LastCheckIn,
}

/// Operator, service point and time of a check-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LastCheckIn {
    /// When the check-in was made, not when it counts.
    #[serde(with = "wire_time")]
    pub date_time: Timestamp,
    /// The service point.
    pub service_point_id: ServicePointId,
    /// The operator.
    pub staff_member_id: UserId,
}

impl ItemReturn {
    /// Writes status, destination and last check-in into the item's document.
    pub fn apply_to(&self, document: &mut Document) {
        const DESTINATION: &str = "inTransitDestinationServicePointId";
        self.status.apply_to(document);
        match self.in_transit_destination_service_point_id {
            Some(id) => document.insert(DESTINATION.into(), id.to_string().into()),
            None => document.shift_remove(DESTINATION),
        };
        let last = &self.last_check_in;
        let last = json!({
            "dateTime": wire_time::format(last.date_time),
            "servicePointId": last.service_point_id,
            "staffMemberId": last.staff_member_id
        });
        document.insert("lastCheckIn".into(), last);
    }
}

/// The closing of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoanClosure {
    pub loan_id: LoanId,
    /// `checkedin`, `checkedInFoundByLibrary` or `checkedInReturnedByPatron`.
    pub action: LoanAction,
    /// When the item counts as returned.
    pub return_date: Timestamp,
    /// When the check-in was made.
    pub system_return_date: Timestamp,
    /// Where.
    pub checkin_service_point_id: ServicePointId,
    /// The item's new status, for the loan's history.
    pub item_status: ItemStatus,
    /// The item was aged to lost: cancels its billing.
    pub was_aged_to_lost: bool,
}

impl LoanClosure {
    /// Writes the end of the loan into its document; an earlier action's comment is removed.
    pub fn apply_to(&self, document: &mut Document) {
        document.insert("status".into(), LoanStatus::Closed.document());
        document.insert("action".into(), self.action.into());
        document.shift_remove("actionComment");
        document.insert(
            "returnDate".into(),
            wire_time::format_z(self.return_date).into(),
        );
        let system_return_date = wire_time::format(self.system_return_date);
        document.insert("systemReturnDate".into(), system_return_date.into());
        let service_point = self.checkin_service_point_id.to_string();
        document.insert("checkinServicePointId".into(), service_point.into());
        document.insert("itemStatus".into(), self.item_status.into());
        if UseChange::concerns(document) {
            UseChange {
                place: PlaceOfUse::Returned,
                at: self.system_return_date,
                kept_until: None,
            }
            .apply_to(document);
        }
        let billing = document
            .get_mut("agedToLostDelayedBilling")
            .and_then(Value::as_object_mut);
        if let Some(billing) = billing.filter(|_| self.was_aged_to_lost) {
            billing.shift_remove("lostItemHasBeenBilled");
            billing.shift_remove("dateLostItemShouldBeBilled");
        }
    }
}

/// What happens to the request that gets the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestChange {
    pub id: RequestId,
    pub status: RequestStatus,
    /// The item and its holdings, when a title level request gets an item.
    pub item: Option<(ItemId, HoldingsId)>,
    /// The expiration on the hold shelf.
    pub hold_shelf_expiration: HoldShelfExpiration,
}

/// The change of a request's hold shelf expiration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HoldShelfExpiration {
    /// Unchanged.
    Keep,
    /// Set.
    Set(Timestamp),
    /// Removed: the item is not on the hold shelf.
    Remove,
}

impl RequestChange {
    /// Writes the change into the request's document.
    pub fn apply_to(&self, document: &mut Document) {
        const EXPIRATION: &str = "holdShelfExpirationDate";
        document.insert("status".into(), self.status.name().into());
        if let Some((item_id, holdings_record_id)) = self.item {
            document.insert("itemId".into(), item_id.to_string().into());
            document.insert(
                "holdingsRecordId".into(),
                holdings_record_id.to_string().into(),
            );
        }
        match self.hold_shelf_expiration {
            HoldShelfExpiration::Keep => {}
            HoldShelfExpiration::Set(end) => {
                document.insert(EXPIRATION.into(), wire_time::format(end).into());
            }
            HoldShelfExpiration::Remove => {
                document.shift_remove(EXPIRATION);
            }
        }
    }
}

/// The record of a check-in; serialises to FOLIO's check-in record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckInRecord {
    /// The record's id.
    pub id: Uuid,
    /// When the check-in was made.
    #[serde(with = "wire_time")]
    pub occurred_date_time: Timestamp,
    pub item_id: ItemId,
    /// Its status before.
    pub item_status_prior_to_check_in: ItemStatus,
    /// How many requests waited.
    pub request_queue_size: usize,
    /// The item's location.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_location_id: Option<LocationId>,
    /// The service point.
    pub service_point_id: ServicePointId,
    /// The operator.
    pub performed_by_user_id: UserId,
}
