//! Reads a calendar as clients send it. Unknown properties are ignored and duplicates dropped, as in
//! mod-calendar.

use jiff::civil::{Date, Time};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::record::{CalendarRecord, ExceptionHours, ExceptionRange, NormalHours, Weekday};

/// A value that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {found} is not valid: must be {expected}")]
pub struct Unreadable {
    /// Its path.
    pub path: String,
    /// The value, shortened.
    pub found: String,
    /// The expected value.
    pub expected: &'static str,
}

const DATE: &str = "a date like 2026-01-31";
const TIME: &str = "a time like 09:30 or 09:30:00";

/// Reads a calendar. The client's id and metadata are ignored.
///
/// # Errors
/// Names the first property that is missing or cannot be read.
pub fn calendar(body: &Value) -> Result<CalendarRecord, Unreadable> {
    let calendar = Part::of(body, "calendar")?;
    Ok(CalendarRecord {
        name: calendar.text("name")?.to_owned(),
        start_date: calendar.date("startDate")?,
        end_date: calendar.date("endDate")?,
        assignments: calendar.each("assignments", |value, path| {
            let text = value.as_str().unwrap_or_default();
            uuid(text).ok_or_else(|| unreadable(path, value, "a UUID"))
        })?,
        normal_hours: calendar.each("normalHours", normal_hours)?,
        exceptions: calendar.each("exceptions", exception)?,
    })
}

/// Reads a date of a body or parameter.
#[must_use]
pub fn date(text: &str) -> Option<Date> {
    // The parser accepts more forms than mod-calendar.
    let plain = text.len() == 10
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
    plain.then(|| text.parse().ok())?
}

/// Reads a UUID with its hyphens.
#[must_use]
pub fn uuid(text: &str) -> Option<Uuid> {
    (text.len() == 36).then(|| Uuid::try_parse(text).ok())?
}

fn time(text: &str) -> Option<Time> {
    let known = |byte: u8| byte.is_ascii_digit() || byte == b':' || byte == b'.';
    let plain = text.as_bytes().get(2) == Some(&b':') && text.bytes().all(known);
    plain.then(|| text.parse().ok())?
}

fn normal_hours(value: &Value, path: String) -> Result<NormalHours, Unreadable> {
    let hours = Part::of(value, path)?;
    let minute = |time: Time| Time::new(time.hour(), time.minute(), 0, 0).unwrap_or(time);
    Ok(NormalHours {
        start_day: hours.weekday("startDay")?,
        start_time: minute(hours.time("startTime")?),
        end_day: hours.weekday("endDay")?,
        end_time: minute(hours.time("endTime")?),
    })
}

fn exception(value: &Value, path: String) -> Result<ExceptionRange, Unreadable> {
    let range = Part::of(value, path)?;
    Ok(ExceptionRange {
        name: range.text("name")?.to_owned(),
        start_date: range.date("startDate")?,
        end_date: range.date("endDate")?,
        openings: range.each("openings", |value, path| {
            let hours = Part::of(value, path)?;
            Ok(ExceptionHours {
                start_date: hours.date("startDate")?,
                start_time: hours.time("startTime")?,
                end_date: hours.date("endDate")?,
                end_time: hours.time("endTime")?,
            })
        })?,
    })
}

/// An object and its path.
struct Part<'a> {
    object: &'a Map<String, Value>,
    path: String,
}

impl<'a> Part<'a> {
    fn of(value: &'a Value, path: impl Into<String>) -> Result<Part<'a>, Unreadable> {
        let path = path.into();
        match value.as_object() {
            Some(object) => Ok(Part { object, path }),
            None => Err(unreadable(path, value, "an object")),
        }
    }

    fn value(&self, name: &str) -> &'a Value {
        self.object.get(name).unwrap_or(&Value::Null)
    }

    fn path(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }

    fn text(&self, name: &str) -> Result<&'a str, Unreadable> {
        let value = self.value(name);
        let text = value.as_str();
        text.ok_or_else(|| unreadable(self.path(name), value, "a text"))
    }

    fn read<T>(
        &self,
        name: &str,
        parse: impl FnOnce(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<T, Unreadable> {
        let value = self.value(name);
        let read = value.as_str().and_then(parse);
        read.ok_or_else(|| unreadable(self.path(name), value, expected))
    }

    fn date(&self, name: &str) -> Result<Date, Unreadable> {
        self.read(name, date, DATE)
    }

    fn time(&self, name: &str) -> Result<Time, Unreadable> {
        self.read(name, time, TIME)
    }

    fn weekday(&self, name: &str) -> Result<Weekday, Unreadable> {
        self.read(name, Weekday::named, "a day of the week like MONDAY")
    }

    /// The elements of an array, without duplicates.
    fn each<T: PartialEq>(
        &self,
        name: &str,
        read: impl Fn(&'a Value, String) -> Result<T, Unreadable>,
    ) -> Result<Vec<T>, Unreadable> {
        let value = self.value(name);
        let elements = value.as_array();
        let elements = elements.ok_or_else(|| unreadable(self.path(name), value, "an array"))?;
        if elements.len() > ELEMENTS_MAX {
            let found = format!("an array of {}", elements.len());
            return Err(Unreadable {
                path: self.path(name),
                found,
                expected: "shorter: 1000 elements are the most",
            });
        }
        let mut kept = Vec::with_capacity(elements.len());
        for (at, element) in elements.iter().enumerate() {
            let one = read(element, format!("{}[{at}]", self.path(name)))?;
            if !kept.contains(&one) {
                kept.push(one);
            }
        }
        Ok(kept)
    }
}

/// Elements of one array: service points, exceptions, openings of one exception.
const ELEMENTS_MAX: usize = 1_000;

fn unreadable(path: impl Into<String>, value: &Value, expected: &'static str) -> Unreadable {
    const SHOWN_CHARS_MAX: usize = 100;
    Unreadable {
        path: path.into(),
        found: value.to_string().chars().take(SHOWN_CHARS_MAX).collect(),
        expected,
    }
}
