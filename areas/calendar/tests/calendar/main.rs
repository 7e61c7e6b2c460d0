//! Calendars of service points, opening hours, and due dates that depend on them.

mod book;
mod due_dates;
mod hours;
mod keeping;
mod refusals;
mod together;

use octavo_testkit::Client;
use serde_json::{Value, json};

use octavo_server_testkit::library;
use octavo_server_testkit::stock::CIRC_DESK_1;

const CALENDARS: &str = "/calendar/calendars";

fn hours(day: &str, start: &str, end: &str) -> Value {
    json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end})
}

fn workdays(start: &str, end: &str) -> Vec<Value> {
    ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY"]
        .map(|day| hours(day, start, end))
        .into()
}

/// A calendar of the first desk, nine to five on workdays.
fn calendar(name: &str, start: &str, end: &str) -> Value {
    json!({"name": name, "startDate": start, "endDate": end, "assignments": [CIRC_DESK_1],
           "normalHours": workdays("09:00", "17:00"), "exceptions": []})
}

async fn stored(client: &Client, body: &Value) -> Value {
    client.post(CALENDARS, body).await.expect(201).json()
}

fn path(calendar: &Value) -> String {
    let id = calendar["id"].as_str().expect("the calendar's id");
    format!("{CALENDARS}/{id}")
}
