//! When the vouchers of a batch group are exported by the clock.

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use super::document::{self, Document};

/// The period of an export that is due: from the end of the last one, else a day long, to the time of day that
/// the configuration says. `None` where none is due now.
#[must_use]
pub fn due(
    configuration: &Document,
    last: Option<Timestamp>,
    now: Timestamp,
    zone: &TimeZone,
) -> Option<(Timestamp, Timestamp)> {
    let today = now.to_zoned(zone.clone());
    let days: Vec<&str> = configuration
        .get("weekdays")?
        .as_array()?
        .iter()
        .filter_map(serde_json::Value::as_str)
        .collect();
    if !days.contains(&name(today.weekday())) {
        return None;
    }
    let time = document::text(configuration, "startTime").unwrap_or("00:00");
    let (hour, minute) = time.split_once(':')?;
    let at = today
        .date()
        .at(hour.parse().ok()?, minute.parse().ok()?, 0, 0)
        .to_zoned(zone.clone())
        .ok()?
        .timestamp();
    let is_done = last.is_some_and(|last| last >= at);
    if now < at || is_done {
        return None;
    }
    let before = at.checked_sub(Span::new().hours(24)).ok()?;
    Some((last.unwrap_or(before), at))
}

fn name(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_export_is_due_once_a_day_of_the_configuration() {
        let configuration = json!({"weekdays": ["Monday", "Friday"], "startTime": "9:30"});
        let configuration = configuration.as_object().cloned().expect("an object");
        let at = |text: &str| -> Timestamp { text.parse().expect("an instant") };
        let zone = TimeZone::get("Europe/Berlin").expect("a zone");
        // 2026-03-02 is a Monday; it is winter time in Berlin.
        for (now, last, period) in [
            ("2026-03-02T08:29:00Z", None, None),
            (
                "2026-03-02T08:31:00Z",
                None,
                Some(("2026-03-01T08:30:00Z", "2026-03-02T08:30:00Z")),
            ),
            (
                "2026-03-02T08:31:00Z",
                Some("2026-02-27T08:30:00Z"),
                Some(("2026-02-27T08:30:00Z", "2026-03-02T08:30:00Z")),
            ),
            ("2026-03-02T10:00:00Z", Some("2026-03-02T08:30:00Z"), None),
            ("2026-03-03T10:00:00Z", None, None),
        ] {
            let found = due(&configuration, last.map(at), at(now), &zone);
            assert_eq!(found, period.map(|(from, to)| (at(from), at(to))), "{now}");
        }
    }
}
