//! Cases of fines, worked out by hand from FOLIO's rules, and long times against looking at each day.

use std::sync::Arc;

use jiff::civil::{Date, Time, date, time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use octavo_calendar::{
    CalendarRecord, Calendars, ExceptionHours, ExceptionRange, NormalHours, PointCalendars, Weekday,
};
use octavo_fees::accounting::Money;
use octavo_library::{ItemStatus, ServicePointId};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::loss::LostItemPolicy;

const POINT: ServicePointId = ServicePointId::from_u128(1);
/// A Saturday.
const DUE: &str = "2024-03-02T10:00:00Z";

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn policy(policy: Value) -> OverdueFinePolicy {
    serde_json::from_value(policy).expect("a policy")
}

fn rate(quantity: Value, interval: &str) -> Value {
    json!({"quantity": quantity, "intervalId": interval})
}

fn late(until: &str) -> Overdue<'static> {
    Overdue {
        due: at(DUE),
        until: at(until),
        recalled: false,
        grace: None,
        hours: None,
    }
}

fn fined(policy: &OverdueFinePolicy, loan: Overdue<'_>) -> Option<String> {
    fine(policy, loan).map(|amount| amount.to_string())
}

#[test]
fn every_interval_that_has_begun_costs() {
    let table = [
        ("minute", "2024-03-02T10:00:59Z", None),
        ("minute", "2024-03-02T10:01:00Z", Some("0.10")),
        ("minute", "2024-03-02T11:00:00Z", Some("6.00")),
        ("hour", "2024-03-02T11:00:59Z", Some("0.10")),
        ("hour", "2024-03-02T11:01:00Z", Some("0.20")),
        ("day", "2024-03-03T10:00:00Z", Some("0.10")),
        ("day", "2024-03-03T10:01:00Z", Some("0.20")),
        ("week", "2024-03-09T10:00:00Z", Some("0.10")),
        ("week", "2024-03-09T10:01:00Z", Some("0.20")),
        // A month has 31 days, a year 365.
        ("month", "2024-04-02T10:00:00Z", Some("0.10")),
        ("month", "2024-04-02T10:01:00Z", Some("0.20")),
        ("year", "2025-03-02T10:00:00Z", Some("0.10")),
        ("year", "2025-03-02T10:01:00Z", Some("0.20")),
        ("day", "2024-03-02T10:00:00Z", None),
        ("day", "2024-03-01T10:00:00Z", None),
    ];
    for (interval, until, expected) in table {
        let policy = policy(json!({"overdueFine": rate(json!(0.1), interval),
            "maxOverdueFine": 0, "countClosed": true}));
        let found = fined(&policy, late(until));
        assert_eq!(found.as_deref(), expected, "{interval} {until}");
    }
}

#[test]
fn amounts_are_exact_and_have_limits() {
    // Three days and a minute.
    let until = "2024-03-05T10:01:00Z";
    let table = [
        (json!(0.1), json!(0), Some("0.40")),
        (json!("0.07"), json!(null), None),
        (json!("0.07"), json!("0.0"), Some("0.28")),
        (json!(0.125), json!(0), Some("0.50")),
        (json!(0.00125), json!(0), Some("0.01")),
        (json!(0.001), json!(0), None),
        (json!(1.005), json!(0), Some("4.02")),
        (json!(2.5), json!(9.99), Some("9.99")),
        (json!(2.5), json!(10), Some("10.00")),
        (json!(2.5), json!(1e9), Some("10.00")),
        (json!(2.5), json!(-1), Some("10.00")),
        (json!(-2.5), json!(0), None),
        (json!(0), json!(5), None),
        (json!(null), json!(5), None),
        (json!(9e12), json!(0), Some("9999999999999.99")),
    ];
    for (quantity, most, expected) in table {
        let policy = policy(json!({"overdueFine": rate(quantity.clone(), "day"),
                                   "maxOverdueFine": most}));
        let found = fined(&policy, late(until));
        assert_eq!(found.as_deref(), expected, "{quantity} {most}");
    }
}

