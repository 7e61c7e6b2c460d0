//! Every refused calendar, with code and message.

use serde_json::{Value, json};

use super::*;
use crate::record::CalendarRecord;

const POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

fn with(change: impl FnOnce(&mut Value)) -> CalendarRecord {
    let mut body = json!({
        "name": "Summer", "startDate": "2024-06-01", "endDate": "2024-08-31",
        "assignments": [POINT],
        "normalHours": [
            {"startDay": "MONDAY", "startTime": "09:00", "endDay": "MONDAY", "endTime": "17:00"}],
        "exceptions": []
    });
    change(&mut body);
    read::calendar(&body).unwrap()
}

fn problems(calendar: &CalendarRecord, others: &[Overlap]) -> Vec<(&'static str, String)> {
    let found = validate(calendar, others, 1);
    found
        .iter()
        .map(|problem| (problem.code(), problem.message()))
        .collect()
}

fn range(name: &str, start: &str, end: &str, openings: Value) -> Value {
    json!({"name": name, "startDate": start, "endDate": end, "openings": openings})
}

#[test]
fn each_problem_has_its_code_and_sentence() {
    let hours = |day: &str, start: &str, end_day: &str, end: &str| json!({"startDay": day, "startTime": start, "endDay": end_day, "endTime": end});
    let opening = |start: &str, from: &str, end: &str, to: &str| json!({"startDate": start, "startTime": from, "endDate": end, "endTime": to});
    let table = [
        (
            with(|body| body["name"] = json!(" \t")),
            "calendarNoName",
            "Please provide a non-empty calendar name",
        ),
        (
            with(|body| body["endDate"] = json!("2024-05-31")),
            "calendarInvalidDateRange",
            "Start date (Jun 1, 2024) cannot be after end date (May 31, 2024)",
        ),
        (
            with(|body| {
                body["normalHours"] = json!([
                    hours("MONDAY", "00:00", "MONDAY", "12:30"),
                    hours("MONDAY", "12:30", "MONDAY", "14:59"),
                    hours("TUESDAY", "12:30", "TUESDAY", "14:59"),
                ]);
            }),
            "calendarInvalidNormalOpenings",
            "The following openings conflict with each other: Mon\u{a0}12:00\u{202f}AM - \
             Mon\u{a0}12:30\u{202f}PM and Mon\u{a0}12:30\u{202f}PM - Mon\u{a0}2:59\u{202f}PM",
        ),
        (
            with(|body| {
                body["normalHours"] = json!([
                    hours("FRIDAY", "20:00", "MONDAY", "02:00"),
                    hours("SUNDAY", "09:00", "SUNDAY", "10:00"),
                    hours("MONDAY", "01:00", "MONDAY", "10:00"),
                ]);
            }),
            "calendarInvalidNormalOpenings",
            "The following openings conflict with each other: Fri\u{a0}8:00\u{202f}PM - \
             Mon\u{a0}2:00\u{202f}AM, Sun\u{a0}9:00\u{202f}AM - Sun\u{a0}10:00\u{202f}AM, and \
             Mon\u{a0}1:00\u{202f}AM - Mon\u{a0}10:00\u{202f}AM",
        ),
        (
            with(|body| {
                body["exceptions"] = json!([range("", "2024-07-04", "2024-07-04", json!([]))])
            }),
            "calendarInvalidExceptionName",
            "At least one exception is missing a name",
        ),
        (
            with(|body| {
                body["exceptions"] = json!([range("Fest", "2024-07-05", "2024-07-04", json!([]))]);
            }),
            "calendarInvalidExceptionDateOrder",
            "The start date (Jul 5, 2024) is after the end date (Jul 4, 2024) for exception “Fest”",
        ),
        (
            with(|body| {
                body["exceptions"] = json!([range("Fest", "2024-08-30", "2024-09-01", json!([]))]);
            }),
            "calendarInvalidExceptionDateBoundary",
            "The exception “Fest” (Aug 30, 2024 to Sep 1, 2024) is not fully enclosed by the \
             calendar's start and end dates (Jun 1, 2024 to Aug 31, 2024)",
        ),
        (
            with(|body| {
                body["exceptions"] = json!([
                    range("Fest", "2024-07-01", "2024-07-04", json!([])),
                    range("Fair", "2024-07-04", "2024-07-04", json!([])),
                    range("Rest", "2024-07-05", "2024-07-05", json!([])),
                ]);
            }),
            "calendarInvalidExceptions",
            "The following exceptions conflict with each other: “Fest” from Jul 1, 2024 to \
             Jul 4, 2024 and “Fair” on Jul 4, 2024",
        ),
        (
            with(|body| {
                let outside = [
                    opening("2024-07-01", "09:00", "2024-07-02", "10:00"),
                    opening("2024-07-03", "09:00", "2024-07-03", "10:00"),
                ];
                body["exceptions"] =
                    json!([range("Fest", "2024-07-02", "2024-07-03", json!(outside))]);
            }),
            "calendarInvalidExceptionOpeningBoundary",
            "The exception “Fest” has an opening outside of the exception's bounds: \
             Jul 1, 2024\u{a0}9:00\u{202f}AM to Jul 2, 2024\u{a0}10:00\u{202f}AM",
        ),
        (
            with(|body| {
                let met = [
                    opening("2024-07-02", "09:00", "2024-07-03", "10:00"),
                    opening("2024-07-03", "10:00", "2024-07-03", "11:00"),
                ];
                body["exceptions"] = json!([range("Fest", "2024-07-02", "2024-07-03", json!(met))]);
            }),
            "calendarInvalidExceptionOpenings",
            "The following openings within “Fest” conflict with each other: \
             Jul 2, 2024\u{a0}9:00\u{202f}AM to Jul 3, 2024\u{a0}10:00\u{202f}AM and \
             Jul 3, 2024\u{a0}10:00\u{202f}AM to Jul 3, 2024\u{a0}11:00\u{202f}AM",
        ),
        (
            with(|body| {
                let backwards = [opening("2024-07-02", "09:00", "2024-07-02", "08:00")];
                body["exceptions"] =
                    json!([range("Fest", "2024-07-02", "2024-07-03", json!(backwards))]);
            }),
            "calendarInvalidExceptionOpenings",
            "The following openings within “Fest” conflict with each other: \
             Jul 2, 2024\u{a0}9:00\u{202f}AM to Jul 2, 2024\u{a0}8:00\u{202f}AM",
        ),
    ];
    for (calendar, code, message) in table {
        assert_eq!(problems(&calendar, &[]), [(code, message.to_owned())]);
    }
}

