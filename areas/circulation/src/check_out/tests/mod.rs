//! Check-outs as tables: facts that differ in one thing from a plain loan. Here are the facts; the
//! tables are in the submodules.

mod overrides;
mod plans;
mod refusals;

use jiff::{Timestamp, tz::TimeZone};
use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, LoanId, LoanTypeId, LocationId,
    LostItemPolicyId, MaterialTypeId, OverdueFinePolicyId, Patron, Place, ServicePointId, UserId,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::due_date::Openings;
use crate::facts::*;
use crate::loan_policy::LoanPolicy;
use crate::refusal::{OverridableBlock, Refusal};
use crate::rules::MatchConditions;

const PATRON: UserId = UserId::from_u128(0xA);
const PROXY: UserId = UserId::from_u128(0xB);
const STRANGER: UserId = UserId::from_u128(0xC);
const ITEM: ItemId = ItemId::from_u128(0x1);
const INSTANCE: InstanceId = InstanceId::from_u128(0x2);
const DESK: ServicePointId = ServicePointId::from_u128(0xD);
const LOAN: LoanId = LoanId::from_u128(0xE);

fn now() -> Timestamp {
    "2024-06-01T10:00:00Z".parse().unwrap()
}

fn request() -> CheckOutRequest {
    CheckOutRequest {
        item_barcode: Some("I1".into()),
        user_barcode: Some("U1".into()),
        service_point_id: Some(DESK),
        ..Default::default()
    }
}

fn user(id: UserId, barcode: &str) -> Patron {
    serde_json::from_value(json!({
        "id": id,
        "username": "emma",
        "barcode": barcode,
        "active": true,
        "patronGroup": Uuid::from_u128(0x10),
        "personal": {"lastName": "Woodhouse", "firstName": "Emma", "email": "e@example.org"},
        "type": "patron"
    }))
    .unwrap()
}

fn item() -> Item {
    Item {
        id: ITEM,
        barcode: Some("I1".into()),
        status: DatedStatus {
            name: ItemStatus::Available,
            date: None,
        },
        material_type_id: Some(MaterialTypeId::from_u128(0x20)),
        material_type_name: Some("book".into()),
        loan_type_id: Some(LoanTypeId::from_u128(0x30)),
        effective_location_id: Some(LocationId::from_u128(0x40)),
        place: Some(Place::default()),
        holdings_record_id: HoldingsId::from_u128(0x3),
        instance_id: INSTANCE,
        title: Some("Emma".into()),
    }
}

fn policy() -> Value {
    json!({
        "id": Uuid::from_u128(0x50),
        "name": "Two weeks",
        "loanable": true,
        "loansPolicy": {
            "profileId": "Rolling",
            "period": {"duration": 2, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"
        },
        "renewable": true
    })
}

fn terms(policy: Value) -> LoanTerms {
    LoanTerms {
        policy: serde_json::from_value::<LoanPolicy>(policy).unwrap(),
        conditions: MatchConditions::default(),
        schedule: None,
        overdue_fine_policy_id: Some(OverdueFinePolicyId::from_u128(0x60)),
        lost_item_policy_id: Some(LostItemPolicyId::from_u128(0x70)),
    }
}

fn facts() -> CheckOutFacts {
    CheckOutFacts {
        patron: Some(user(PATRON, "U1")),
        proxy: None,
        proxy_relationships: Vec::new(),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        item: Some(item()),
        item_has_open_loan: false,
        queue: RequestQueue::default(),
        terms: Some(terms(policy())),
        open_loans: OpenLoanCounts::default(),
        zone: TimeZone::UTC,
        openings: Openings::NoCalendar,
        operator_permissions: Default::default(),
    }
}

fn queued(number: u128, requester: UserId, changes: Value) -> QueuedRequest {
    let mut document = json!({
        "id": Uuid::from_u128(0x100 + number),
        "requestType": "Hold",
        "requestLevel": "Item",
        "status": "Open - Awaiting pickup",
        "requesterId": requester,
        "instanceId": INSTANCE,
        "itemId": ITEM,
        "position": number,
        "fulfillmentPreference": "Hold Shelf",
        "requester": {"lastName": "Ignored"}
    });
    for (key, value) in changes.as_object().unwrap() {
        document[key] = value.clone();
    }
    serde_json::from_value(document).unwrap()
}

fn decide_with(change: impl FnOnce(&mut CheckOutRequest, &mut CheckOutFacts)) -> Outcome {
    let (mut request, mut facts) = (request(), facts());
    change(&mut request, &mut facts);
    decide(&request, &facts, now(), LOAN)
}

type Outcome = Result<CheckOutPlan, Vec<Refusal>>;

fn messages(outcome: &Outcome) -> Vec<String> {
    outcome
        .as_ref()
        .unwrap_err()
        .iter()
        .map(Refusal::message)
        .collect()
}

fn patron(facts: &mut CheckOutFacts) -> &mut Patron {
    facts.patron.as_mut().unwrap()
}

fn terms_of(facts: &mut CheckOutFacts) -> &mut LoanTerms {
    facts.terms.as_mut().unwrap()
}

fn status(facts: &mut CheckOutFacts, name: ItemStatus) {
    facts.item.as_mut().unwrap().status.name = name;
}

fn manual(description: &str, borrowing: bool, expires: Option<&str>) -> ManualBlock {
    serde_json::from_value(json!({
        "type": "Manual", "desc": description, "borrowing": borrowing, "renewals": true,
        "requests": true, "expirationDate": expires
    }))
    .unwrap()
}
