//! Tables of what is decided about lost and claimed loans.

use jiff::Timestamp;
use octavo_fees::accounting::Money;
use octavo_library::{
    ActualCostStatus, HoldingsId, InstanceId, ItemId, ItemStatus, Loan, LoanId, LocationId,
    ServicePointId,
};
use serde_json::{Value, json};

use super::billing::{Billing, bill, due};
use super::claim::{ClaimReturned, DeclareMissing, claim, missing};
use super::declare::{DeclareLost, DeclareLostFacts, DeclareLostPlan, decide};
use super::settled::{ActualCost, LossFees, is_settled};
use super::{LoanChange, LostItemPolicy, aging};
use crate::facts::Item;
use crate::refusal::LossRefusal;

const LOAN: LoanId = LoanId::from_u128(1);
const ITEM: ItemId = ItemId::from_u128(2);
const DESK: ServicePointId = ServicePointId::from_u128(3);
const HOME: LocationId = LocationId::from_u128(4);

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn now() -> Timestamp {
    at("2024-03-31T12:00:00Z")
}

fn item(status: ItemStatus) -> Item {
    Item {
        id: ITEM,
        barcode: Some("I1".into()),
        status: serde_json::from_value(json!({"name": status})).unwrap(),
        material_type_id: None,
        material_type_name: None,
        loan_type_id: None,
        effective_location_id: None,
        place: None,
        holdings_record_id: HoldingsId::default(),
        instance_id: InstanceId::default(),
        title: None,
    }
}

fn stored(changes: Value) -> Value {
    let mut loan = json!({
        "id": LOAN, "itemId": ITEM, "status": {"name": "Open"}, "action": "checkedout",
        "loanDate": "2024-01-01T00:00:00.000+00:00", "dueDate": "2024-02-01T00:00:00.000+00:00",
        "itemStatus": "Checked out",
    });
    for (key, value) in changes.as_object().unwrap() {
        loan[key] = value.clone();
    }
    loan
}

fn loan(changes: Value) -> Loan {
    serde_json::from_value(stored(changes)).unwrap()
}

fn policy(policy: Value) -> LostItemPolicy {
    serde_json::from_value(policy).unwrap()
}

fn applied(change: &LoanChange, to: Value) -> Value {
    let mut document = to.as_object().unwrap().clone();
    change.apply_to(&mut document);
    Value::Object(document)
}

fn declared(policy: &LostItemPolicy, owner: bool) -> Result<DeclareLostPlan, LossRefusal> {
    let request = DeclareLost {
        at: Some(at("2024-03-01T00:00:00Z")),
        service_point_id: DESK,
        comment: Some("gone".into()),
    };
    let facts = DeclareLostFacts {
        loan: &loan(json!({})),
        item: &item(ItemStatus::CheckedOut),
        permanent_location_id: Some(HOME),
        policy,
        has_owner: owner,
        missing_fee_type: None,
    };
    decide(&request, facts, now())
}

#[test]
fn what_a_policy_charges() {
    // Policy; charges the item, set cost, fee when declared lost, fee when aged to lost.
    let cost = |kind: &str, amount: f64| json!({"chargeType": kind, "amount": amount});
    let table = [
        (json!({}), (false, None, None, None)),
        (
            json!({"chargeAmountItem": cost("anotherCost", 10.0)}),
            (true, Some(10), None, None),
        ),
        (
            json!({"chargeAmountItem": cost("anotherCost", 0.0)}),
            (false, None, None, None),
        ),
        (
            json!({"chargeAmountItem": cost("actualCost", 0.0)}),
            (true, None, None, None),
        ),
        (
            json!({"chargeAmountItem": null, "lostItemProcessingFee": 5.0}),
            (false, None, None, None),
        ),
        (
            json!({"lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true}),
            (false, None, Some(5), None),
        ),
        (
            json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true}),
            (false, None, None, Some(5)),
        ),
        (
            json!({"lostItemProcessingFee": 0.0, "chargeAmountItemPatron": true}),
            (false, None, None, None),
        ),
    ];
    for (given, expected) in table {
        let policy = policy(given.clone());
        let found = (
            policy.charges_the_item(),
            policy.set_cost(),
            policy.declared_lost_processing_fee(),
            policy.aged_to_lost_processing_fee(),
        );
        let (item, cost, declared, aged) = expected;
        let money = |units: Option<i64>| units.map(|units| Money::cents(units * 100));
        let expected = (item, money(cost), money(declared), money(aged));
        assert_eq!(found, expected, "{given}");
    }
}