#[test]
fn another_calendar_of_the_service_point_stands_against_it_beside_all_else() {
    let point = POINT.parse().unwrap();
    let other = Overlap {
        name: "Term".to_owned(),
        start: "2024-08-31".parse().unwrap(),
        end: "2024-12-31".parse().unwrap(),
        assignments: vec![uuid::Uuid::nil(), point],
    };
    let found = validate(&with(|body| body["name"] = json!("")), &[other], 1);
    let codes: Vec<_> = found.iter().map(Problem::code).collect();
    assert_eq!(codes, ["calendarNoName", "calendarDateOverlap"]);
    assert_eq!(
        found[1].message(),
        "This calendar overlaps with another calendar (“Term” from Aug 31, 2024 to Dec 31, 2024)"
    );
    assert!(matches!(&found[1], Problem::DateOverlap { shared, .. } if *shared == [point]));
}

#[test]
fn what_is_there_twice_counts_once() {
    let twice = with(|body| {
        let hours = body["normalHours"][0].clone();
        let same = json!({"startDay": "monday", "startTime": "09:00:30",
                          "endDay": "MONDAY", "endTime": "17:00:59"});
        body["normalHours"] = json!([hours, hours, same]);
        body["assignments"] = json!([POINT, POINT]);
    });
    assert_eq!(twice, with(|_| ()));
    assert_eq!(problems(&twice, &[]), []);
}

#[test]
fn what_is_no_calendar_is_refused_by_its_place() {
    let table = [
        (json!([]), "calendar: [] is not valid: must be an object"),
        (
            json!({}),
            "calendar.name: null is not valid: must be a text",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-30"}),
            "calendar.startDate: \"2024-02-30\" is not valid: must be a date like 2026-01-31",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-01T00:00", "endDate": "2024-02-02"}),
            "calendar.startDate: \"2024-02-01T00:00\" is not valid: must be a date like 2026-01-31",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-01", "endDate": "2024-02-02",
                   "assignments": ["desk"]}),
            "calendar.assignments[0]: \"desk\" is not valid: must be a UUID",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-01", "endDate": "2024-02-02",
                   "assignments": [], "normalHours": [{"startDay": "INVALID"}]}),
            "calendar.normalHours[0].startDay: \"INVALID\" is not valid: must be a day of the week \
             like MONDAY",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-01", "endDate": "2024-02-02",
                   "assignments": [], "normalHours": [{"startDay": "MONDAY", "startTime": "24:00"}]}),
            "calendar.normalHours[0].startTime: \"24:00\" is not valid: must be a time like 09:30 \
             or 09:30:00",
        ),
        (
            json!({"name": "A", "startDate": "2024-02-01", "endDate": "2024-02-02",
                   "assignments": [], "normalHours": [], "exceptions": vec![json!({}); 1001]}),
            "calendar.exceptions: an array of 1001 is not valid: must be shorter: 1000 elements \
             are the most",
        ),
    ];
    for (body, message) in table {
        assert_eq!(read::calendar(&body).unwrap_err().to_string(), message);
    }
}

#[test]
fn there_are_limits() {
    let long = with(|body| body["name"] = json!("n".repeat(1_001)));
    assert_eq!(
        problems(&long, &[]),
        [(
            "invalidRequest",
            "There are too many characters of name; 1000 is the most. Use fewer".to_owned()
        )]
    );
    assert_eq!(validate(&with(|_| ()), &[], 20_001).len(), 1);
    assert_eq!(validate(&with(|_| ()), &[], 20_000), []);
}
