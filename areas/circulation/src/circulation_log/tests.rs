//! Log lines as tables: action, patron, and description.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, Loan, LoanAction, LoanId,
    LoanPolicyId, LoanStatus, Patron, RequestId, RequestStatus, ServicePointId, UserId,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::check_in::{
    CheckInPlan, CheckInRecord, ClaimResolution, HoldShelfExpiration, ItemReturn, LastCheckIn,
    LoanClosure, RequestChange,
};
use crate::check_out::{CheckOutPlan, FilledRequest, NewLoan};
use crate::facts::{Item, LogEntry, LogRecord, QueuedRequest, RequestQueue};

const ITEM: ItemId = ItemId::from_u128(1);
const PATRON: UserId = UserId::from_u128(2);
const LOAN: LoanId = LoanId::from_u128(3);
const DESK: ServicePointId = ServicePointId::from_u128(4);
const BRANCH: ServicePointId = ServicePointId::from_u128(5);
const REQUEST: RequestId = RequestId::from_u128(6);

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn item() -> Item {
    Item {
        id: ITEM,
        barcode: Some("I1".to_owned()),
        status: DatedStatus {
            name: ItemStatus::Available,
            date: None,
        },
        material_type_id: None,
        material_type_name: None,
        loan_type_id: None,
        effective_location_id: None,
        place: None,
        holdings_record_id: HoldingsId::from_u128(7),
        instance_id: InstanceId::from_u128(8),
        title: None,
    }
}

fn patron(barcode: &str) -> Patron {
    serde_json::from_value(json!({"id": PATRON, "barcode": barcode})).expect("a patron")
}

fn queue(status: &str) -> RequestQueue {
    let request: QueuedRequest = serde_json::from_value(json!({
        "id": REQUEST, "requestType": "Hold", "status": status, "requesterId": PATRON,
        "fulfillmentPreference": "Hold Shelf", "pickupServicePointId": BRANCH, "position": 1,
    }))
    .expect("a request");
    RequestQueue::new([request])
}

fn names(id: ServicePointId) -> Option<String> {
    (id == BRANCH).then(|| "Branch".to_owned())
}

fn lent(action: LoanAction, fills: bool) -> CheckOutPlan {
    CheckOutPlan {
        loan: NewLoan {
            id: LOAN,
            user_id: PATRON,
            proxy_user_id: None,
            item_id: ITEM,
            item_effective_location_id_at_check_out: None,
            status: LoanStatus::Open,
            loan_date: at("2026-03-01T10:00:00Z"),
            due_date: at("2026-04-01T10:00:00Z"),
            action,
            action_comment: None,
            item_status: ItemStatus::CheckedOut,
            loan_policy_id: LoanPolicyId::default(),
            overdue_fine_policy_id: None,
            lost_item_policy_id: None,
            checkout_service_point_id: DESK,
            patron_group_id_at_checkout: None,
            due_date_changed_by_recall: false,
            for_use_at_location: None,
            is_dcb: false,
        },
        item_status: DatedStatus {
            name: ItemStatus::CheckedOut,
            date: None,
        },
        filled_request: fills.then_some(FilledRequest {
            id: REQUEST,
            status: RequestStatus::Filled,
        }),
        due_date_changed_by_hold: false,
        due_date_changed_by_near_expire_user: false,
        lifted: Vec::new(),
    }
}

fn told(entries: &[LogEntry]) -> Vec<(&str, &str, &str)> {
    let told = |entry: &'_ LogEntry| (entry.object, entry.action);
    entries
        .iter()
        .map(|entry| {
            let (object, action) = told(entry);
            (object, action, entry.description.as_str())
        })
        .collect()
}

#[test]
fn a_loan_is_told_with_its_proxy_and_the_request_that_it_fills() {
    let (item, borrower, proxy) = (item(), patron("P1"), patron("P2"));
    let queue = queue("Open - Awaiting pickup");
    let with = CheckedOutWith {
        item: &item,
        patron: &borrower,
        proxy: None,
        queue: &queue,
        zone: &TimeZone::UTC,
        points: &names,
        is_published: true,
    };
    let lines = log_of_check_out(&lent(LoanAction::CheckedOut, false), &with);
    assert_eq!(
        told(&lines),
        [("Loan", "Checked out", "Checked out to proxy: no.")]
    );
    let line = serde_json::to_value(&lines[0]).expect("JSON");
    assert_eq!(
        line,
        json!({"object": "Loan", "action": "Checked out", "userBarcode": "P1",
               "items": [{"itemBarcode": "I1", "itemId": ITEM, "instanceId": item.instance_id,
                          "holdingId": item.holdings_record_id, "loanId": LOAN}],
               "servicePointId": DESK, "description": "Checked out to proxy: no.",
               "linkToIds": {"userId": PATRON}})
    );
    // Nobody takes the event: it is not made.
    for is_published in [true, false] {
        let with = CheckedOutWith {
            is_published,
            ..with
        };
        let lines = log_of_check_out(&lent(LoanAction::CheckedOut, false), &with);
        let made = matches!(lines[0].record, LogRecord::Event(_));
        assert_eq!(made, is_published);
    }
    let with = CheckedOutWith {
        proxy: Some(&proxy),
        ..with
    };
    let lines = log_of_check_out(&lent(LoanAction::CheckedOutThroughOverride, true), &with);
    assert_eq!(
        told(&lines),
        [
            (
                "Loan",
                "Checked out through override",
                "Checked out to proxy: P2."
            ),
            (
                "Request",
                "Request status changed",
                "Type: Hold. Pickup service point: Branch. New request status: Closed - Filled \
                 (from: Open - Awaiting pickup)."
            ),
        ]
    );
    assert_eq!(lines[1].link_to_ids.request_id, Some(REQUEST));
}