#[test]
fn periods_of_a_policy() {
    let days = |number: i64| json!({"duration": number, "intervalId": "Days"});
    let lost = at("2024-03-01T00:00:00Z");
    let policy_of = |name: &str, period: Value| policy(json!({name: period}));
    let expires = |period| policy_of("lostItemChargeFeeFine", period).actual_cost_expires_at(lost);
    assert_eq!(expires(days(2)), Some(at("2024-03-03T00:00:00Z")));
    assert_eq!(expires(Value::Null), None);
    assert_eq!(expires(days(0)), None);
    let gives_back =
        |period, now| policy_of("feesFinesShallRefunded", period).gives_back(lost, at(now));
    assert!(gives_back(Value::Null, "2034-03-01T00:00:00Z"));
    assert!(gives_back(days(2), "2024-03-03T00:00:00Z"));
    assert!(!gives_back(days(2), "2024-03-03T00:00:00.001Z"));
    let both = policy(json!({"patronBilledAfterAgedLost": days(1),
                             "patronBilledAfterRecalledItemAgedLost": days(3)}));
    assert_eq!(both.billed_at(false, lost), at("2024-03-02T00:00:00Z"));
    assert_eq!(both.billed_at(true, lost), at("2024-03-04T00:00:00Z"));
    assert_eq!(policy(json!({})).billed_at(true, lost), lost);
}

#[test]
fn loans_age_after_their_policys_period_and_not_before() {
    // Period, due date, whether it ages on 31 March 2024 at noon.
    let table = [
        ("Months", 1, "2024-02-29T12:00:00Z", true),
        ("Months", 1, "2024-02-29T12:00:00.001Z", true),
        ("Months", 1, "2024-03-01T00:00:00Z", false),
        ("Weeks", 1, "2024-03-24T12:00:00Z", true),
        ("Weeks", 1, "2024-03-24T12:00:00.001Z", false),
        ("Days", 2, "2024-03-29T12:00:00Z", true),
        ("Days", 2, "2024-03-29T12:00:01Z", false),
        ("Hours", 3, "2024-03-31T09:00:00Z", true),
        ("Hours", 3, "2024-03-31T09:00:01Z", false),
        ("Minutes", 1, "2024-03-31T11:59:00Z", true),
        ("Minutes", 1, "2024-03-31T11:59:01Z", false),
        ("Years", 1, "2023-03-31T12:00:00Z", true),
        ("Years", 1, "2023-04-01T12:00:00Z", false),
        ("Minutes", 0, "2000-01-01T00:00:00Z", false),
        ("Minutes", -5, "2000-01-01T00:00:00Z", false),
        ("Fortnights", 1, "2000-01-01T00:00:00Z", false),
    ];
    for (unit, duration, due, ages) in table {
        let period = json!({"duration": duration, "intervalId": unit});
        for recalled in [false, true] {
            let name = if recalled {
                "recalledItemAgedLostOverdue"
            } else {
                "itemAgedLostOverdue"
            };
            let policy = policy(json!({name: period}));
            let given = json!({"dueDate": due, "dueDateChangedByRecall": recalled});
            let case = format!("{duration} {unit}, {given}");
            let loan = loan(given);
            assert_eq!(aging::age(&loan, &policy, now()).is_some(), ages, "{case}");
            // Whatever ages is looked for, by its own kind of period alone.
            let looked_for = aging::due_before(&policy, recalled, now());
            if ages {
                assert!(looked_for >= loan.due_date, "{case}");
            }
            assert_eq!(aging::due_before(&policy, !recalled, now()), None, "{case}");
        }
    }
}

