//! Refused calendars, with status, code and message.

use serde_json::{Value, json};

use super::{CALENDARS, calendar, hours, library, path, stored};
use octavo_server_testkit::stock::CIRC_DESK_1;

fn codes(answer: &Value) -> Vec<&str> {
    let errors = answer["errors"].as_array().expect("errors");
    errors
        .iter()
        .filter_map(|error| error["code"].as_str())
        .collect()
}

#[tokio::test]
async fn each_fault_of_a_calendar_is_reported() {
    let library = library().await;
    let client = library.client().await;
    let good = calendar("Good", "2026-01-01", "2026-06-30");
    let range = |start: &str, end: &str, openings: Value| json!({"name": "Fest", "startDate": start, "endDate": end, "openings": openings});
    let opening = |start: &str, end: &str| json!({"startDate": start, "startTime": "09:00", "endDate": end, "endTime": "10:00"});
    let table = [
        (
            "name",
            json!(" "),
            "calendarNoName",
            "Please provide a non-empty calendar name",
        ),
        (
            "endDate",
            json!("2025-12-31"),
            "calendarInvalidDateRange",
            "Start date (Jan 1, 2026) cannot be after end date (Dec 31, 2025)",
        ),
        (
            "normalHours",
            json!([
                hours("MONDAY", "09:00", "12:00"),
                hours("MONDAY", "12:00", "13:00")
            ]),
            "calendarInvalidNormalOpenings",
            "The following openings conflict with each other: Mon\u{a0}9:00\u{202f}AM - \
             Mon\u{a0}12:00\u{202f}PM and Mon\u{a0}12:00\u{202f}PM - Mon\u{a0}1:00\u{202f}PM",
        ),
        (
            "exceptions",
            json!([{"name": "", "startDate": "2026-02-01", "endDate": "2026-02-01", "openings": []}]),
            "calendarInvalidExceptionName",
            "At least one exception is missing a name",
        ),
        (
            "exceptions",
            json!([range("2026-02-02", "2026-02-01", json!([]))]),
            "calendarInvalidExceptionDateOrder",
            "The start date (Feb 2, 2026) is after the end date (Feb 1, 2026) for exception “Fest”",
        ),
        (
            "exceptions",
            json!([range("2025-12-31", "2026-01-01", json!([]))]),
            "calendarInvalidExceptionDateBoundary",
            "The exception “Fest” (Dec 31, 2025 to Jan 1, 2026) is not fully enclosed by the \
             calendar's start and end dates (Jan 1, 2026 to Jun 30, 2026)",
        ),
        (
            "exceptions",
            json!([
                range("2026-02-01", "2026-02-03", json!([])),
                range("2026-02-03", "2026-02-03", json!([]))
            ]),
            "calendarInvalidExceptions",
            "The following exceptions conflict with each other: “Fest” from Feb 1, 2026 to \
             Feb 3, 2026 and “Fest” on Feb 3, 2026",
        ),
        (
            "exceptions",
            json!([range(
                "2026-02-01",
                "2026-02-03",
                json!([opening("2026-02-03", "2026-02-04")])
            )]),
            "calendarInvalidExceptionOpeningBoundary",
            "The exception “Fest” has an opening outside of the exception's bounds: \
             Feb 3, 2026\u{a0}9:00\u{202f}AM to Feb 4, 2026\u{a0}10:00\u{202f}AM",
        ),
        (
            "exceptions",
            json!([range(
                "2026-02-01",
                "2026-02-03",
                json!([
                    opening("2026-02-01", "2026-02-02"),
                    opening("2026-02-02", "2026-02-02")
                ])
            )]),
            "calendarInvalidExceptionOpenings",
            "The following openings within “Fest” conflict with each other: \
             Feb 1, 2026\u{a0}9:00\u{202f}AM to Feb 2, 2026\u{a0}10:00\u{202f}AM and \
             Feb 2, 2026\u{a0}9:00\u{202f}AM to Feb 2, 2026\u{a0}10:00\u{202f}AM",
        ),
    ];
    let kept = stored(&client, &calendar("Kept", "2027-01-01", "2027-06-30")).await;
    for (property, value, code, message) in table {
        let mut body = good.clone();
        body[property] = value;
        let answer = client.post(CALENDARS, &body).await.expect(400).json();
        assert_eq!(codes(&answer), [code]);
        assert_eq!(answer["errors"][0]["message"], message);
        assert_eq!(answer["status"], 400);
        assert!(answer["timestamp"].is_string() && answer["errors"][0]["_parameters"].is_object());
        // The same prevents a change.
        let answer = client.put(&path(&kept), &body).await.expect(400).json();
        assert_eq!(codes(&answer), [code]);
    }
    assert_eq!(client.get(&path(&kept)).await.expect(200).json(), kept);
    assert_eq!(client.get(CALENDARS).await.json()["totalRecords"], 1);
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_by_its_name() {
    let library = library().await;
    let client = library.client().await;
    let dates = format!("/calendar/dates/{CIRC_DESK_1}");
    let refused = [
        (format!("{CALENDARS}?id=seven"), "'id' parameter"),
        (
            format!("{CALENDARS}?servicePointId=1"),
            "'servicePointId' parameter",
        ),
        (
            format!("{CALENDARS}?startDate=2026-02-30"),
            "'startDate' parameter",
        ),
        (format!("{CALENDARS}?limit=-1"), "'limit' parameter"),
        (format!("{CALENDARS}?offset=%FF"), "'offset' parameter"),
        (format!("{CALENDARS}/seven"), "'calendarId' parameter"),
        (
            format!("{dates}/surrounding-openings"),
            "the parameter 'date' must be given",
        ),
        (
            format!("{dates}/surrounding-openings?date=today"),
            "'date' parameter",
        ),
        (
            "/calendar/dates/desk/surrounding-openings?date=2026-01-01".to_owned(),
            "'servicePointId' parameter",
        ),
        (
            format!("{dates}/all-openings?endDate=2026-01-01&includeClosed=true"),
            "the parameter 'startDate'",
        ),
        (
            format!("{dates}/all-openings?startDate=2026-01-01&endDate=2026-01-02"),
            "the parameter 'includeClosed'",
        ),
        (
            format!(
                "{dates}/all-openings?startDate=2026-01-01&endDate=2026-01-02&includeClosed=maybe"
            ),
            "'includeClosed' parameter",
        ),
        (
            format!(
                "{dates}/all-openings?startDate=0001-01-01&endDate=9999-12-31&includeClosed=true"
            ),
            "must be less than 36525 days after startDate",
        ),
    ];
    for (path, part) in refused {
        let answer = client.get(&path).await.expect(400).json();
        assert_eq!(codes(&answer), ["invalidParameter"], "{path}");
        let message = answer["errors"][0]["message"].as_str().expect("text");
        assert!(message.starts_with("One of the parameters was the incorrect type: "));
        assert!(message.contains(part), "{path}: {message}");
    }
    let good = calendar("Good", "2026-01-01", "2026-06-30");
    let bodies = [
        ("name", json!(null), "calendar.name: null"),
        (
            "startDate",
            json!("01.02.2026"),
            "calendar.startDate: \"01.02.2026\"",
        ),
        (
            "assignments",
            json!(["desk"]),
            "calendar.assignments[0]: \"desk\"",
        ),
        (
            "normalHours",
            json!([{"startDay": "INVALID"}]),
            "calendar.normalHours[0].startDay: \"INVALID\"",
        ),
        ("exceptions", json!({}), "calendar.exceptions: {}"),
    ];
    for (property, value, part) in bodies {
        let mut body = good.clone();
        body[property] = value;
        let answer = client.post(CALENDARS, &body).await.expect(400).json();
        assert_eq!(codes(&answer), ["invalidParameter"]);
        let message = answer["errors"][0]["message"].as_str().expect("text");
        assert!(message.contains(part), "{message}");
    }
    let unknown = format!("{CALENDARS}/33333333-3333-4333-8333-333333333333");
    for answer in [
        client.get(&unknown).await,
        client.put(&unknown, &good).await,
        client.delete(&unknown).await,
    ] {
        let body = answer.expect(404).json();
        assert_eq!(body["errors"][0]["code"], "calendarNotFound");
        assert_eq!(
            body["errors"][0]["message"],
            "No calendar was found with the specified query"
        );
        assert_eq!(
            body["errors"][0]["data"]["notFound"],
            json!(["33333333-3333-4333-8333-333333333333"])
        );
    }
}

#[tokio::test]
async fn one_service_point_has_one_calendar_a_day() {
    let library = library().await;
    let client = library.client().await;
    let first = stored(&client, &calendar("Spring", "2026-01-01", "2026-06-30")).await;
    let mut second = calendar("May", "2026-06-30", "2026-09-01");
    second["name"] = json!("");
    let answer = client.post(CALENDARS, &second).await.expect(409).json();
    assert_eq!(codes(&answer), ["calendarNoName", "calendarDateOverlap"]);
    assert_eq!(
        answer["errors"][1]["message"],
        "This calendar overlaps with another calendar (“Spring” from Jan 1, 2026 to Jun 30, 2026)"
    );
    assert_eq!(
        answer["errors"][1]["data"]["conflictingServicePointIds"],
        json!([CIRC_DESK_1])
    );
    assert_eq!(answer["status"], 409);
    // Behind it, or without the service point, it may stand.
    second["name"] = json!("May");
    second["startDate"] = json!("2026-07-01");
    let second = stored(&client, &second).await;
    let mut without = calendar("Elsewhere", "2026-01-01", "2026-12-31");
    without["assignments"] = json!([]);
    let without = stored(&client, &without).await;
    // A change may not bring them together either.
    let mut moved = second.clone();
    moved["startDate"] = json!("2026-06-30");
    assert_eq!(
        codes(&client.put(&path(&second), &moved).await.expect(409).json()),
        ["calendarDateOverlap"]
    );
    let mut assigned = without.clone();
    assigned["assignments"] = json!([CIRC_DESK_1]);
    let answer = client
        .put(&path(&without), &assigned)
        .await
        .expect(409)
        .json();
    assert_eq!(
        codes(&answer),
        ["calendarDateOverlap", "calendarDateOverlap"]
    );
    let _ = client.delete(&path(&first)).await.expect(204);
    let _ = client.put(&path(&second), &moved).await.expect(200);
}