#[test]
fn a_recalled_loan_has_a_fine_and_a_grace_of_its_own() {
    let policy_of = |ignored: Value| {
        policy(
            json!({"overdueFine": rate(json!(1), "day"), "maxOverdueFine": 0,
            "overdueRecallFine": rate(json!(2), "day"), "maxOverdueRecallFine": 7,
            "gracePeriodRecall": ignored}),
        )
    };
    let period = |duration: i64, unit: &str| Period {
        duration: Some(duration),
        interval_id: Some(unit.to_owned()),
    };
    let grace = period(2, "Days");
    let table = [
        (false, json!(false), "2024-03-04T10:00:00Z", None),
        (false, json!(false), "2024-03-04T10:01:00Z", Some("3.00")),
        (false, json!(true), "2024-03-04T10:00:00Z", None),
        (true, json!(null), "2024-03-04T10:00:00Z", None),
        (true, json!(false), "2024-03-04T10:01:00Z", Some("6.00")),
        (true, json!(true), "2024-03-03T10:00:00Z", Some("2.00")),
        (true, json!(true), "2024-03-09T10:00:00Z", Some("7.00")),
    ];
    for (recalled, ignored, until, expected) in table {
        let loan = Overdue {
            recalled,
            grace: Some(&grace),
            ..late(until)
        };
        let found = fined(&policy_of(ignored.clone()), loan);
        assert_eq!(found.as_deref(), expected, "{recalled} {ignored} {until}");
    }
    let lasts = [
        (period(60, "Minutes"), "2024-03-02T11:00:00Z"),
        (period(2, "Hours"), "2024-03-02T12:00:00Z"),
        (period(1, "Weeks"), "2024-03-09T10:00:00Z"),
        (period(1, "Months"), "2024-04-02T10:00:00Z"),
        (period(1, "Fortnights"), DUE),
        (period(i64::MAX, "Months"), "2999-04-02T10:00:00Z"),
    ];
    for (grace, until) in lasts {
        let loan = Overdue {
            grace: Some(&grace),
            ..late(until)
        };
        assert_eq!(fined(&policy_of(json!(false)), loan), None, "{grace:?}");
        let beyond = Overdue {
            until: at(until).checked_add(60.seconds()).expect("a minute later"),
            ..loan
        };
        let found = fined(&policy_of(json!(false)), beyond).is_some();
        assert_eq!(found, grace.duration != Some(i64::MAX), "{grace:?}");
    }
}

#[test]
fn policies_are_read_leniently() {
    let fines = |value: Value| policy(value).fines();
    assert!(!fines(json!({})));
    assert!(!fines(
        json!({"overdueFine": null, "countClosed": null, "forgiveOverdueFine": null})
    ));
    assert!(!fines(
        json!({"overdueFine": {"quantity": 1}, "maxOverdueFine": 0})
    ));
    assert!(fines(
        json!({"overdueFine": rate(json!(1), "day"), "maxOverdueFine": 0})
    ));
    assert!(fines(
        json!({"overdueRecallFine": rate(json!(1), "day"), "maxOverdueRecallFine": 1})
    ));
}

#[test]
fn what_was_lost_is_fined_only_where_the_policy_says_so() {
    let policy = |returned: &str| -> LostItemPolicy {
        serde_json::from_value(json!({"lostItemReturned": returned})).expect("a policy")
    };
    let before = |item_status: ItemStatus, gives_back: bool| Before {
        item_status,
        found_by_library: false,
        gives_back,
    };
    let (charge, remove) = (policy("CHARGE"), policy("Remove"));
    for status in [ItemStatus::DeclaredLost, ItemStatus::AgedToLost] {
        assert!(is_owed(before(status, true), Some(&charge)));
        assert!(!is_owed(before(status, false), Some(&charge)));
        assert!(!is_owed(before(status, true), Some(&remove)));
        assert!(!is_owed(before(status, true), None));
    }
    for status in [
        ItemStatus::CheckedOut,
        ItemStatus::ClaimedReturned,
        ItemStatus::LostAndPaid,
    ] {
        assert!(is_owed(before(status, false), None));
        let found = Before {
            found_by_library: true,
            ..before(status, true)
        };
        assert!(!is_owed(found, Some(&charge)));
    }
}

fn workdays(opens: Time, closes: Time) -> Vec<NormalHours> {
    let days = &Weekday::ALL[1..6];
    let day = |day: &Weekday| NormalHours {
        start_day: *day,
        start_time: opens,
        end_day: *day,
        end_time: closes,
    };
    days.iter().map(day).collect()
}

