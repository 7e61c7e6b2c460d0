//! Dates, hours and lists in the English of mod-calendar's messages.

use jiff::civil::{Date, Time};

use crate::record::{ExceptionHours, ExceptionRange, NormalHours, Weekday};

/// `Jan 2, 2021`.
pub(super) fn medium(date: Date) -> String {
    date.strftime("%b %-d, %Y").to_string()
}

/// `9:05 AM`, with the narrow space that Unicode's English has before AM and PM.
fn short(time: Time) -> String {
    let half = if time.hour() < 12 { "AM" } else { "PM" };
    let hour = match time.hour() % 12 {
        0 => 12,
        hour => hour,
    };
    format!("{hour}:{:02}\u{202f}{half}", time.minute())
}

fn day(weekday: Weekday) -> String {
    format!("{weekday:?}").chars().take(3).collect()
}

pub(super) fn normal_list(hours: &[NormalHours]) -> Vec<String> {
    let one = |hours: &NormalHours| {
        format!(
            "{}\u{a0}{} - {}\u{a0}{}",
            day(hours.start_day),
            short(hours.start_time),
            day(hours.end_day),
            short(hours.end_time)
        )
    };
    hours.iter().map(one).collect()
}

pub(super) fn hours_list(hours: &[ExceptionHours]) -> Vec<String> {
    let one = |hours: &ExceptionHours| {
        format!(
            "{}\u{a0}{} to {}\u{a0}{}",
            medium(hours.start_date),
            short(hours.start_time),
            medium(hours.end_date),
            short(hours.end_time)
        )
    };
    hours.iter().map(one).collect()
}

pub(super) fn range_list(ranges: &[ExceptionRange]) -> Vec<String> {
    let one = |range: &ExceptionRange| {
        let (name, start) = (&range.name, medium(range.start_date));
        if range.start_date == range.end_date {
            format!("“{name}” on {start}")
        } else {
            format!("“{name}” from {start} to {}", medium(range.end_date))
        }
    };
    ranges.iter().map(one).collect()
}

/// `a`, `a and b`, `a, b, and c`.
pub(super) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} and {other}"),
        [first @ .., last] => format!("{}, and {last}", first.join(", ")),
    }
}
