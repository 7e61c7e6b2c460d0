//! Tables of renewals: one usual loan, and what each change of it or its policy makes of a renewal.

use std::collections::HashSet;

use jiff::{Timestamp, tz::TimeZone};
use octavo_library::{
    DatedStatus, HoldingsId, InstanceId, ItemId, ItemStatus, LoanAction, wire_time,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::due_date::Openings;
use crate::facts::{Item, QueuedRequest, RequestQueue};
use crate::refusal::Refusal;

const NOW: &str = "2026-03-10T12:00:00Z";
const DUE: &str = "2026-03-20T12:00:00Z";

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn from<T: serde::de::DeserializeOwned>(document: Value) -> T {
    serde_json::from_value(document).unwrap()
}

fn policy() -> Value {
    json!({"id": id(5), "name": "Usual", "loanable": true, "renewable": true,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 10, "intervalId": "Days"},
                        "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"},
        "renewalsPolicy": {"numberAllowed": 2.0, "renewFromId": "CURRENT_DUE_DATE"}})
}

fn facts() -> RenewalFacts {
    RenewalFacts {
        item: Some(Item {
            id: ItemId::from_u128(1),
            barcode: Some("i".into()),
            status: DatedStatus {
                name: ItemStatus::CheckedOut,
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
        }),
        loan: Some(from(
            json!({"id": id(2), "userId": id(3), "itemId": id(1), "action": "checkedout",
            "status": {"name": "Open"}, "loanDate": "2026-03-10T12:00:00Z", "dueDate": DUE}),
        )),
        patron: Some(from(json!({"id": id(3), "barcode": "p", "active": true}))),
        manual_blocks: Vec::new(),
        automated_blocks: Vec::new(),
        has_reminders: false,
        renewable_with_reminders: false,
        terms: Some(RenewalTerms {
            policy: from(policy()),
            schedule: None,
            alternate_schedule: None,
        }),
        queue: RequestQueue::default(),
        zone: TimeZone::UTC,
        openings: Openings::NoCalendar,
        operator_permissions: HashSet::new(),
    }
}

fn asked(blocks: Value) -> RenewalRequest {
    let body: RenewalBody =
        from(json!({"itemBarcode": "i", "userBarcode": "p", "overrideBlocks": blocks}));
    body.by_barcodes().unwrap()
}

fn with_policy(change: impl FnOnce(&mut Value)) -> RenewalFacts {
    let mut document = policy();
    change(&mut document);
    let mut facts = facts();
    facts.terms.as_mut().unwrap().policy = from(document);
    facts
}

fn request(kind: &str, level: &str, item: Option<u128>) -> QueuedRequest {
    let mut document = json!({"id": id(90), "requestType": kind, "requestLevel": level,
        "status": "Open - Not yet filled", "requesterId": id(91), "instanceId": id(8),
        "position": 1, "fulfillmentPreference": "Hold Shelf"});
    if let Some(item) = item {
        document["itemId"] = json!(id(item));
    }
    from(document)
}

fn codes(facts: &RenewalFacts, request: &RenewalRequest) -> Vec<String> {
    match decide(request, facts, at(NOW)) {
        Ok(plan) => vec![wire_time::format(plan.due_date)],
        Err(refusals) => refusals
            .iter()
            .map(|refusal| {
                refusal
                    .code()
                    .map_or_else(|| refusal.message(), str::to_owned)
            })
            .collect(),
    }
}

#[test]
fn a_renewal_counts_and_moves_the_due_date() {
    let plan = decide(&asked(Value::Null), &facts(), at(NOW)).unwrap();
    assert_eq!(plan.due_date, at("2026-03-30T12:00:00Z"));
    assert_eq!((plan.action, plan.renewal_count), (LoanAction::Renewed, 1));
    let mut document = json!({"action": "checkedout", "actionComment": "old", "reminders": {},
                              "metadata": {}});
    let document = document.as_object_mut().unwrap();
    plan.apply_to(document);
    assert_eq!(
        Value::Object(document.clone()),
        json!({"action": "renewed", "metadata": {}, "dueDate": "2026-03-30T12:00:00.000+00:00",
               "loanPolicyId": id(5), "renewalCount": 1})
    );
}

#[test]
fn the_policy_gives_the_new_due_date() {
    let schedule = |from_date: &str, to: &str, due: &str| {
        from(json!({"schedules": [{"from": from_date, "to": to, "due": due}]}))
    };
    let april = || {
        schedule(
            "2026-03-01T00:00:00Z",
            "2026-03-31T00:00:00Z",
            "2026-04-01T00:00:00Z",
        )
    };
    let near = || {
        schedule(
            "2026-03-01T00:00:00Z",
            "2026-03-31T00:00:00Z",
            "2026-03-25T00:00:00Z",
        )
    };
    let different = |policy: &mut Value| {
        policy["renewalsPolicy"]["differentPeriod"] = json!(true);
        policy["renewalsPolicy"]["period"] = json!({"duration": 1, "intervalId": "Weeks"});
    };
    let fixed = |policy: &mut Value| policy["loansPolicy"]["profileId"] = json!("Fixed");
    let mut table: Vec<(&str, RenewalFacts, &str)> = Vec::new();
    table.push((
        "from now",
        with_policy(|p| {
            p["renewalsPolicy"]["renewFromId"] = json!("SYSTEM_DATE");
            p["loansPolicy"]["period"]["duration"] = json!(20);
        }),
        "2026-03-30T12:00:00.000+00:00",
    ));
    table.push((
        "a period of its own",
        with_policy(different),
        "2026-03-27T12:00:00.000+00:00",
    ));
    let mut limited = facts();
    limited.terms.as_mut().unwrap().schedule = Some(near());
    table.push((
        "a schedule limits",
        limited,
        "2026-03-25T00:00:00.000+00:00",
    ));
    let mut own = with_policy(different);
    own.terms.as_mut().unwrap().schedule = Some(april());
    own.terms.as_mut().unwrap().alternate_schedule = Some(near());
    table.push((
        "its own schedule limits",
        own,
        "2026-03-25T00:00:00.000+00:00",
    ));
    let mut term = with_policy(fixed);
    term.terms.as_mut().unwrap().schedule = Some(april());
    table.push((
        "a schedule gives",
        term.clone(),
        "2026-04-01T00:00:00.000+00:00",
    ));
    term.terms.as_mut().unwrap().policy = with_policy(|p| {
        fixed(p);
        different(p);
    })
    .terms
    .unwrap()
    .policy;
    table.push((
        "fixed with a period but without a schedule for renewals",
        term,
        "renewal date falls outside of date ranges in fixed loan policy",
    ));
    let mut leaving = facts();
    leaving.patron.as_mut().unwrap().expiration_date = Some(at("2026-03-22T00:00:00Z"));
    table.push((
        "the patron leaves",
        leaving,
        "2026-03-22T00:00:00.000+00:00",
    ));
    table.push((
        "the end of the day",
        with_policy(|p| {
            p["loansPolicy"]["closedLibraryDueDateManagementId"] = json!("CURRENT_DUE_DATE")
        }),
        "2026-03-30T23:59:59.000+00:00",
    ));
    table.push((
        "open days without a calendar",
        with_policy(|p| {
            p["loansPolicy"]["closedLibraryDueDateManagementId"] =
                json!("END_OF_THE_NEXT_OPEN_DAY");
        }),
        "Calendar timetable is absent for requested date",
    ));
    for (name, facts, expected) in table {
        assert_eq!(codes(&facts, &asked(Value::Null)), [expected], "{name}");
    }
}

#[test]
fn the_first_who_waits_decides() {
    let alternate = |p: &mut Value| {
        p["requestManagement"] = json!({"holds": {"renewItemsWithRequest": true,
            "alternateRenewalLoanPeriod": {"duration": 3, "intervalId": "Days"}}});
    };
    let usual = "2026-03-30T12:00:00.000+00:00";
    let hold = "Items with this loan policy cannot be renewed when there is an active, pending hold request";
    let table = [
        (
            request("Hold", "Item", Some(1)),
            hold,
            "2026-03-23T12:00:00.000+00:00",
        ),
        (
            request("Hold", "Title", None),
            hold,
            "2026-03-23T12:00:00.000+00:00",
        ),
        (request("Hold", "Title", Some(66)), usual, usual),
        (request("Page", "Title", None), usual, usual),
        (request("Recall", "Title", None), usual, usual),
    ];
    for (waiting, forbidden, allowed) in table {
        let queue = RequestQueue::new([waiting.clone()]);
        let mut without = facts();
        without.queue = queue.clone();
        assert_eq!(
            codes(&without, &asked(Value::Null)),
            [forbidden],
            "{waiting:?}"
        );
        let mut with = with_policy(alternate);
        with.queue = queue;
        assert_eq!(codes(&with, &asked(Value::Null)), [allowed], "{waiting:?}");
    }
    let mut recalled = facts();
    recalled.queue = RequestQueue::new([request("Recall", "Item", Some(1))]);
    assert_eq!(
        codes(&recalled, &asked(Value::Null)),
        ["items cannot be renewed when there is an active recall request"]
    );
}

#[test]
fn everything_that_stands_against_it_is_told_in_order() {
    let mut all = with_policy(|p| {
        p["loanable"] = json!(false);
        p["renewable"] = json!(false);
    });
    all.patron.as_mut().unwrap().active = None;
    all.manual_blocks = vec![from(json!({"desc": "Owes", "renewals": true}))];
    all.automated_blocks = vec!["Too many".into()];
    all.has_reminders = true;
    all.item.as_mut().unwrap().status.name = ItemStatus::DeclaredLost;
    all.queue = RequestQueue::new([request("Recall", "Item", Some(1))]);
    assert_eq!(
        codes(&all, &asked(Value::Null)),
        [
            "Cannot determine if user is active.",
            "USER_IS_BLOCKED_MANUALLY",
            "USER_IS_BLOCKED_AUTOMATICALLY",
            "Renewals not allowed for loans with reminders.",
            "item is not loanable",
            "items cannot be renewed when there is an active recall request",
            "item is Declared lost",
            "loan is not renewable",
        ]
    );
    // Where the loan is another's nothing more is looked at by barcode, and all by id.
    let mut other = facts();
    other.patron.as_mut().unwrap().barcode = Some("else".into());
    other.automated_blocks = vec!["Too many".into()];
    assert_eq!(
        codes(&other, &asked(json!({"renewalBlock": {}, "comment": "x"}))),
        [
            "Cannot renew item checked out to different user",
            "Insufficient override permissions"
        ]
    );
    let body: RenewalBody = from(json!({"itemId": id(1), "userId": id(4)}));
    assert_eq!(
        codes(&other, &body.by_ids().unwrap()),
        [
            "Cannot renew item checked out to different user",
            "USER_IS_BLOCKED_AUTOMATICALLY"
        ]
    );
}

#[test]
fn an_override_of_patron_blocks_leaves_the_policy_in_force() {
    let mut blocked = facts();
    blocked.automated_blocks = vec!["Too many".into()];
    let request = asked(json!({"patronBlock": {}, "comment": "Once"}));
    assert_eq!(
        codes(&blocked, &request),
        ["Insufficient override permissions"]
    );
    let permission = "circulation.override-patron-block.post".to_owned();
    blocked.operator_permissions = HashSet::from([permission]);
    let plan = decide(&request, &blocked, at(NOW)).unwrap();
    assert_eq!(plan.action, LoanAction::RenewedThroughOverride);
    assert_eq!(plan.action_comment.as_deref(), Some("Once"));
    assert_eq!(plan.item_status, None);
    blocked.loan.as_mut().unwrap().renewal_count = Some(2);
    assert_eq!(
        codes(&blocked, &request),
        ["loan at maximum renewal number"]
    );
}

#[test]
fn an_override_of_the_renewal_asks_for_a_later_date_alone() {
    let permission = "circulation.override-renewal-block.post".to_owned();
    let allowed = HashSet::from([permission]);
    let plain = json!({"renewalBlock": {}, "comment": "x"});
    let dated =
        |date: &str| json!({"renewalDueDateRequiredBlock": {"dueDate": date}, "comment": "x"});
    let usual = "2026-03-30T12:00:00.000+00:00";
    let mut limit = facts();
    limit.loan.as_mut().unwrap().renewal_count = Some(2);
    let mut lost = facts();
    lost.item.as_mut().unwrap().status.name = ItemStatus::AgedToLost;
    let short = || {
        with_policy(|p| {
            p["renewalsPolicy"]["renewFromId"] = json!("SYSTEM_DATE");
            p["loansPolicy"]["period"]["duration"] = json!(1);
        })
    };
    let not_renewable = || with_policy(|p| p["renewable"] = json!(false));
    let later = "2026-05-01T00:00:00.000+00:00";
    let nothing_to_override = "Override renewal does not match any of expected cases: item is not \
        loanable, item is not renewable, reached number of renewals limit,renewal date falls \
        outside of the date ranges in the loan policy, items cannot be renewed when there is an \
        active recall request, item is Declared lost, item is Aged to lost, renewal would not \
        change the due date, loan has reminder fees";
    let table = [
        (facts(), plain.clone(), nothing_to_override),
        (
            facts(),
            json!({"renewalBlock": {}}),
            "Override renewal request must have a comment",
        ),
        (limit, plain.clone(), usual),
        (lost.clone(), plain.clone(), usual),
        (
            short(),
            plain.clone(),
            "New due date is required when renewal would not change the due date",
        ),
        (
            short(),
            dated("2026-03-20T12:00:00Z"),
            "renewal would not change the due date",
        ),
        (short(), dated("2026-05-01T00:00:00Z"), later),
        (
            not_renewable(),
            plain.clone(),
            "New due date must be specified when due date calculation fails",
        ),
        (not_renewable(), dated("2026-05-01T00:00:00Z"), later),
    ];
    for (mut facts, blocks, expected) in table {
        facts.operator_permissions = allowed.clone();
        assert_eq!(
            codes(&facts, &asked(blocks.clone())),
            [expected],
            "{blocks}"
        );
    }
    lost.operator_permissions = allowed;
    let plan = decide(&asked(plain), &lost, at(NOW)).unwrap();
    assert_eq!(
        plan.item_status.map(|status| status.name),
        Some(ItemStatus::CheckedOut)
    );
    assert!(plan.was_aged_to_lost);
}

#[test]
fn a_recall_that_is_over_takes_its_mark() {
    let mut marked = facts();
    marked.loan.as_mut().unwrap().due_date_changed_by_recall = Some(true);
    let plan = decide(&asked(Value::Null), &marked, at(NOW)).unwrap();
    assert!(plan.recall_is_over);
    let plan = decide(&asked(Value::Null), &facts(), at(NOW)).unwrap();
    assert!(!plan.recall_is_over);
}

#[test]
fn bodies_name_item_and_borrower() {
    let missing = |body: Value| -> Refusal {
        let body: RenewalBody = from(body);
        body.by_barcodes().unwrap_err()
    };
    let item = missing(json!({"userBarcode": "p"})).message();
    assert_eq!(item, "Renewal request must have an item barcode");
    let user = missing(json!({"itemBarcode": "i", "userBarcode": ""})).message();
    assert_eq!(user, "Renewal request must have a user barcode");
}
