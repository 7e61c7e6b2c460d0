//! The period between a notice and its event. Days and months are counted in UTC, as in FOLIO.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};
use serde::{Deserialize, Serialize};

/// Some units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticePeriod {
    /// How many.
    pub duration: i64,
    /// Of what.
    pub interval_id: Unit,
}

/// What a period is counted in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize)]
pub enum Unit {
    Minutes,
    Hours,
    Days,
    Weeks,
    /// Months; one from the 31st ends on the last day of a shorter month.
    Months,
}

impl NoticePeriod {
    /// The period later; `None` after the end of the calendar.
    #[must_use]
    pub fn after(self, at: Timestamp) -> Option<Timestamp> {
        let zoned = at.to_zoned(TimeZone::UTC);
        Some(zoned.checked_add(self.span()?).ok()?.timestamp())
    }

    /// The period earlier.
    #[must_use]
    pub fn before(self, at: Timestamp) -> Option<Timestamp> {
        let zoned = at.to_zoned(TimeZone::UTC);
        Some(zoned.checked_sub(self.span()?).ok()?.timestamp())
    }

    fn span(self) -> Option<Span> {
        let (span, number) = (Span::new(), self.duration);
        let span = match self.interval_id {
            Unit::Minutes => span.try_minutes(number),
            Unit::Hours => span.try_hours(number),
            Unit::Days => span.try_days(number),
            Unit::Weeks => span.try_weeks(number),
            Unit::Months => span.try_months(number),
        };
        span.ok()
    }
}