#[test]
fn all_months_are_looked_for_far_enough() {
    let policy = policy(json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Months"}}));
    for day in 0..800_i64 {
        let due = at("2023-01-01T10:00:00Z") + jiff::SignedDuration::from_hours(24 * day);
        let given = loan(json!({"dueDate": octavo_library::wire_time::format(due)}));
        for hours in 0..40 {
            let now = due + jiff::SignedDuration::from_hours(24 * hours);
            if aging::age(&given, &policy, now).is_some() {
                assert!(
                    aging::due_before(&policy, false, now) >= Some(due),
                    "{due} {now}"
                );
            }
        }
    }
}

#[test]
fn only_open_loans_that_are_not_lost_or_claimed_age() {
    let policy = policy(json!({"itemAgedLostOverdue": {"duration": 1, "intervalId": "Minutes"}}));
    let table = [
        (json!({}), true),
        (json!({"itemStatus": "Missing"}), true),
        (json!({"itemStatus": "Claimed returned"}), false),
        (json!({"itemStatus": "Aged to lost"}), false),
        (json!({"itemStatus": "Declared lost"}), false),
        (json!({"itemStatus": null}), false),
        (json!({"status": {"name": "Closed"}}), false),
        (json!({"dueDate": null}), false),
    ];
    for (given, ages) in table {
        let change = aging::age(&loan(given.clone()), &policy, now());
        assert_eq!(change.is_some(), ages, "{given}");
    }
    let change = aging::age(&loan(json!({})), &policy, now()).unwrap();
    let aged = applied(&change, stored(json!({"actionComment": "renewed for her"})));
    let expected = json!({
        "action": "itemAgedToLost", "itemStatus": "Aged to lost",
        "agedToLostDelayedBilling": {
            "lostItemHasBeenBilled": false,
            "dateLostItemShouldBeBilled": "2024-03-31T12:00:00.000+00:00",
            "agedToLostDate": "2024-03-31T12:00:00.000+00:00"},
    });
    assert_eq!(aged, stored(expected));
}

#[test]
fn a_declaration_closes_a_loan_that_costs_nothing() {
    let free = policy(json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true}));
    for owner in [false, true] {
        let plan = declared(&free, owner).unwrap();
        let lost = applied(&plan.declared, stored(json!({})));
        let expected = json!({
            "action": "declaredLost", "itemStatus": "Declared lost", "actionComment": "gone",
            "declaredLostDate": "2024-03-01T00:00:00.000+00:00",
        });
        assert_eq!(lost, stored(expected));
        let closed = applied(&plan.closed.unwrap(), lost);
        let expected = json!({
            "action": "closedLoan", "itemStatus": "Lost and paid", "status": {"name": "Closed"},
            "declaredLostDate": "2024-03-01T00:00:00.000+00:00",
            "returnDate": "2024-03-31T12:00:00.000Z",
        });
        assert_eq!(closed, stored(expected));
    }
}

