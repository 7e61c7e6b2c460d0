//! Policies, times and what happens to notices, case by case.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanId, TemplateId, UserId};
use serde::Deserialize;
use serde_json::{Value, json};

use super::*;

const LOAN: LoanId = LoanId::from_u128(1);
const TEMPLATES: [TemplateId; 3] = [
    TemplateId::from_u128(11),
    TemplateId::from_u128(12),
    TemplateId::from_u128(13),
];
const USER: UserId = UserId::from_u128(2);
const DUE: &str = "2024-03-31T10:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

/// A notice of a policy.
fn setting(template: usize, format: &str, options: Value) -> Value {
    let mut setting = json!({"templateId": TEMPLATES[template], "format": format,
        "realTime": true, "frequency": "One time", "sendOptions": options});
    if !setting["sendOptions"]["sendEvery"].is_null() {
        setting["frequency"] = json!("Recurring");
    }
    setting
}

fn options(how: &str, when: &str) -> Value {
    json!({"sendHow": how, "sendWhen": when})
}

fn by(how: &str, when: &str, number: i64, unit: &str) -> Value {
    let mut options = options(how, when);
    options["sendBy"] = json!({"duration": number, "intervalId": unit});
    options
}

fn every(mut options: Value, number: i64, unit: &str) -> Value {
    options["sendEvery"] = json!({"duration": number, "intervalId": unit});
    options
}

fn loans(settings: Vec<Value>) -> NoticePolicy {
    NoticePolicy::read(&json!({ "loanNotices": settings }))
}

fn prefers(personal: Value) -> Preferences {
    Preferences::of(personal.as_object().expect("an object"))
}

fn about() -> About {
    About {
        loan_id: Some(LOAN),
        ..About::default()
    }
}

