//! Instants in the notation that FOLIO stores, `2024-01-02T03:04:05.678+00:00`, and the several
//! that its clients send.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Parses an instant from year 1 on; without an offset it is UTC, without a time midnight.
#[must_use]
pub fn parse(text: &str) -> Option<Timestamp> {
    // The notation has no sign: an earlier year could not be parsed again.
    of_any_era(text.trim()).filter(|at| at.to_zoned(TimeZone::UTC).year() >= 1)
}

fn of_any_era(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some(at);
    }
    // FOLIO's own user interface sends `+0000` without a colon.
    if let Ok(zoned) = jiff::Zoned::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text) {
        return Some(zoned.timestamp());
    }
    if let Ok(at) = Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text) {
        return Some(at);
    }
    let civil = text.parse::<DateTime>().or_else(|_| {
        text.parse::<Date>()
            .map(|date| date.to_datetime(jiff::civil::Time::midnight()))
    });
    civil
        .ok()?
        .to_zoned(TimeZone::UTC)
        .ok()
        .map(|zoned| zoned.timestamp())
}

/// The instant so many milliseconds after the beginning of 1970, if it is from year 1 on.
#[must_use]
pub fn of_milliseconds(milliseconds: i64) -> Option<Timestamp> {
    let at = Timestamp::from_millisecond(milliseconds).ok()?;
    Some(at).filter(|at| at.to_zoned(TimeZone::UTC).year() >= 1)
}

/// Formats an instant as it is stored: milliseconds, offset `+00:00`.
#[must_use]
pub fn format(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S%.3f+00:00").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_clients_send() {
        for (sent, stored) in [
            (
                "2026-01-02T03:04:05.678+00:00",
                "2026-01-02T03:04:05.678+00:00",
            ),
            ("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.000+00:00"),
            (
                "2026-01-02T03:04:05.678+0200",
                "2026-01-02T01:04:05.678+00:00",
            ),
            ("2026-01-02T03:04:05", "2026-01-02T03:04:05.000+00:00"),
            (
                "2026-01-02T03:04:05.123456789Z",
                "2026-01-02T03:04:05.123+00:00",
            ),
            ("2026-01-02", "2026-01-02T00:00:00.000+00:00"),
        ] {
            assert_eq!(parse(sent).map(format).as_deref(), Some(stored), "{sent}");
        }
        assert_eq!(parse("yesterday"), None);
        assert_eq!(parse(""), None);
        for out_of_range in [
            "2026-13-01",
            "2026-02-30T00:00:00Z",
            "10000-01-01",
            "99999-01-01T00:00:00Z",
            "-000001-01-01T00:00:00Z",
            "0000-12-31",
            "2026-01-01T25:00:00Z",
        ] {
            assert_eq!(parse(out_of_range), None, "{out_of_range}");
        }
    }
}
