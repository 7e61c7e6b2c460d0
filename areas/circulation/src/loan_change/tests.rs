//! Tables of the small changes of a loan.

use jiff::{Timestamp, tz::TimeZone};
use octavo_library::{DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, Loan};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::*;
use crate::due_date::{DueDateFacts, Openings};
use crate::facts::Item;
use crate::loan_policy::LoanPolicy;
use crate::refusal::LoanRefusal;

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn loan(more: Value) -> Loan {
    let mut document = json!({"id": Uuid::from_u128(2), "itemId": Uuid::from_u128(1),
        "action": "checkedout", "status": {"name": "Open"}, "loanDate": "2026-03-01T12:00:00Z",
        "dueDate": "2026-03-31T12:00:00Z"});
    let more = more.as_object().unwrap().clone();
    document.as_object_mut().unwrap().extend(more);
    serde_json::from_value(document).unwrap()
}

fn item(status: ItemStatus) -> Item {
    Item {
        id: ItemId::from_u128(1),
        barcode: None,
        status: DatedStatus {
            name: status,
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

fn map(value: Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

#[test]
fn a_due_date_is_changed_unless_loan_or_item_forbid() {
    let due = at("2026-04-05T00:00:00Z");
    for status in [
        ItemStatus::DeclaredLost,
        ItemStatus::ClaimedReturned,
        ItemStatus::AgedToLost,
    ] {
        let refused = change_due_date(&loan(json!({})), Some(&item(status)), due, false);
        let Err(LoanRefusal::ItemStatus { status: told, .. }) = refused else {
            panic!("{status} keeps its due date");
        };
        assert_eq!(told, status);
    }
    let closed = loan(json!({"status": {"name": "Closed"}}));
    assert!(matches!(
        change_due_date(&closed, Some(&item(ItemStatus::Available)), due, false),
        Err(LoanRefusal::Closed { .. })
    ));
    for (marked, waits, over) in [
        (true, false, true),
        (true, true, false),
        (false, false, false),
    ] {
        let loan = loan(json!({"dueDateChangedByRecall": marked}));
        let change =
            change_due_date(&loan, Some(&item(ItemStatus::CheckedOut)), due, waits).unwrap();
        assert_eq!(change.recall_is_over, over);
    }
}

#[test]
fn a_recall_changes_a_loan_once() {
    let policy: LoanPolicy = serde_json::from_value(json!({"id": Uuid::from_u128(5),
        "loansPolicy": {"profileId": "Rolling",
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"},
        "requestManagement": {"recalls": {
            "recallReturnInterval": {"duration": 2, "intervalId": "Days"}}}}))
    .unwrap();
    let facts = DueDateFacts {
        policy: &policy,
        schedule: None,
        zone: &TimeZone::UTC,
        openings: &Openings::NoCalendar,
        patron_expires_at: None,
        hold_waiting: false,
    };
    let now = at("2026-03-10T12:00:00Z");
    let plan = recall(&loan(json!({})), ItemStatus::CheckedOut, &facts, now);
    let plan = plan.unwrap().unwrap();
    assert_eq!(plan.due_date, at("2026-03-12T12:00:00Z"));
    let mut document = map(json!({"actionComment": "old", "reminders": {}}));
    plan.apply_to(&mut document);
    assert_eq!(
        Value::Object(document),
        json!({"dueDate": "2026-03-12T12:00:00.000+00:00", "dueDateChangedByRecall": true,
               "action": "recallrequested", "loanPolicyId": Uuid::from_u128(5),
               "itemStatus": "Checked out"})
    );
    for unchanged in [
        json!({"dueDateChangedByRecall": true}),
        json!({"status": {"name": "Closed"}}),
        json!({"dueDate": null}),
    ] {
        let plan = recall(&loan(unchanged), ItemStatus::CheckedOut, &facts, now);
        assert_eq!(plan.unwrap(), None);
    }
}

#[test]
fn views_are_taken_apart_and_a_loan_without_status_is_open() {
    let sent = json!({"itemId": "x", "borrower": {}, "item": {}, "loanPolicy": {},
        "dueDateChangedByHold": true,
        "reminders": {"lastFeeBilled": {"number": 1}, "renewalBlocked": true}});
    assert_eq!(
        LoanRecord::stripped(sent),
        json!({"itemId": "x", "status": {"name": "Open"}, "action": "checkedout",
               "reminders": {"lastFeeBilled": {"number": 1}}})
    );
    let closed = json!({"status": {"name": "Closed"}, "action": "checkedin"});
    assert_eq!(LoanRecord::stripped(closed.clone()), closed);
}

#[test]
fn the_same_loan_says_nothing_new() {
    let stored = map(json!({"id": "a", "dueDate": "2026-03-31T12:00:00.000+00:00", "more": 1}));
    for (sent, same) in [
        (json!({"id": "a"}), true),
        (json!({"dueDate": "2026-03-31T13:00:00+01:00"}), true),
        (json!({"dueDate": "2026-03-31T12:00:01Z"}), false),
        (json!({"userId": "b"}), false),
        (json!({"metadata": {"createdDate": "now"}}), true),
    ] {
        assert_eq!(is_same(&map(sent.clone()), &stored), same, "{sent}");
    }
}

#[test]
fn a_kept_item_says_until_when() {
    let mut document = map(json!({}));
    assert!(!UseChange::concerns(&document));
    let change = |place, kept_until| UseChange {
        place,
        at: at("2026-03-01T00:00:00Z"),
        kept_until,
    };
    let until = Some(at("2026-03-06T23:59:59Z"));
    change(PlaceOfUse::Held, until).apply_to(&mut document);
    assert!(UseChange::concerns(&document));
    assert_eq!(
        document["forUseAtLocation"],
        json!({"status": "Held", "statusDate": "2026-03-01T00:00:00.000+00:00",
               "holdShelfExpirationDate": "2026-03-06T23:59:59.000+00:00"})
    );
    change(PlaceOfUse::Returned, None).apply_to(&mut document);
    assert_eq!(document["forUseAtLocation"]["status"], "Returned");
}