/// When the notices of a due date are due.
fn times(options: Value) -> Vec<String> {
    let policy = loans(vec![setting(0, "Email", options)]);
    let made = of_due_date(&policy, Event::DueDate, about(), at(DUE));
    made.iter()
        .map(|one| one["nextRunTime"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn notices_come_before_upon_and_after_a_due_date() {
    let upon = "2024-03-31T10:00:00.000+00:00";
    assert_eq!(times(options("Upon At", "Due date")), [upon]);
    for (number, unit, before, after) in [
        (5, "Minutes", "2024-03-31T09:55", "2024-03-31T10:05"),
        (3, "Hours", "2024-03-31T07:00", "2024-03-31T13:00"),
        (2, "Days", "2024-03-29T10:00", "2024-04-02T10:00"),
        (1, "Weeks", "2024-03-24T10:00", "2024-04-07T10:00"),
        (1, "Months", "2024-02-29T10:00", "2024-04-30T10:00"),
    ] {
        for (how, expected) in [("Before", before), ("After", after)] {
            let times = times(by(how, "Due date", number, unit));
            assert_eq!(times, [format!("{expected}:00.000+00:00")], "{how} {unit}");
        }
    }
    // Another event, a missing period, an unknown unit, none that is positive.
    for options in [
        options("Upon At", "Renewed"),
        options("Before", "Due date"),
        by("Before", "Due date", 1, "Years"),
        by("After", "Due date", 0, "Days"),
        options("Upon At", "Doomsday"),
    ] {
        assert_eq!(times(options.clone()), Vec::<String>::new(), "{options}");
    }
}

#[test]
fn a_scheduled_notice_is_stored_as_folio_stores_it() {
    let recurring = every(by("Before", "Due date", 2, "Days"), 1, "Hours");
    let policy = loans(vec![setting(1, "Print", recurring)]);
    let about = About {
        loan_id: Some(LOAN),
        user_id: Some(USER),
        ..About::default()
    };
    let made = of_due_date(&policy, Event::DueDate, about, at(DUE));
    let expected = json!({"loanId": LOAN, "recipientUserId": USER,
        "triggeringEvent": "Due date", "nextRunTime": "2024-03-29T10:00:00.000+00:00",
        "noticeConfig": {"timing": "Before", "templateId": TEMPLATES[1], "format": "Print",
            "sendInRealTime": true, "recurringPeriod": {"duration": 1, "intervalId": "Hours"}}});
    assert_eq!(json!(made), json!([expected]));
}

#[test]
fn requests_and_fees_have_their_own_times() {
    let policy = NoticePolicy::read(&json!({
        "requestNotices": [
            setting(0, "Email", by("Before", "Request expiration", 1, "Days")),
            setting(1, "Email", options("Upon At", "Request expiration")),
            setting(2, "Email", by("Before", "Hold expiration", 2, "Hours")),
        ],
        "feeFineNotices": [
            setting(0, "Email", options("Upon At", "Overdue fine returned")),
            setting(1, "Email", by("After", "Overdue fine returned", 1, "Weeks")),
        ],
    }));
    let shelf = Some(at("2024-02-01T12:00:00Z"));
    let times = |made: Vec<serde_json::Map<String, Value>>| -> Vec<(String, String)> {
        let text = |one: &serde_json::Map<String, Value>, name: &str| {
            let text = one[name].as_str().expect("a text");
            text.trim_end_matches(":00.000+00:00").to_owned()
        };
        made.iter()
            .map(|one| (text(one, "triggeringEvent"), text(one, "nextRunTime")))
            .collect()
    };
    let pair = |event: &str, at: &str| (event.to_owned(), at.to_owned());
    let expected = [
        pair("Request expiration", "2024-03-30T10:00"),
        pair("Request expiration", "2024-03-31T10:00"),
        pair("Hold expiration", "2024-02-01T10:00"),
    ];
    let made = of_requests(&policy, about(), Some(at(DUE)), shelf);
    assert_eq!(times(made), expected);
    assert_eq!(
        times(of_requests(&policy, about(), None, shelf)),
        expected[2..]
    );
    let made = of_fees(&policy, Event::OverdueFineReturned, about(), at(DUE));
    let name = "Overdue fine returned";
    assert_eq!(
        times(made),
        [
            pair(name, "2024-03-31T10:00"),
            pair(name, "2024-04-07T10:00")
        ]
    );
    assert!(of_fees(&policy, Event::OverdueFineRenewed, about(), at(DUE)).is_empty());
}

/// Which templates a patron gets upon a check-out.
fn chosen(policy: &NoticePolicy, personal: Value) -> Vec<TemplateId> {
    let upon = policy.upon(Event::CheckOut, &prefers(personal));
    upon.iter().map(|one| one.template_id).collect()
}

#[test]
fn of_several_formats_a_patron_gets_the_preferred_ones() {
    let upon = || options("Upon At", "Check out");
    let both = loans(vec![
        setting(0, "Print", upon()),
        setting(1, "Email", upon()),
        setting(2, "Email", upon()),
    ]);
    let [print, mail, _] = TEMPLATES;
    for (personal, expected) in [
        (json!({}), vec![mail]),
        (json!({"preferredContactTypeId": "001"}), vec![print]),
        (json!({"preferredContactTypeId": "003"}), vec![mail]),
        (
            json!({"preferredContactTypeIds": ["001"], "preferredContactTypeId": "002"}),
            vec![print],
        ),
        (
            json!({"preferredContactTypeIds": ["001", "002"]}),
            vec![print, mail],
        ),
        (json!({"preferredContactTypeIds": ["003"]}), vec![mail]),
    ] {
        assert_eq!(chosen(&both, personal.clone()), expected, "{personal}");
    }
    // One format leaves no choice, and only the first notice for an event is sent.
    let one = loans(vec![
        setting(0, "Print", upon()),
        setting(1, "Print", upon()),
    ]);
    let mail_wanted = json!({"preferredContactTypeIds": ["002"]});
    assert_eq!(chosen(&one, mail_wanted), [print]);
    assert!(one.upon(Event::CheckIn, &Preferences::default()).is_empty());
}

#[test]
fn a_scheduled_notice_is_sent_in_the_preferred_format_only() {
    let before = || by("Before", "Due date", 2, "Days");
    let both = loans(vec![
        setting(0, "Print", before()),
        setting(1, "Email", before()),
        setting(2, "Email", by("Before", "Due date", 9, "Days")),
    ]);
    let config = |template: usize, format| ScheduledConfig {
        timing: Timing::Before,
        template_id: Some(TEMPLATES[template]),
        format: Some(format),
        send_in_real_time: true,
        ..ScheduledConfig::default()
    };
    let paper = prefers(json!({"preferredContactTypeIds": ["001"]}));
    let still = |config: &ScheduledConfig, patron: &Preferences| {
        both.still_sends(Event::DueDate, config, patron)
    };
    let (print, mail) = (config(0, Format::Print), config(1, Format::Email));
    assert!(still(&print, &paper) && !still(&mail, &paper));
    let nobody = Preferences::default();
    assert!(!still(&print, &nobody) && still(&mail, &nobody));
    // The other notice comes in one format; one that the policy has no more is sent as it was planned.
    assert!(still(&config(2, Format::Email), &paper));
    let changed = ScheduledConfig {
        template_id: Some(TemplateId::from_u128(1)),
        ..print
    };
    assert!(still(&changed, &nobody));
}

/// A notice that was due at the due date.
fn notice(event: &str, timing: &str, recurring: Value) -> ScheduledNotice {
    let mut config = json!({"timing": timing, "templateId": LOAN, "format": "Email",
                            "sendInRealTime": true});
    if !recurring.is_null() {
        config["recurringPeriod"] = recurring;
    }
    let notice = json!({"id": LOAN, "loanId": LOAN, "triggeringEvent": event,
        "nextRunTime": "2024-03-31T10:00:00.000+00:00", "noticeConfig": config});
    ScheduledNotice::deserialize(notice).expect("a notice")
}

fn loan(more: Value) -> Loan {
    let mut loan = json!({"id": LOAN, "itemId": LOAN, "userId": LOAN, "action": "checkedout",
        "status": {"name": "Open"}, "loanDate": "2024-03-01T10:00:00Z", "dueDate": DUE});
    if let (Some(loan), Value::Object(more)) = (loan.as_object_mut(), more) {
        loan.extend(more);
    }
    Loan::deserialize(loan).expect("a loan")
}

const GOES: Decision = Decision {
    sent: true,
    fate: NoticeUpdate::Delete,
};
const KEPT: Decision = Decision {
    sent: false,
    fate: NoticeUpdate::Keep,
};

fn again(text: &str) -> Decision {
    Decision {
        sent: true,
        fate: NoticeUpdate::Again(at(text)),
    }
}

#[test]
fn a_notice_of_a_loan_is_over_when_there_is_nothing_to_tell() {
    let days = json!({"duration": 2, "intervalId": "Days"});
    let none = Value::Null;
    let (due, aged) = ("Due date", "Aged to lost");
    let (lost, lent) = (ItemStatus::AgedToLost, ItemStatus::CheckedOut);
    let closed = json!({"status": {"name": "Closed"}});
    for (event, timing, recurring, changed, status, charged, now, expected) in [
        (due, "Upon At", &none, json!({}), lent, false, DUE, GOES),
        (
            due,
            "After",
            &none,
            closed.clone(),
            lent,
            false,
            DUE,
            Decision::DROPPED,
        ),
        (
            due,
            "After",
            &none,
            json!({}),
            ItemStatus::DeclaredLost,
            false,
            DUE,
            Decision::DROPPED,
        ),
        (
            due,
            "After",
            &none,
            json!({}),
            lost,
            false,
            DUE,
            Decision::DROPPED,
        ),
        (
            due,
            "After",
            &none,
            json!({}),
            ItemStatus::ClaimedReturned,
            false,
            DUE,
            Decision::DROPPED,
        ),
        // Before the due date there is something to say until then.
        (due, "Before", &none, json!({}), lent, false, DUE, GOES),
        (
            due,
            "Before",
            &none,
            json!({}),
            lent,
            false,
            "2024-03-31T10:00:01Z",
            Decision::DROPPED,
        ),
        (
            due,
            "After",
            &days,
            json!({}),
            lent,
            false,
            DUE,
            again("2024-04-02T10:00:00Z"),
        ),
        // After a long silence it continues from now.
        (
            due,
            "After",
            &days,
            json!({}),
            lent,
            false,
            "2024-05-01T08:00:00Z",
            again("2024-05-03T08:00:00Z"),
        ),
        (due, "Before", &days, json!({}), lent, false, DUE, GOES),
        (
            due,
            "Before",
            &days,
            json!({"dueDate": "2024-04-02T10:00:00Z"}),
            lent,
            false,
            DUE,
            again("2024-04-02T10:00:00Z"),
        ),
        (aged, "Upon At", &none, json!({}), lost, false, DUE, GOES),
        (
            aged,
            "Upon At",
            &none,
            json!({}),
            lost,
            true,
            DUE,
            Decision::DROPPED,
        ),
        (
            aged,
            "After",
            &days,
            json!({"action": "renewed"}),
            lost,
            false,
            DUE,
            Decision::DROPPED,
        ),
        (
            aged,
            "After",
            &days,
            json!({}),
            ItemStatus::DeclaredLost,
            false,
            DUE,
            Decision::DROPPED,
        ),
        (
            aged,
            "After",
            &days,
            closed,
            lost,
            false,
            DUE,
            Decision::DROPPED,
        ),
    ] {
        let notice = notice(event, timing, recurring.clone());
        let loan = loan(changed.clone());
        let state = LoanState {
            loan: &loan,
            item_status: status,
            charged_as_lost: charged,
        };
        let came = of_loan(&notice, state, at(now));
        assert_eq!(
            came, expected,
            "{event} {timing} {recurring} {changed} {status} {now}"
        );
    }
}

#[test]
fn the_end_of_a_request_is_told_of_when_it_has_come() {
    use octavo_library::RequestStatus::{
        AwaitingPickup, Cancelled, Filled, NotYetFilled, PickupExpired, Unfilled,
    };
    let (request, shelf, title) = (
        "Request expiration",
        "Hold expiration",
        "Title level request expiration",
    );
    let dropped = Decision::DROPPED;
    let hours = json!({"duration": 3, "intervalId": "Hours"});
    for (event, timing, recurring, status, expected) in [
        (request, "Upon At", &Value::Null, NotYetFilled, KEPT),
        (request, "Upon At", &Value::Null, Unfilled, GOES),
        (request, "Upon At", &Value::Null, Filled, dropped),
        (request, "Upon At", &Value::Null, Cancelled, dropped),
        (request, "Before", &Value::Null, NotYetFilled, GOES),
        (request, "Before", &Value::Null, Unfilled, dropped),
        (
            request,
            "Before",
            &hours,
            NotYetFilled,
            again("2024-03-31T13:00:00Z"),
        ),
        (title, "Upon At", &Value::Null, Unfilled, GOES),
        (shelf, "Upon At", &Value::Null, AwaitingPickup, KEPT),
        (shelf, "Upon At", &Value::Null, PickupExpired, GOES),
        (shelf, "Upon At", &Value::Null, NotYetFilled, dropped),
        (shelf, "Upon At", &Value::Null, Filled, dropped),
        (shelf, "Before", &Value::Null, AwaitingPickup, GOES),
        (shelf, "Before", &Value::Null, PickupExpired, dropped),
    ] {
        let notice = notice(event, timing, recurring.clone());
        let until = Some(at("2024-03-31T14:00:00Z"));
        let came = of_request(&notice, status, until, None, at(DUE));
        assert_eq!(came, expected, "{event} {timing} {status:?}");
    }
    // Not after the earlier of both ends.
    let soon = notice(shelf, "Before", hours);
    let ends = (
        Some(at("2024-05-01T00:00:00Z")),
        Some(at("2024-03-31T12:00:00Z")),
    );
    let came = of_request(&soon, AwaitingPickup, ends.0, ends.1, at(DUE));
    assert_eq!(came, GOES);
}

#[test]
fn a_fee_is_told_of_while_it_is_owed() {
    let days = json!({"duration": 1, "intervalId": "Days"});
    let next = again("2024-04-01T10:00:00Z");
    let (charged, adjusted) = (
        "Aged to lost - fine charged",
        "Aged to lost & item returned - fine adjusted",
    );
    for (event, recurring, closed, expected) in [
        (charged, &Value::Null, false, GOES),
        (charged, &days, false, next),
        (charged, &days, true, Decision::DROPPED),
        (
            "Overdue fine returned",
            &Value::Null,
            true,
            Decision::DROPPED,
        ),
        (adjusted, &Value::Null, true, GOES),
    ] {
        let notice = notice(event, "Upon At", recurring.clone());
        let came = of_fee(&notice, closed, at(DUE));
        assert_eq!(came, expected, "{event} {closed}");
    }
}

#[test]
fn events_are_named_as_folio_names_them() {
    for event in [
        Event::CheckOut,
        Event::CheckIn,
        Event::Renewed,
        Event::ManualDueDateChange,
        Event::DueDate,
        Event::ItemRecalled,
        Event::AgedToLost,
        Event::PagingRequest,
        Event::HoldRequest,
        Event::RecallRequest,
        Event::RequestCancellation,
        Event::Available,
        Event::RequestExpiration,
        Event::TitleLevelRequestExpiration,
        Event::HoldExpiration,
        Event::OverdueFineReturned,
        Event::OverdueFineRenewed,
        Event::AgedToLostFineCharged,
        Event::AgedToLostReturned,
    ] {
        assert_eq!(json!(event), json!(event.name()));
    }
    for format in [Format::Email, Format::Sms, Format::Print] {
        assert_eq!(json!(format), json!(format.name()));
    }
    for timing in [Timing::UponAt, Timing::Before, Timing::After] {
        assert_eq!(json!(timing), json!(timing.name()));
    }
}