#[test]
fn a_fee_needs_somebody_it_is_owed_to() {
    let charging = [
        json!({"chargeAmountItem": {"chargeType": "actualCost"}}),
        json!({"chargeAmountItem": {"chargeType": "anotherCost", "amount": 1}}),
        json!({"lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true}),
    ];
    for given in charging {
        let policy = policy(given.clone());
        let location_id = Some(HOME);
        let refusal = LossRefusal::NoFeeFineOwner { location_id };
        assert_eq!(declared(&policy, false), Err(refusal), "{given}");
        assert_eq!(declared(&policy, true).unwrap().closed, None, "{given}");
    }
}

#[test]
fn bodies_are_read_and_refused() {
    let desk = DESK.to_string();
    let date = "2024-03-01T00:00:00Z";
    let without = |value: Option<&str>| LossRefusal::DeclaredLostWithoutServicePoint {
        value: value.map(str::to_owned),
    };
    assert_eq!(DeclareLost::from_body(&json!([])), Err(without(None)));
    let blank = json!({"servicePointId": " "});
    assert_eq!(DeclareLost::from_body(&blank), Err(without(Some(" "))));
    let value = "soon".to_owned();
    assert_eq!(
        DeclareLost::from_body(&json!({"servicePointId": desk, "declaredLostDateTime": "soon"})),
        Err(LossRefusal::DeclaredLostDateNotUnderstood { value })
    );
    let read = DeclareLost::from_body(&json!({"servicePointId": desk})).unwrap();
    assert_eq!((read.at, read.comment), (None, None));
    for (given, value) in [
        (json!({}), None),
        (json!({"itemClaimedReturnedDateTime": "x"}), Some("x")),
    ] {
        let value = value.map(str::to_owned);
        let refusal = LossRefusal::ClaimWithoutDate { value };
        assert_eq!(ClaimReturned::from_body(&given), Err(refusal));
    }
    let body = json!({"itemClaimedReturnedDateTime": date, "comment": "in the box"});
    assert_eq!(ClaimReturned::from_body(&body).unwrap().at, at(date));
    let refusal = LossRefusal::MissingWithoutComment;
    assert_eq!(DeclareMissing::from_body(&json!({})), Err(refusal));
    // FOLIO accepts an empty comment.
    assert_eq!(
        DeclareMissing::from_body(&json!({"comment": ""}))
            .unwrap()
            .comment,
        ""
    );
}

#[test]
fn claims_keep_what_was_said_before_unless_they_say_more() {
    let said = json!({"actionComment": "renewed for her"});
    let request = |comment: Option<&str>| ClaimReturned {
        at: at("2024-03-01T00:00:00Z"),
        comment: comment.map(str::to_owned),
    };
    for (comment, kept) in [
        (None, "renewed for her"),
        (Some(" "), "renewed for her"),
        (Some("in the box"), "in the box"),
    ] {
        let change = claim(&request(comment), &loan(json!({}))).unwrap();
        let expected = json!({
            "action": "claimedReturned", "itemStatus": "Claimed returned", "actionComment": kept,
            "claimedReturnedDate": "2024-03-01T00:00:00.000+00:00",
        });
        assert_eq!(applied(&change, stored(said.clone())), stored(expected));
    }
    let closed = loan(json!({"status": {"name": "Closed"}}));
    let refusal = LossRefusal::LoanClosed { loan_id: LOAN };
    assert_eq!(claim(&request(None), &closed), Err(refusal.clone()));
    let look = DeclareMissing {
        comment: "looked".into(),
    };
    assert_eq!(
        missing(&look, &closed, &item(ItemStatus::ClaimedReturned)),
        Err(refusal)
    );
    let refusal = LossRefusal::NotClaimedReturned { item_id: ITEM };
    assert_eq!(
        missing(&look, &loan(json!({})), &item(ItemStatus::CheckedOut)),
        Err(refusal)
    );
    let change = missing(&look, &loan(json!({})), &item(ItemStatus::ClaimedReturned)).unwrap();
    let expected = json!({
        "action": "markedMissing", "itemStatus": "Missing", "actionComment": "looked",
        "status": {"name": "Closed"},
    });
    assert_eq!(applied(&change, stored(json!({}))), stored(expected));
}

fn known(_: &str) -> bool {
    true
}

#[test]
fn what_has_no_type_of_fee_waits() {
    let cost = |kind: &str| json!({"chargeType": kind, "amount": 10.0});
    let work = json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true,
                      "chargeAmountItemPatron": true, "chargeAmountItem": cost("actualCost")});
    let set = json!({"chargeAmountItem": cost("anotherCost")});
    // Policy; the types that there are; whether it is billed.
    for (charging, types, billed) in [
        (&work, vec!["Lost item processing fee"], false),
        (
            &work,
            vec!["Lost item fee (actual cost)", "Lost item processing fee"],
            true,
        ),
        (
            &work,
            vec!["Lost item fee (actual cost)", "Lost item fee"],
            false,
        ),
        (&set, vec!["Lost item fee"], true),
        (&set, vec!["Lost item processing fee"], false),
    ] {
        let there = |name: &str| types.contains(&name);
        let billing = bill(&policy(charging.clone()), true, &there, now());
        assert_eq!(
            billing != Billing::NoFeeType,
            billed,
            "{charging} {types:?}"
        );
    }
    let (loan, item, policy) = (loan(json!({})), item(ItemStatus::CheckedOut), policy(set));
    let facts = |missing_fee_type| DeclareLostFacts {
        loan: &loan,
        item: &item,
        permanent_location_id: Some(HOME),
        policy: &policy,
        has_owner: true,
        missing_fee_type,
    };
    let request = DeclareLost {
        at: None,
        service_point_id: DESK,
        comment: None,
    };
    assert!(decide(&request, facts(None), now()).is_ok());
    let name = "Lost item fee";
    assert_eq!(
        decide(&request, facts(Some(name)), now()),
        Err(LossRefusal::NoFeeType { name })
    );
}

