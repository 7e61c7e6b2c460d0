//! Check-ins as tables: an item handed in at one of three service points. Here are the facts; the tables
//! are in the submodules.

mod items;
mod loans;
mod requests;

use jiff::{Timestamp, tz::TimeZone};
use octavo_library::{
    HoldingsId, InstanceId, ItemId, ItemStatus, LoanId, LocationId, Place, ServicePointId, UserId,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::due_date::Openings;
use crate::facts::*;
use crate::refusal::Refusal;

const ITEM: ItemId = ItemId::from_u128(0x1);
const INSTANCE: InstanceId = InstanceId::from_u128(0x2);
const HOLDINGS: HoldingsId = HoldingsId::from_u128(0x3);
const HOME: ServicePointId = ServicePointId::from_u128(0xD1);
const BRANCH: ServicePointId = ServicePointId::from_u128(0xD2);
const AWAY: ServicePointId = ServicePointId::from_u128(0xD3);
const STAFF: UserId = UserId::from_u128(0xE1);
const LOAN: LoanId = LoanId::from_u128(0xE2);
const RECORD: Uuid = Uuid::from_u128(0xE3);

fn now() -> Timestamp {
    "2024-06-10T12:00:00Z".parse().unwrap()
}

fn request(service_point_id: ServicePointId) -> CheckInRequest {
    CheckInRequest {
        item_barcode: "I1".into(),
        service_point_id,
        check_in_date: "2024-06-10T08:00:00Z".parse().unwrap(),
        claimed_returned_resolution: None,
        session_id: None,
        modifiers: Modifiers::default(),
    }
}

/// An item of a location that HOME (primary) and BRANCH serve.
fn item(status: ItemStatus) -> Item {
    let status = json!({"name": status, "date": "2024-06-01T00:00:00.000+00:00"});
    Item {
        id: ITEM,
        barcode: Some("I1".into()),
        status: serde_json::from_value(status).unwrap(),
        material_type_id: None,
        material_type_name: Some("book".into()),
        loan_type_id: None,
        effective_location_id: Some(LocationId::from_u128(0x40)),
        place: Some(Place {
            primary_service_point: Some(HOME),
            service_point_ids: vec![HOME, BRANCH],
            ..Place::default()
        }),
        holdings_record_id: HOLDINGS,
        instance_id: INSTANCE,
        title: Some("Emma".into()),
    }
}

fn facts(status: ItemStatus) -> CheckInFacts {
    CheckInFacts {
        operator_id: Some(STAFF),
        item: Some(item(status)),
        open_loan: Some(OpenLoan { id: LOAN }),
        queue: RequestQueue::default(),
        hold_shelf: serde_json::from_value(json!({
            "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"},
            "pickupLocation": true
        }))
        .unwrap(),
        openings: Openings::NoCalendar,
        zone: TimeZone::UTC,
    }
}

fn queued(number: u128, changes: Value) -> QueuedRequest {
    let mut document = json!({
        "id": Uuid::from_u128(0x100 + number),
        "requestType": "Hold",
        "requestLevel": "Item",
        "status": "Open - Not yet filled",
        "requesterId": Uuid::from_u128(0xA),
        "instanceId": INSTANCE,
        "itemId": ITEM,
        "position": number,
        "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": BRANCH
    });
    for (key, value) in changes.as_object().unwrap() {
        document[key] = value.clone();
    }
    serde_json::from_value(document).unwrap()
}

fn plan_at(service_point_id: ServicePointId, facts: &CheckInFacts) -> CheckInPlan {
    decide(&request(service_point_id), facts, now(), RECORD).unwrap()
}
