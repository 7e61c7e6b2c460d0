//! The hours of days: around a date, and all of a range.

use serde_json::{Value, json};

use super::{calendar, hours, library, stored};
use octavo_server_testkit::stock::{CIRC_DESK_1, CIRC_DESK_2};

fn opening(start: &str, end: &str) -> Value {
    json!({"startTime": start, "endTime": end})
}

fn closed(date: &str) -> Value {
    json!({"date": date, "allDay": true, "open": false, "exceptional": false, "openings": []})
}

fn open(date: &str, openings: &[Value]) -> Value {
    json!({"date": date, "allDay": false, "open": true, "exceptional": false, "openings": openings})
}

#[tokio::test]
async fn the_days_around_a_date() {
    let library = library().await;
    let client = library.client().await;
    // 2026-06-01 is a Monday.
    let mut body = calendar("June", "2026-06-01", "2026-06-30");
    let weekend = json!({"startDay": "FRIDAY", "startTime": "20:00", "endDay": "SATURDAY", "endTime": "02:00"});
    body["normalHours"] = json!([hours("MONDAY", "09:00", "17:00"), weekend]);
    body["exceptions"] = json!([
        {"name": "Closed", "startDate": "2026-06-08", "endDate": "2026-06-13", "openings": []},
        {"name": "Feast", "startDate": "2026-06-16", "endDate": "2026-06-17", "openings": [
            {"startDate": "2026-06-16", "startTime": "12:00", "endDate": "2026-06-17", "endTime": "23:59"}]},
    ]);
    let _ = stored(&client, &body).await;
    let around = async |date: &str| {
        let path = format!("/calendar/dates/{CIRC_DESK_1}/surrounding-openings?date={date}");
        client.get(&path).await.expect(200).json()["openings"].clone()
    };
    let day = opening("09:00:00", "17:00:00");
    let feast = json!({"date": "2026-06-17", "allDay": true, "open": true, "exceptional": true,
                       "exceptionName": "Feast", "openings": [opening("00:00:00", "23:59:00")]});
    assert_eq!(
        around("2026-06-05").await,
        json!([
            open("2026-06-01", std::slice::from_ref(&day)),
            open("2026-06-05", &[opening("20:00:00", "23:59:00")]),
            open("2026-06-06", &[opening("00:00:00", "02:00:00")])
        ])
    );
    // Closed days are ignored, and say why where they are asked for.
    assert_eq!(
        around("2026-06-10").await,
        json!([
            open("2026-06-06", &[opening("00:00:00", "02:00:00")]),
            {"date": "2026-06-10", "allDay": true, "open": false, "exceptional": true,
             "exceptionName": "Closed", "openings": []},
            open("2026-06-15", std::slice::from_ref(&day))
        ])
    );
    assert_eq!(around("2026-06-18").await[0], feast);
    // Without an open day, the adjacent day is returned.
    assert_eq!(around("2026-06-01").await[0], closed("2026-05-31"));
    assert_eq!(around("2026-07-03").await[1], closed("2026-07-03"));
    assert_eq!(around("2026-07-03").await[2], closed("2026-07-04"));
    let path = format!("/calendar/dates/{CIRC_DESK_2}/surrounding-openings?date=2026-06-05");
    assert_eq!(
        client.get(&path).await.expect(200).json()["openings"],
        json!([
            closed("2026-06-04"),
            closed("2026-06-05"),
            closed("2026-06-06")
        ])
    );
}

#[tokio::test]
async fn all_days_of_a_range() {
    let library = library().await;
    let client = library.client().await;
    let mut body = calendar("June", "2026-06-01", "2026-06-14");
    body["normalHours"] = json!([
        hours("MONDAY", "09:00", "17:00"),
        hours("MONDAY", "07:00", "08:00")
    ]);
    body["exceptions"] = json!([
        {"name": "Closed", "startDate": "2026-06-10", "endDate": "2026-06-10", "openings": []}]);
    let _ = stored(&client, &body).await;
    let _ = stored(&client, &calendar("More", "2026-06-15", "2026-06-16")).await;
    let all = async |query: &str| {
        let path = format!("/calendar/dates/{CIRC_DESK_1}/all-openings?{query}");
        client.get(&path).await.expect(200).json()
    };
    let monday = |date| {
        open(
            date,
            &[
                opening("07:00:00", "08:00:00"),
                opening("09:00:00", "17:00:00"),
            ],
        )
    };
    let exception = json!({"date": "2026-06-10", "allDay": true, "open": false, "exceptional": true,
                           "exceptionName": "Closed", "openings": []});
    let day = opening("09:00:00", "17:00:00");
    // Days of which nothing is said are left out; an exception says something.
    assert_eq!(
        all("startDate=2026-05-01&endDate=2026-07-31&includeClosed=false").await,
        json!({"totalRecords": 5, "dates": [
            monday("2026-06-01"), monday("2026-06-08"), exception,
            open("2026-06-15", std::slice::from_ref(&day)), open("2026-06-16", std::slice::from_ref(&day))]})
    );
    assert_eq!(
        all("startDate=2026-06-08&endDate=2026-06-11&includeClosed=true").await,
        json!({"totalRecords": 4, "dates": [
            monday("2026-06-08"), closed("2026-06-09"), exception, closed("2026-06-11")]})
    );
    let page =
        all("startDate=2026-06-01&endDate=2026-06-30&includeClosed=true&offset=7&limit=2").await;
    assert_eq!(page["totalRecords"], 30);
    assert_eq!(
        page["dates"],
        json!([monday("2026-06-08"), closed("2026-06-09")])
    );
    let page = all("startDate=2026-06-01&endDate=2026-06-30&includeClosed=TRUE").await;
    assert_eq!(page["dates"].as_array().map(Vec::len), Some(10));
    let none = all("startDate=2026-06-30&endDate=2026-06-01&includeClosed=true").await;
    assert_eq!(none, json!({"totalRecords": 0, "dates": []}));
}
