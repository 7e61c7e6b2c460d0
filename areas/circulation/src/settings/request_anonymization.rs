//! The tenant's setting for anonymizing closed requests.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde_json::{Map, Value};

/// The setting `requestAnonymization`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestAnonymization {
    Never,
    /// As soon as they are closed.
    Immediately,
    /// Some time after they were closed.
    Delayed(Delay),
}

/// A period after the closing of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delay {
    /// How many.
    pub number: i64,
    /// The unit.
    pub unit: DelayUnit,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DelayUnit {
    Minutes,
    Hours,
    Days,
    Months,
    Years,
}

impl RequestAnonymization {
    pub(super) fn from_value(value: &Map<String, Value>) -> RequestAnonymization {
        let text = |name: &str| {
            let text = value.get(name).and_then(Value::as_str).unwrap_or_default();
            text.to_lowercase()
        };
        let number = value.get("delay").and_then(Value::as_i64).unwrap_or(0);
        let unit = match text("delayUnit")
            .trim_end_matches("(s)")
            .trim_end_matches('s')
        {
            "minute" => DelayUnit::Minutes,
            "day" => DelayUnit::Days,
            "month" => DelayUnit::Months,
            "year" => DelayUnit::Years,
            _ => DelayUnit::Hours,
        };
        match text("mode").as_str() {
            "immediately" => RequestAnonymization::Immediately,
            "delayed" => RequestAnonymization::Delayed(Delay {
                number: number.max(0),
                unit,
            }),
            _ => RequestAnonymization::Never,
        }
    }

    /// Requests closed at this instant or before are anonymized now; `None` for no requests.
    #[must_use]
    pub fn closed_until(self, now: Timestamp) -> Option<Timestamp> {
        let Delay { number, unit } = match self {
            RequestAnonymization::Never => return None,
            RequestAnonymization::Immediately => return Some(now),
            RequestAnonymization::Delayed(delay) => delay,
        };
        let span = match unit {
            DelayUnit::Minutes => Span::new().try_minutes(number),
            DelayUnit::Hours => Span::new().try_hours(number),
            DelayUnit::Days => Span::new().try_days(number),
            DelayUnit::Months => Span::new().try_months(number),
            DelayUnit::Years => Span::new().try_years(number),
        };
        let now = now.to_zoned(TimeZone::UTC);
        Some(now.checked_sub(span.ok()?).ok()?.timestamp())
    }
}