fn point(
    hours: Vec<NormalHours>,
    until: Date,
    exceptions: Vec<ExceptionRange>,
) -> Arc<PointCalendars> {
    let record = CalendarRecord {
        name: "Hours".to_owned(),
        start_date: date(2024, 1, 1),
        end_date: until,
        assignments: vec![POINT.uuid()],
        normal_hours: hours,
        exceptions,
    };
    Calendars::new(&[record])
        .of(POINT.uuid())
        .expect("it has one")
        .clone()
}

fn zone(name: &str) -> TimeZone {
    TimeZone::get(name).expect("a zone")
}

#[test]
fn only_open_hours_count() {
    let nine_to_five = workdays(time(9, 0, 0, 0), time(17, 0, 0, 0));
    let works = ExceptionRange {
        name: "Works".to_owned(),
        start_date: date(2024, 3, 6),
        end_date: date(2024, 3, 8),
        openings: vec![ExceptionHours {
            start_date: date(2024, 3, 7),
            start_time: time(12, 0, 0, 0),
            end_date: date(2024, 3, 7),
            end_time: time(13, 30, 0, 0),
        }],
    };
    let openings = Openings::Point(point(nine_to_five, date(2024, 12, 31), vec![works]));
    let table = [
        ("UTC", DUE, "2024-03-04T09:00:00Z", 0),
        ("UTC", DUE, "2024-03-04T09:00:59Z", 0),
        ("UTC", DUE, "2024-03-04T09:01:00Z", 1),
        ("UTC", DUE, "2024-03-04T17:00:00Z", 480),
        ("UTC", DUE, "2024-03-05T08:00:00Z", 480),
        ("UTC", DUE, "2024-03-05T12:00:30Z", 660),
        ("UTC", DUE, "2024-03-07T12:30:00Z", 990),
        ("UTC", DUE, "2024-03-11T10:00:00Z", 1_110),
        // Due within hours, and returned within them on the same day.
        ("UTC", "2024-03-04T10:00:30Z", "2024-03-04T10:02:10Z", 2),
        ("UTC", "2024-03-04T16:59:00Z", "2024-03-04T23:00:00Z", 1),
        ("UTC", "2024-03-04T17:00:00Z", "2024-03-05T09:00:00Z", 0),
        ("UTC", "2024-03-04T09:00:00Z", "2024-03-04T17:00:00Z", 480),
        // Nobody knows of hours after the calendar's end.
        ("UTC", "2024-12-31T16:00:00Z", "2030-01-01T00:00:00Z", 60),
        // Nine in New York is two in the afternoon in Greenwich, from 10 March on one.
        ("America/New_York", DUE, "2024-03-04T15:00:00Z", 60),
        (
            "America/New_York",
            "2024-03-08T23:00:00Z",
            "2024-03-11T15:00:00Z",
            120,
        ),
    ];
    for (name, due, until, expected) in table {
        let zone = zone(name);
        let loan = Overdue {
            due: at(due),
            hours: Some(Hours {
                openings: &openings,
                zone: &zone,
            }),
            ..late(until)
        };
        assert_eq!(overdue_minutes(loan), expected, "{name} {due} {until}");
    }
}

#[test]
fn who_is_always_open_loses_a_minute_a_day_and_who_never_is_fines_nobody() {
    let always: Vec<NormalHours> = vec![NormalHours {
        start_day: Weekday::Sunday,
        start_time: time(0, 0, 0, 0),
        end_day: Weekday::Saturday,
        end_time: time(23, 59, 0, 0),
    }];
    let utc = TimeZone::UTC;
    let openings = Openings::Point(point(always, date(2034, 1, 1), vec![]));
    let counted = |openings: &Openings, until: &str| {
        overdue_minutes(Overdue {
            hours: Some(Hours {
                openings,
                zone: &utc,
            }),
            ..late(until)
        })
    };
    assert_eq!(counted(&openings, "2024-03-02T12:00:00Z"), 120);
    assert_eq!(counted(&openings, "2024-03-05T10:00:00Z"), 3 * 1_440 - 3);
    assert_eq!(counted(&Openings::NoCalendar, "2024-03-05T10:00:00Z"), 0);
}

