//! Tables of reminders.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use octavo_fees::accounting::Money;
use octavo_library::{HoldingsId, InstanceId, ItemId, ItemStatus, LoanId, UserId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::due_date::{Calendar, OpenDay};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn policy(count_closed: bool) -> RemindersPolicy {
    let step = |interval: i64, unit: &str, fee: f64| {
        json!({"interval": interval, "timeUnitId": unit, "reminderFee": fee,
               "noticeFormat": "Email", "noticeTemplateId": Uuid::nil()})
    };
    let policy = json!({"countClosed": count_closed, "reminderSchedule": [
        step(1, "day", 1.5), step(2, "WEEKS", 0.0), step(90, "minute", 3.0)]});
    serde_json::from_value(policy).unwrap()
}

/// Open from Monday, 4 March 2024 on, but not on weekends.
fn weekdays() -> Openings {
    let first: Date = "2024-03-04".parse().unwrap();
    let days = first.series(jiff::Span::new().days(1)).take(60);
    let open = days.filter(|day| day.weekday().to_monday_one_offset() < 6);
    Openings::Calendar(Calendar::new(open.map(|day| (day, OpenDay::AllDay))))
}

fn loan(status: &str) -> Loan {
    let loan = json!({"id": Uuid::nil(), "itemId": Uuid::nil(), "status": {"name": status},
                      "loanDate": "2024-01-01"});
    serde_json::from_value(loan).unwrap()
}

fn item(status: ItemStatus) -> Item {
    Item {
        id: ItemId::default(),
        barcode: None,
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

#[test]
fn the_first_reminder_comes_after_the_due_date_on_an_open_day() {
    let (days, utc) = (weekdays(), TimeZone::UTC);
    let new_york = TimeZone::get("America/New_York").unwrap();
    // Due, closed days count, zone, first reminder.
    let table = [
        (
            "2024-03-05T23:59:59Z",
            false,
            &utc,
            Some("2024-03-06T23:59:59Z"),
        ),
        (
            "2024-03-08T23:59:59Z",
            false,
            &utc,
            Some("2024-03-11T23:59:59Z"),
        ),
        (
            "2024-03-08T23:59:59Z",
            true,
            &utc,
            Some("2024-03-09T23:59:59Z"),
        ),
        // Saturday in London is Friday still in New York.
        (
            "2024-03-08T03:00:00Z",
            false,
            &new_york,
            Some("2024-03-09T03:00:00Z"),
        ),
        ("2025-03-08T03:00:00Z", false, &utc, None),
        (
            "2025-03-08T03:00:00Z",
            true,
            &utc,
            Some("2025-03-09T03:00:00Z"),
        ),
    ];
    for (due, count_closed, zone, expected) in table {
        let open = OpenDays { days: &days, zone };
        let found = first_due(&policy(count_closed), at(due), open);
        assert_eq!(found, expected.map(at), "{due} {count_closed}");
    }
    let open = OpenDays {
        days: &days,
        zone: &utc,
    };
    assert_eq!(
        first_due(
            &RemindersPolicy::default(),
            at("2024-03-05T00:00:00Z"),
            open
        ),
        None
    );
}

#[test]
fn reminders_go_on_through_the_schedule() {
    let (days, zone) = (weekdays(), TimeZone::UTC);
    let open = OpenDays {
        days: &days,
        zone: &zone,
    };
    let policy = policy(false);
    let now = at("2024-03-05T00:01:30Z");
    // Billed before, number and fee now, and when the next one is due: at a full hour.
    let table = [
        (None, Some((1, 150, Some("2024-03-19T00:00:00Z")))),
        (Some(1), Some((2, 0, Some("2024-03-05T01:00:00Z")))),
        (Some(2), Some((3, 300, None))),
        (Some(3), None),
        (Some(u32::MAX), None),
    ];
    for (billed, expected) in table {
        let outcome = remind(
            &policy,
            &loan("Open"),
            &item(ItemStatus::CheckedOut),
            billed,
            open,
            now,
        );
        let found = match outcome {
            Outcome::Remind {
                number,
                reminder,
                next,
            } => Some((number, reminder.reminder_fee, next.map(|(_, at)| at))),
            Outcome::Missing => None,
            Outcome::Stop | Outcome::Wait => panic!("it is open"),
        };
        let expected =
            expected.map(|(number, fee, next)| (number, Money::cents(fee), next.map(at)));
        assert_eq!(found, expected, "{billed:?}");
    }
}

#[test]
fn nobody_is_reminded_of_what_is_settled_or_on_a_closed_day() {
    let (days, zone) = (weekdays(), TimeZone::UTC);
    let open = OpenDays {
        days: &days,
        zone: &zone,
    };
    let (tuesday, sunday) = (at("2024-03-05T00:01:00Z"), at("2024-03-10T00:01:00Z"));
    let table = [
        ("Open", ItemStatus::CheckedOut, tuesday, "remind"),
        ("Open", ItemStatus::AgedToLost, tuesday, "remind"),
        ("Open", ItemStatus::DeclaredLost, tuesday, "stop"),
        ("Open", ItemStatus::ClaimedReturned, tuesday, "stop"),
        ("Closed", ItemStatus::Available, tuesday, "stop"),
        ("Open", ItemStatus::CheckedOut, sunday, "wait"),
        // What is over is over on a closed day, too.
        ("Closed", ItemStatus::Available, sunday, "stop"),
    ];
    for count_closed in [false, true] {
        let policy = policy(count_closed);
        for (status, item_status, now, expected) in table {
            let outcome = remind(&policy, &loan(status), &item(item_status), None, open, now);
            let found = match outcome {
                Outcome::Remind { .. } => "remind",
                Outcome::Stop => "stop",
                Outcome::Wait => "wait",
                Outcome::Missing => "missing",
            };
            assert_eq!(found, expected, "{status} {item_status} {now}");
        }
    }
}

#[test]
fn a_loan_keeps_its_last_reminder_until_it_is_renewed() {
    let mut loan = json!({"action": "checkedout"}).as_object().unwrap().clone();
    assert_eq!(last_billed(&loan), None);
    keep(&mut loan, 2, at("2024-03-05T00:01:00Z"));
    let expected = json!({"action": "reminderFee", "reminders": {"lastFeeBilled": {
        "number": 2, "date": "2024-03-05T00:01:00.000+00:00"}}});
    assert_eq!(Value::Object(loan.clone()), expected);
    assert_eq!(last_billed(&loan), Some(2));
    forget(&mut loan);
    assert_eq!(last_billed(&loan), None);
}

#[test]
fn the_next_reminder_is_later_than_this_one_whatever_the_schedule_says() {
    let (days, zone) = (weekdays(), TimeZone::UTC);
    let open = OpenDays {
        days: &days,
        zone: &zone,
    };
    let now = at("2024-03-05T12:40:30Z");
    // The interval of the second reminder, in minutes, and when it is due.
    let table = [
        (5, "2024-03-05T12:45:30Z"),
        (20, "2024-03-05T13:00:00Z"),
        (0, "2024-03-05T12:41:30Z"),
        (-600, "2024-03-05T12:41:30Z"),
        // No calendar says that a day is open then: it will wait for one.
        (60 * 24 * 400, "2025-04-09T12:00:00Z"),
    ];
    for (minutes, expected) in table {
        let step = json!({"interval": minutes, "timeUnitId": "minute", "reminderFee": 1});
        let policy = json!({"reminderSchedule": [step, step]});
        let policy: RemindersPolicy = serde_json::from_value(policy).unwrap();
        let (loan, item) = (loan("Open"), item(ItemStatus::CheckedOut));
        let outcome = remind(&policy, &loan, &item, None, open, now);
        let Outcome::Remind {
            next: Some((_, next)),
            ..
        } = outcome
        else {
            panic!("{outcome:?}");
        };
        assert_eq!(next, at(expected), "{minutes}");
    }
}

#[test]
fn a_notice_stands_for_the_next_reminder() {
    let (days, zone) = (weekdays(), TimeZone::UTC);
    let open = OpenDays {
        days: &days,
        zone: &zone,
    };
    let mut policy = policy(false);
    policy.reminder_schedule[1].notice_format = Some("None".to_owned());
    let (loan, user) = (LoanId::from_u128(1), UserId::from_u128(2));
    let due = at("2024-03-05T23:59:59Z");
    let mut notice = first_notice(&policy, loan, Some(user), due, open).expect("a notice");
    let expected = json!({"loanId": loan, "recipientUserId": user, "triggeringEvent": TRIGGER,
        "nextRunTime": "2024-03-06T23:59:59.000+00:00",
        "noticeConfig": {"timing": "After", "sendInRealTime": true, "format": "Email",
                         "templateId": Uuid::nil()}});
    assert_eq!(Value::Object(notice.clone()), expected);
    put_off(&mut notice, policy.number(2).expect("a second"), due);
    assert_eq!(notice["nextRunTime"], "2024-03-05T23:59:59.000+00:00");
    assert_eq!(notice["noticeConfig"]["format"], "None");
    assert!(!policy.number(2).is_some_and(Reminder::has_notice));
    let never = OpenDays {
        days: &Openings::NoCalendar,
        zone: &zone,
    };
    assert_eq!(first_notice(&policy, loan, None, due, never), None);
}
