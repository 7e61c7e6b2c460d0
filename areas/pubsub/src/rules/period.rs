//! The period of a history: dates, and date-times with and without a zone.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// Which end of the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    First,
    Last,
}

/// The instant of an end; the last one of a date is the end of its day.
#[must_use]
pub fn instant(text: &str, end: End) -> Option<Timestamp> {
    if let Ok(date) = text.parse::<Date>()
        && text.len() == 10
    {
        let start = utc(date.to_datetime(Time::midnight()))?;
        return match end {
            End::First => Some(start),
            End::Last => start
                .checked_add(SignedDuration::from_millis(86_399_999))
                .ok(),
        };
    }
    if !text.contains('T') {
        return None;
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    utc(text.parse::<DateTime>().ok()?)
}

fn utc(at: DateTime) -> Option<Timestamp> {
    at.to_zoned(TimeZone::UTC).ok().map(|at| at.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_date_lasts_to_its_end() {
        for (text, end, shown) in [
            ("2025-03-04", End::First, Some("2025-03-04T00:00:00Z")),
            ("2025-03-04", End::Last, Some("2025-03-04T23:59:59.999Z")),
            (
                "2025-03-04T09:30:00",
                End::Last,
                Some("2025-03-04T09:30:00Z"),
            ),
            (
                "2025-03-04T09:30:00.123Z",
                End::First,
                Some("2025-03-04T09:30:00.123Z"),
            ),
            (
                "2025-03-04T09:30:00+01:00",
                End::First,
                Some("2025-03-04T08:30:00Z"),
            ),
            ("04.03.2025", End::First, None),
            ("2025-13-04", End::First, None),
            ("", End::First, None),
        ] {
            let found = instant(text, end).map(|at| at.to_string());
            assert_eq!(found.as_deref(), shown, "{text}");
        }
    }
}
