//! The opening hours of the service points, from last year to some years ahead.

use jiff::Timestamp;
use uuid::{Uuid, uuid};

use crate::clock::utc;
use crate::document::{Document, table};
use crate::json::Json;
use crate::record::Audit;
use crate::reference::service_point;

/// How many years after the present one the calendars end.
const YEARS: i16 = 5;

/// Weekly opening hours: from a day and time to a day and time.
type Hours = (&'static str, &'static str, &'static str, &'static str);

/// Days of every year: name, first and last day, and the hours open, if any.
type Exception = (
    &'static str,
    &'static str,
    &'static str,
    Option<(&'static str, &'static str)>,
);

struct Calendar {
    id: Uuid,
    name: &'static str,
    service_point: Uuid,
    hours: &'static [Hours],
    exceptions: &'static [Exception],
}

const HOLIDAYS: &[Exception] = &[
    ("New Year's Day", "01-01", "01-01", None),
    ("Christmas", "12-24", "12-26", None),
    (
        "New Year's Eve",
        "12-31",
        "12-31",
        Some(("10:00:00", "13:59:00")),
    ),
];

const CALENDARS: [Calendar; 3] = [
    Calendar {
        id: uuid!("8e5c2f6a-3b1d-4c7e-9a40-5d2f7b8c1e01"),
        name: "Main library",
        service_point: service_point::CIRC_DESK_1,
        hours: &[
            ("MONDAY", "08:00:00", "MONDAY", "21:59:00"),
            ("TUESDAY", "08:00:00", "TUESDAY", "21:59:00"),
            ("WEDNESDAY", "08:00:00", "WEDNESDAY", "21:59:00"),
            ("THURSDAY", "08:00:00", "THURSDAY", "21:59:00"),
            ("FRIDAY", "08:00:00", "SATURDAY", "00:59:00"),
            ("SATURDAY", "10:00:00", "SATURDAY", "16:59:00"),
        ],
        exceptions: HOLIDAYS,
    },
    Calendar {
        id: uuid!("8e5c2f6a-3b1d-4c7e-9a40-5d2f7b8c1e02"),
        name: "Annex",
        service_point: service_point::CIRC_DESK_2,
        hours: &[
            ("MONDAY", "09:00:00", "MONDAY", "11:59:00"),
            ("MONDAY", "13:00:00", "MONDAY", "16:59:00"),
            ("WEDNESDAY", "09:00:00", "WEDNESDAY", "11:59:00"),
            ("WEDNESDAY", "13:00:00", "WEDNESDAY", "16:59:00"),
            ("FRIDAY", "09:00:00", "FRIDAY", "14:59:00"),
        ],
        exceptions: HOLIDAYS,
    },
    Calendar {
        id: uuid!("8e5c2f6a-3b1d-4c7e-9a40-5d2f7b8c1e03"),
        name: "Always online",
        service_point: service_point::ONLINE,
        hours: &[("SUNDAY", "00:00:00", "SATURDAY", "23:59:00")],
        exceptions: &[],
    },
];

/// One calendar for each service point.
pub(crate) fn calendars(now: Timestamp) -> impl Iterator<Item = Document> {
    let year = utc(now).date().year();
    let years = year.saturating_sub(1)..=year.saturating_add(YEARS);
    CALENDARS.iter().map(move |calendar| Document {
        table: table::CALENDAR,
        id: calendar.id,
        json: document(calendar, years.clone(), now),
    })
}

fn document(calendar: &Calendar, years: std::ops::RangeInclusive<i16>, now: Timestamp) -> String {
    let date = |year: i16, day: &str| format!("{year:04}-{day}");
    Json::object(4_096, |json| {
        json.id("id", calendar.id);
        json.text("name", calendar.name);
        json.text("startDate", &date(*years.start(), "01-01"));
        json.text("endDate", &date(*years.end(), "12-31"));
        json.ids("assignments", &[calendar.service_point]);
        json.list("normalHours", |json| {
            for (start_day, start, end_day, end) in calendar.hours {
                json.element(|json| {
                    json.text("startDay", start_day);
                    json.text("startTime", start);
                    json.text("endDay", end_day);
                    json.text("endTime", end);
                });
            }
        });
        json.list("exceptions", |json| {
            for year in years {
                for (name, start, end, hours) in calendar.exceptions {
                    let (start, end) = (date(year, start), date(year, end));
                    json.element(|json| exception(json, (name, &start, &end), *hours));
                }
            }
        });
        Audit::once(now).write(json);
    })
}

fn exception(json: &mut Json, (name, start, end): (&str, &str, &str), hours: Option<(&str, &str)>) {
    json.text("name", name);
    json.text("startDate", start);
    json.text("endDate", end);
    json.list("openings", |json| {
        if let Some((opens, closes)) = hours {
            json.element(|json| {
                json.text("startDate", start);
                json.text("startTime", opens);
                json.text("endDate", end);
                json.text("endTime", closes);
            });
        }
    });
}
