//! Arithmetic with days around a given moment, which is always an argument.

use jiff::{SignedDuration, Timestamp, civil::DateTime, tz::Offset};

const HOURS_PER_DAY: i64 = 24;

/// `moment` moved by whole days, or itself at the ends of representable time.
pub(crate) fn days_later(moment: Timestamp, days: i64) -> Timestamp {
    moment
        .checked_add(SignedDuration::from_hours(days * HOURS_PER_DAY))
        .unwrap_or(moment)
}

/// `moment` moved back by whole days, or itself at the ends of representable time.
pub(crate) fn days_earlier(moment: Timestamp, days: u64) -> Timestamp {
    days_later(moment, -i64::try_from(days).unwrap_or(0))
}

/// The same day at another time, in UTC.
pub(crate) fn at_time(moment: Timestamp, hour: i8, minute: i8, second: i8) -> Timestamp {
    let day = utc(moment).date();
    Offset::UTC
        .to_timestamp(day.at(hour, minute, second, 0))
        .unwrap_or(moment)
}

/// The last second of the day, in UTC: when a loan by the day falls due.
pub(crate) fn end_of_day(moment: Timestamp) -> Timestamp {
    at_time(moment, 23, 59, 59)
}

/// Calendar date and time in UTC.
pub(crate) fn utc(moment: Timestamp) -> DateTime {
    Offset::UTC.to_datetime(moment)
}
