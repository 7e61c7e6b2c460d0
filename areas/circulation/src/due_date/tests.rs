//! Due dates against a table of cases worked out by hand, and recalls.

use jiff::civil::{Date, Time, Weekday, date, time};
use jiff::{Timestamp, ToSpan};
use octavo_library::wire_time;
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::loan_policy::ScheduleRange;

/// One row of the table.
struct Case<'t> {
    zone: &'t str,
    period: &'t str,
    management: &'t str,
    loan_date: Timestamp,
    options: Options<'t>,
}

#[derive(Default)]
struct Options<'t> {
    limit: Option<FixedDueDateSchedule>,
    hold: Option<&'t str>,
    expires: Option<Timestamp>,
    offset: Option<&'t str>,
    calendar: Option<&'t str>,
}

#[test]
fn due_dates_are_those_of_the_table() {
    let table = include_str!("../../testdata/due_dates.txt");
    let rows = table
        .lines()
        .enumerate()
        .filter(|(_, l)| !l.is_empty() && !l.starts_with('#'));
    let mut count = 0;
    for (number, row) in rows {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let [zone, period, management, loan_date, options, expected] = cells[..] else {
            panic!("line {}: {row}", number + 1);
        };
        let loan_date = loan_date.parse().unwrap();
        let case = Case {
            zone,
            period,
            management,
            loan_date,
            options: parse_options(options),
        };
        let found = outcome(&case);
        let agrees = match expected.starts_with(|c: char| c.is_ascii_digit()) {
            true => found == expected,
            false => found.starts_with(expected),
        };
        assert!(agrees, "line {}: {row}\n  found {found}", number + 1);
        count += 1;
    }
    assert!(count > 100, "only {count} rows were read");
}

fn outcome(case: &Case<'_>) -> String {
    let policy = policy(case);
    let zone = TimeZone::get(case.zone).unwrap();
    let openings = openings(case.options.calendar);
    let facts = DueDateFacts {
        policy: &policy,
        schedule: case.options.limit.as_ref(),
        zone: &zone,
        openings: &openings,
        patron_expires_at: case.options.expires,
        hold_waiting: case.options.hold.is_some(),
    };
    match due_date(case.loan_date, &facts) {
        Err(refusal) => refusal.message(),
        Ok(due) => {
            let mut text = due.at.to_string();
            if due.changed_by_hold {
                text.push_str(" by hold");
            }
            if due.changed_by_near_expire_user {
                text.push_str(" by expiration");
            }
            text
        }
    }
}

fn policy(case: &Case<'_>) -> LoanPolicy {
    let management = match case.management {
        "DATE" => "CURRENT_DUE_DATE",
        "TIME" => "CURRENT_DUE_DATE_TIME",
        "PREV" => "END_OF_THE_PREVIOUS_OPEN_DAY",
        "NEXT" => "END_OF_THE_NEXT_OPEN_DAY",
        "HOURS" => "END_OF_THE_CURRENT_SERVICE_POINT_HOURS",
        "OPENS" => "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS",
        other => other,
    };
    let period = case.period.contains(' ').then(|| period_json(case.period));
    let profile = if period.is_some() {
        "Rolling"
    } else {
        case.period
    };
    serde_json::from_value(json!({
        "id": Uuid::from_u128(1),
        "name": "Table",
        "loanable": true,
        "loansPolicy": {
            "profileId": profile,
            "period": period,
            "closedLibraryDueDateManagementId": management,
            "openingTimeOffset": case.options.offset.map(period_json)
        },
        "requestManagement": {
            "holds": {"alternateCheckoutLoanPeriod": case.options.hold.map(period_json)}
        }
    }))
    .unwrap()
}

fn period_json(text: &str) -> serde_json::Value {
    let (duration, interval) = text.split_once(' ').unwrap();
    json!({"duration": duration.parse::<i64>().unwrap(), "intervalId": interval})
}

/// Options stand apart by spaces; a period has one space within.
fn parse_options(text: &str) -> Options<'_> {
    let mut options = Options::default();
    let mut starts: Vec<usize> = text.match_indices('=').map(|(at, _)| at).collect();
    starts
        .iter_mut()
        .for_each(|at| *at = text[..*at].rfind(' ').map_or(0, |space| space + 1));
    for (place, start) in starts.iter().enumerate() {
        let end = starts.get(place + 1).copied().unwrap_or(text.len());
        let (key, value) = text[*start..end].trim().split_once('=').unwrap();
        match key {
            "limit" => options.limit = Some(schedule(value)),
            "hold" => options.hold = Some(value),
            "expires" => options.expires = Some(value.parse().unwrap()),
            "offset" => options.offset = Some(value),
            "calendar" => options.calendar = Some(value),
            other => panic!("unknown option {other}"),
        }
    }
    options
}

fn schedule(text: &str) -> FixedDueDateSchedule {
    let dates: Vec<Timestamp> = text.split("..").map(|part| part.parse().unwrap()).collect();
    let [from, to, due] = dates[..] else {
        panic!("limit {text}")
    };
    FixedDueDateSchedule {
        schedules: vec![ScheduleRange { from, to, due }],
    }
}