#[test]
fn aged_loans_are_billed_closed_or_wait_for_an_owner() {
    let charging = policy(json!({"chargeAmountItem": {"chargeType": "actualCost"}}));
    let processing = policy(json!({"lostItemProcessingFee": 5.0, "chargeAmountItemSystem": true}));
    let free = policy(json!({"lostItemProcessingFee": 5.0, "chargeAmountItemPatron": true}));
    for charging in [charging, processing] {
        assert_eq!(bill(&charging, false, &known, now()), Billing::NoOwner);
        let Billing::Charge(change) = bill(&charging, true, &known, now()) else {
            panic!("it charges");
        };
        let billing = json!({"agedToLostDelayedBilling": {
            "lostItemHasBeenBilled": false, "agedToLostDate": "2024-03-01T00:00:00.000+00:00"}});
        let billed = applied(&change, stored(billing));
        let expected = json!({"action": "", "agedToLostDelayedBilling": {
            "lostItemHasBeenBilled": true, "agedToLostDate": "2024-03-01T00:00:00.000+00:00"}});
        assert_eq!(billed, stored(expected));
    }
    let Billing::Close(change) = bill(&free, false, &known, now()) else {
        panic!("it charges nothing");
    };
    let closed = applied(&change, stored(json!({})));
    assert_eq!(
        closed["agedToLostDelayedBilling"]["lostItemHasBeenBilled"],
        true
    );
    assert_eq!(closed["status"]["name"], "Closed");
}

#[test]
fn loans_are_billed_when_their_time_has_come_and_once() {
    let aged = |billed: bool, date: &str, status: ItemStatus| {
        stored(json!({"itemStatus": status, "agedToLostDelayedBilling": {
            "lostItemHasBeenBilled": billed, "dateLostItemShouldBeBilled": date,
            "agedToLostDate": "2024-03-01T00:00:00.000+00:00"}}))
    };
    let table = [
        (
            aged(false, "2024-03-31T12:00:00Z", ItemStatus::AgedToLost),
            true,
        ),
        (
            aged(false, "2024-03-31T12:00:01Z", ItemStatus::AgedToLost),
            false,
        ),
        (
            aged(true, "2024-03-31T12:00:00Z", ItemStatus::AgedToLost),
            false,
        ),
        (
            aged(false, "2024-03-31T12:00:00Z", ItemStatus::CheckedOut),
            false,
        ),
        (stored(json!({"itemStatus": "Aged to lost"})), false),
    ];
    for (given, expected) in table {
        let found = due(given.as_object().unwrap(), now());
        let expected = expected.then(|| at("2024-03-01T00:00:00Z"));
        assert_eq!(found, expected, "{given}");
    }
}

#[test]
fn a_loss_is_settled_when_nothing_is_owed_and_nothing_will_be() {
    let record = |status: ActualCostStatus, end: Option<&str>| ActualCost {
        status,
        expiration_date: end.map(at),
    };
    let fees = |any_open, actual_cost_billed| LossFees {
        any_open,
        actual_cost_billed,
    };
    let (past, future) = (Some("2024-03-01T00:00:00Z"), Some("2024-04-01T00:00:00Z"));
    let table = [
        (fees(false, false), None, true),
        (fees(true, false), None, false),
        (
            fees(false, false),
            Some(record(ActualCostStatus::Open, future)),
            false,
        ),
        (
            fees(false, false),
            Some(record(ActualCostStatus::Open, None)),
            false,
        ),
        (
            fees(false, false),
            Some(record(ActualCostStatus::Open, past)),
            true,
        ),
        (
            fees(false, false),
            Some(record(ActualCostStatus::Expired, past)),
            true,
        ),
        (
            fees(false, false),
            Some(record(ActualCostStatus::Cancelled, future)),
            true,
        ),
        (
            fees(false, true),
            Some(record(ActualCostStatus::Billed, future)),
            true,
        ),
        (
            fees(true, true),
            Some(record(ActualCostStatus::Billed, past)),
            false,
        ),
    ];
    for (fees, record, expected) in table {
        let settled = |loan: &Loan, status: ItemStatus| {
            is_settled(loan, &item(status), fees, record.as_ref(), now())
        };
        let case = format!("{fees:?} {record:?}");
        let open = loan(json!({}));
        assert_eq!(settled(&open, ItemStatus::DeclaredLost), expected, "{case}");
        assert_eq!(settled(&open, ItemStatus::AgedToLost), expected, "{case}");
        assert!(!settled(&open, ItemStatus::CheckedOut), "{case}");
        assert!(!settled(&open, ItemStatus::ClaimedReturned), "{case}");
        let closed = loan(json!({"status": {"name": "Closed"}}));
        assert!(!settled(&closed, ItemStatus::DeclaredLost), "{case}");
    }
}