fn taken_in(status: ItemStatus, to: Option<ServicePointId>, loan: bool) -> CheckInPlan {
    CheckInPlan {
        item: ItemReturn {
            status: DatedStatus {
                name: status,
                date: None,
            },
            in_transit_destination_service_point_id: to,
            last_check_in: LastCheckIn {
                date_time: at("2026-03-10T12:00:30Z"),
                service_point_id: DESK,
                staff_member_id: UserId::default(),
            },
        },
        loan: loan.then(|| LoanClosure {
            loan_id: LOAN,
            action: LoanAction::CheckedIn,
            return_date: at("2026-03-10T12:00:00Z"),
            system_return_date: at("2026-03-10T12:00:30Z"),
            checkin_service_point_id: DESK,
            item_status: status,
            was_aged_to_lost: false,
        }),
        request: None,
        in_house_use: false,
        record: CheckInRecord {
            id: Uuid::nil(),
            occurred_date_time: at("2026-03-10T12:00:30Z"),
            item_id: ITEM,
            item_status_prior_to_check_in: ItemStatus::CheckedOut,
            request_queue_size: 0,
            item_location_id: None,
            service_point_id: DESK,
            performed_by_user_id: UserId::default(),
        },
    }
}

fn loan(due: &str) -> Loan {
    serde_json::from_value::<Loan>(json!({"id": LOAN, "itemId": ITEM, "userId": PATRON,
        "loanDate": "2026-03-01T10:00:00Z", "dueDate": due}))
    .expect("a loan")
}

#[test]
fn a_return_is_told_with_where_the_item_goes_and_how_the_loan_ended() {
    let (item, patron, zone) = (item(), patron("P1"), TimeZone::UTC);
    let queue = queue("Open - Not yet filled");
    let in_time = loan("2026-04-01T10:00:00Z");
    let with = CheckedInWith {
        item: &item,
        loan: Some(&in_time),
        patron: Some(&patron),
        queue: &queue,
        claim: None,
        zone: &zone,
        points: &names,
        is_published: true,
    };
    let lines = log_of_check_in(&taken_in(ItemStatus::InTransit, Some(BRANCH), true), &with);
    assert_eq!(
        told(&lines),
        [
            ("N/A", "Checked in", "Item status: In transit to Branch."),
            ("Loan", "Closed loan", "Item status: In transit."),
        ]
    );
    // Overdue, back-dated, claimed; and shown in the library's time zone.
    let late = loan("2026-03-05T23:30:00Z");
    let zone = TimeZone::get("Europe/Berlin").expect("a zone");
    let mut plan = taken_in(ItemStatus::Available, None, true);
    if let Some(closure) = &mut plan.loan {
        closure.return_date = at("2026-03-09T08:00:00Z");
    }
    let with = CheckedInWith {
        loan: Some(&late),
        claim: Some(ClaimResolution::FoundByLibrary),
        zone: &zone,
        ..with
    };
    assert_eq!(
        log_of_check_in(&plan, &with)[1].description,
        "Item status: Available. Claimed returned item: Found by library. \
         Backdated to: 2026-03-09 09:00:00. Overdue due date: 2026-03-06 00:30:00."
    );
    // Without a loan nothing leads to who had it last; the request that is next changes.
    let mut plan = taken_in(ItemStatus::AwaitingPickup, None, false);
    plan.request = Some(RequestChange {
        id: REQUEST,
        status: RequestStatus::AwaitingPickup,
        item: None,
        hold_shelf_expiration: HoldShelfExpiration::Keep,
    });
    let with = CheckedInWith { loan: None, ..with };
    let lines = log_of_check_in(&plan, &with);
    assert_eq!(
        told(&lines),
        [
            ("N/A", "Checked in", "Item status: Awaiting pickup."),
            (
                "Request",
                "Request status changed",
                "Type: Hold. Pickup service point: Branch. New request status: \
                 Open - Awaiting pickup (from: Open - Not yet filled)."
            ),
        ]
    );
    assert_eq!(lines[0].link_to_ids.user_id, None);
    assert_eq!(lines[0].user_barcode.as_deref(), Some("P1"));
    let shown: Value = serde_json::to_value(&lines[0]).expect("JSON");
    assert_eq!(shown["linkToIds"], json!({}));
}
