//! Due dates against cases that another program calculated from FOLIO's rules; see README.md.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use octavo_calendar::{CalendarRecord, Calendars};
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use super::*;
use crate::loan_policy::ScheduleRange;

const POINT: Uuid = uuid!("3a40852d-49fd-4df2-a1f9-6e2641a6e91f");

/// One line, by the names of its columns.
type Case<'t> = HashMap<&'t str, &'t str>;

#[test]
fn due_dates_are_those_that_were_reckoned_from_the_rules() {
    let openings = calendars();
    let mut lines = include_str!("cases.tsv").lines();
    let names: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let mut wrong = Vec::new();
    let mut count = 0;
    for (number, line) in lines.enumerate() {
        let case: Case<'_> = names.iter().copied().zip(line.split('\t')).collect();
        let found = outcome(&case, &openings[case["calendars"]]);
        let expected = case["expected"];
        if found != expected {
            let told: Vec<String> = names
                .iter()
                .filter(|name| !case[**name].is_empty() && **name != "expected")
                .map(|name| format!("{name}={}", case[*name]))
                .collect();
            let line = number + 2;
            let told = told.join(" ");
            wrong.push(format!(
                "line {line}: {told}\n    expected {expected}\n    found    {found}"
            ));
        }
        count += 1;
    }
    let shown: Vec<String> = wrong.iter().take(20).cloned().collect();
    assert!(
        wrong.is_empty(),
        "{} of {count} differ\n{}",
        wrong.len(),
        shown.join("\n")
    );
    assert!(count >= 300, "only {count} cases were read");
}

/// The openings by the name of their calendars; none by no name.
fn calendars() -> HashMap<String, Openings> {
    let records: HashMap<String, Vec<CalendarRecord>> =
        serde_json::from_str(include_str!("calendars.json")).unwrap();
    let compiled = |records: Vec<CalendarRecord>| {
        let calendars = Calendars::new(&records);
        Openings::Point(calendars.of(POINT).unwrap().clone())
    };
    let mut openings: HashMap<String, Openings> = records
        .into_iter()
        .map(|(name, records)| (name, compiled(records)))
        .collect();
    openings.insert(String::new(), Openings::NoCalendar);
    openings
}

fn outcome(case: &Case<'_>, openings: &Openings) -> String {
    let zone = TimeZone::get(case["zone"]).unwrap();
    let at = |name: &str| -> Timestamp { case[name].parse().unwrap() };
    if case["kind"] == "shelf" {
        let shelf = HoldShelf {
            hold_shelf_expiry_period: serde_json::from_value(period(case["period"])).unwrap(),
            hold_shelf_closed_library_date_management: Some(case["management"].to_owned()),
        };
        return match hold_shelf_expiration(at("begun"), &shelf, openings, &zone) {
            Ok(end) => end.unwrap().to_string(),
            Err(refusal) => refusal.message(),
        };
    }
    let policy = policy(case);
    let schedule = schedule(case["schedule"]);
    let expires = case["expires"];
    let facts = DueDateFacts {
        policy: &policy,
        schedule: schedule.as_ref(),
        zone: &zone,
        openings,
        patron_expires_at: (!expires.is_empty()).then(|| at("expires")),
        hold_waiting: case["kind"] == "loan" && !case["hold"].is_empty(),
    };
    let told = |refusal: Refusal| refusal.message();
    if case["kind"] == "recall" {
        return recalled_due_date(at("due"), at("begun"), at("now"), &facts)
            .map_or_else(told, |due| due.to_string());
    }
    due_date(at("begun"), &facts).map_or_else(told, |due| {
        let mut text = due.at.to_string();
        for (holds, words) in [
            (due.changed_by_hold, " by hold"),
            (due.changed_by_near_expire_user, " by expiration"),
        ] {
            text.push_str(if holds { words } else { "" });
        }
        text
    })
}

fn policy(case: &Case<'_>) -> LoanPolicy {
    let hold = period(case["hold"]);
    let management = match case["kind"] {
        "recall" => json!({"recalls": {"recallReturnInterval": hold,
                                       "minimumGuaranteedLoanPeriod": period(case["more"])}}),
        _ => json!({"holds": {"alternateCheckoutLoanPeriod": hold}}),
    };
    serde_json::from_value(json!({
        "id": Uuid::from_u128(1),
        "name": "Table",
        "loanable": true,
        "loansPolicy": {
            "profileId": case["profile"],
            "period": period(case["period"]),
            "closedLibraryDueDateManagementId": case["management"],
            "openingTimeOffset": period(case["offset"]),
            "gracePeriod": period(case["grace"])
        },
        "requestManagement": management
    }))
    .unwrap()
}

fn period(text: &str) -> Value {
    match text.split_once(' ') {
        None => Value::Null,
        Some((duration, interval)) => {
            json!({"duration": duration.parse::<i64>().unwrap(), "intervalId": interval})
        }
    }
}

fn schedule(text: &str) -> Option<FixedDueDateSchedule> {
    if text.is_empty() {
        return None;
    }
    let range = |part: &str| {
        let dates: Vec<Timestamp> = part.split('/').map(|one| one.parse().unwrap()).collect();
        ScheduleRange {
            from: dates[0],
            to: dates[1],
            due: dates[2],
        }
    };
    Some(FixedDueDateSchedule {
        schedules: text.split(',').map(range).collect(),
    })
}