/// As FOLIO counts: each opening of each day.
fn day_by_day(openings: &Openings, zone: &TimeZone, due: Timestamp, until: Timestamp) -> i64 {
    let date = |at: Timestamp| at.to_zoned(zone.clone()).date();
    let last = date(until);
    let minute = |at: Timestamp| at.as_second().div_euclid(60);
    let mut sum = 0;
    for day in date(due).series(1.day()).take_while(|day| *day <= last) {
        for (opens, closes) in openings.hours_on(day) {
            let at = |time: Time| {
                let zoned = day.to_datetime(time).to_zoned(zone.clone());
                zoned.expect("a time").timestamp()
            };
            let start = at(opens).max(due);
            let end = at(closes).min(until);
            sum += (minute(end) - minute(start)).max(0);
        }
    }
    sum
}

#[test]
fn a_century_takes_no_longer_than_a_day() {
    let hours = workdays(time(1, 30, 0, 0), time(23, 0, 0, 0));
    let openings = Openings::Point(point(hours, date(9000, 1, 1), vec![]));
    let zone = zone("Europe/Berlin");
    let hours = Hours {
        openings: &openings,
        zone: &zone,
    };
    let begun = std::time::Instant::now();
    for until in ["2034-05-05T10:00:00Z", "2124-05-05T10:00:00Z"] {
        let loan = Overdue {
            hours: Some(hours),
            ..late(until)
        };
        let slow = day_by_day(&openings, &zone, loan.due, loan.until);
        assert_eq!(overdue_minutes(loan), slow);
    }
    let loan = Overdue {
        hours: Some(hours),
        ..late("8999-05-05T10:00:00Z")
    };
    assert!(overdue_minutes(loan) > 0);
    assert!(begun.elapsed().as_secs() < 20);
}

proptest! {
    #[test]
    fn minutes_are_what_looking_at_each_day_finds(
        opens in 0_i8..12, closes in 12_i8..24, due in 0_i64..900 * 1_440, late_by in 0_i64..900 * 1_440,
        closed in 0_i32..700, closed_days in 0_i32..60, away in any::<bool>(),
    ) {
        // Berlin changes its clocks at two in the night, when some of these libraries are open.
        let zone = zone(if away { "America/New_York" } else { "Europe/Berlin" });
        let first = date(2024, 1, 1) + closed.days();
        let holidays = ExceptionRange {
            name: "Holidays".to_owned(),
            start_date: first,
            end_date: first + closed_days.days(),
            openings: vec![ExceptionHours {
                start_date: first,
                start_time: time(10, 0, 0, 0),
                end_date: first + (closed_days / 2).days(),
                end_time: time(11, 0, 0, 0),
            }],
        };
        let mut hours = workdays(time(opens, 7, 0, 0), time(closes, 41, 0, 0));
        hours.push(NormalHours {
            start_day: Weekday::Saturday,
            start_time: time(20, 0, 0, 0),
            end_day: Weekday::Sunday,
            end_time: time(6, 30, 0, 0),
        });
        let openings = Openings::Point(point(hours, date(2026, 6, 1), vec![holidays]));
        let due = at("2024-01-01T00:00:30Z").checked_add((due * 60).seconds()).expect("a date");
        let until = due.checked_add((late_by * 60 + 15).seconds()).expect("a date");
        let loan = Overdue {
            due,
            until,
            recalled: false,
            grace: None,
            hours: Some(Hours { openings: &openings, zone: &zone }),
        };
        prop_assert_eq!(overdue_minutes(loan), day_by_day(&openings, &zone, due, until));
    }

    #[test]
    fn a_longer_time_never_costs_less(first in 0_i64..5_000_000, more in 0_i64..5_000_000, cents in 1_i64..500) {
        let policy = policy(json!({"overdueFine": rate(json!(cents as f64 / 100.0), "day"),
                                   "maxOverdueFine": 100}));
        let cost = |minutes: i64| {
            let until = at(DUE).checked_add((minutes * 60).seconds()).expect("a date");
            fine(&policy, Overdue { until, ..late(DUE) }).unwrap_or(Money::ZERO)
        };
        prop_assert!(cost(first) <= cost(first + more));
        prop_assert!(cost(first + more) <= Money::cents(10_000));
    }
}