/// Calendars of the year 2024.
fn openings(name: Option<&str>) -> Openings {
    let Some(name) = name else {
        return Openings::NoCalendar;
    };
    let days = date(2024, 1, 1)
        .series(1.day())
        .take_while(|day| day.year() == 2024);
    let weekday = |day: &Date| !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday);
    let clock = |hour, minute| time(hour, minute, 0, 0);
    let hours: Vec<(Time, Time)> = match name {
        "weekdays" => vec![(clock(9, 0), clock(17, 0))],
        "lunch" => vec![(clock(9, 0), clock(12, 0)), (clock(13, 0), clock(17, 0))],
        "midnight" => vec![(clock(0, 0), clock(23, 59))],
        "always" => return Openings::Calendar(Calendar::new(days.map(|d| (d, OpenDay::AllDay)))),
        other => panic!("unknown calendar {other}"),
    };
    let every_day = name == "midnight";
    let days = days.filter(|day| every_day || weekday(day));
    Openings::Calendar(Calendar::new(
        days.map(|day| (day, OpenDay::Hours(hours.clone()))),
    ))
}

#[test]
fn a_hold_without_an_alternate_period_changes_nothing() {
    let case = Case {
        zone: "UTC",
        period: "2 Weeks",
        management: "TIME",
        loan_date: "2024-06-01T10:00:00Z".parse().unwrap(),
        options: Options::default(),
    };
    let policy = policy(&case);
    let facts = DueDateFacts {
        policy: &policy,
        schedule: None,
        zone: &TimeZone::UTC,
        openings: &Openings::NoCalendar,
        patron_expires_at: None,
        hold_waiting: true,
    };
    let due = due_date(case.loan_date, &facts).unwrap();
    assert_eq!(wire_time::format(due.at), "2024-06-15T10:00:00.000+00:00");
    assert!(!due.changed_by_hold);
}

#[test]
fn a_policy_without_terms_has_no_profile() {
    let document = json!({"id": Uuid::from_u128(1), "name": "Empty", "loanable": true});
    let policy: LoanPolicy = serde_json::from_value(document).unwrap();
    let facts = DueDateFacts {
        policy: &policy,
        schedule: None,
        zone: &TimeZone::UTC,
        openings: &Openings::NoCalendar,
        patron_expires_at: None,
        hold_waiting: false,
    };
    let refusal = due_date(Timestamp::UNIX_EPOCH, &facts).unwrap_err();
    assert_eq!(
        refusal.message(),
        "profile \"\" in the loan policy is not recognised"
    );
}

/// Recalls on 2024-06-10T12:00Z of a loan made on 2024-06-01T12:00Z.
#[test]
fn recalls_bring_due_dates_forward_but_not_before_the_guaranteed_time() {
    let days = |duration: i64| json!({"duration": duration, "intervalId": "Days"});
    let table = [
        // Due later than the interval: three days from now.
        (
            json!({"recallReturnInterval": days(3)}),
            "2024-06-20",
            "2024-06-13T12:00:00Z",
        ),
        // Without an interval: at once.
        (json!({}), "2024-06-20", "2024-06-10T12:00:00Z"),
        // The guaranteed time (14 days from the loan) ends later.
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(14)}),
            "2024-06-20",
            "2024-06-15T12:00:00Z",
        ),
        // The guaranteed time is over already.
        (
            json!({"recallReturnInterval": days(3), "minimumGuaranteedLoanPeriod": days(5)}),
            "2024-06-20",
            "2024-06-13T12:00:00Z",
        ),
        // Due sooner than the interval: stays, unless recalls may extend.
        (
            json!({"recallReturnInterval": days(3)}),
            "2024-06-11",
            "2024-06-11T00:00:00Z",
        ),
        (
            json!({"recallReturnInterval": days(3), "allowRecallsToExtendOverdueLoans": true}),
            "2024-06-11",
            "2024-06-13T12:00:00Z",
        ),
        // Overdue: stays, unless recalls may extend; then the other interval holds if there is one.
        (
            json!({"recallReturnInterval": days(3)}),
            "2024-06-09",
            "2024-06-09T00:00:00Z",
        ),
        (
            json!({
                "recallReturnInterval": days(3),
                "alternateRecallReturnInterval": days(1),
                "allowRecallsToExtendOverdueLoans": true
            }),
            "2024-06-09",
            "2024-06-11T12:00:00Z",
        ),
        (
            json!({"recallReturnInterval": days(3), "allowRecallsToExtendOverdueLoans": true}),
            "2024-06-09",
            "2024-06-13T12:00:00Z",
        ),
        (
            json!({"recallReturnInterval": days(0)}),
            "2024-06-20",
            "the duration \"0\" in \"recallReturnInterval\" is invalid",
        ),
        (
            json!({"minimumGuaranteedLoanPeriod": {"duration": 1, "intervalId": "Years"}}),
            "2024-06-20",
            "the interval \"Years\" in \"minimumGuaranteedLoanPeriod\" is not recognized",
        ),
        (
            json!({"recallReturnInterval": {"intervalId": "Days"}}),
            "2024-06-20",
            "the \"recallReturnInterval\" in the loan policy is not recognized",
        ),
    ];
    for (recalls, due, expected) in table {
        let policy: LoanPolicy = serde_json::from_value(json!({
            "id": Uuid::from_u128(1),
            "loansPolicy": {
                "profileId": "Rolling",
                "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE_TIME"
            },
            "requestManagement": {"recalls": recalls}
        }))
        .unwrap();
        let facts = DueDateFacts {
            policy: &policy,
            schedule: None,
            zone: &TimeZone::UTC,
            openings: &Openings::NoCalendar,
            patron_expires_at: None,
            hold_waiting: false,
        };
        let at = |text: &str| wire_time::parse(text).unwrap();
        let (loan_date, now) = (at("2024-06-01T12:00:00Z"), at("2024-06-10T12:00:00Z"));
        let found = match recalled_due_date(at(due), loan_date, now, &facts) {
            Ok(due) => due.to_string(),
            Err(refusal) => refusal.message(),
        };
        assert_eq!(found, expected, "{recalls} due {due}");
    }
}
