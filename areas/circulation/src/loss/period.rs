//! The periods of a lost item fee policy.

use jiff::{Span, Timestamp, tz::TimeZone};

use crate::loan_policy::Period;

/// Whether a period is set: a missing or non-positive one means "never" or "at once".
pub(super) fn is_set(period: Option<&Period>) -> bool {
    period.is_some_and(|period| period.duration.unwrap_or(0) > 0 && span(period).is_some())
}

/// The instant a period later, in UTC as loans are stored; `None` when the calendar ends before.
pub(super) fn after(from: Timestamp, period: &Period) -> Option<Timestamp> {
    let later = from.to_zoned(TimeZone::UTC).checked_add(span(period)?);
    Some(later.ok()?.timestamp())
}

/// An upper bound of instants at least a period ago. Months differ in length, so it may be some days too
/// late: check with [`after`].
pub(super) fn long_ago(now: Timestamp, period: &Period) -> Option<Timestamp> {
    const DAYS_THAT_MONTHS_DIFFER: i64 = 3;
    let back = now
        .to_zoned(TimeZone::UTC)
        .checked_sub(span(period)?)
        .ok()?;
    let slack = match period.interval_id.as_deref() {
        Some("Months" | "Years") => Span::new().try_days(DAYS_THAT_MONTHS_DIFFER).ok()?,
        _ => Span::new(),
    };
    Some(back.checked_add(slack).ok()?.timestamp())
}

fn span(period: &Period) -> Option<Span> {
    let duration = period.duration?;
    let span = match period.interval_id.as_deref()? {
        "Years" => Span::new().try_years(duration),
        "Months" => Span::new().try_months(duration),
        "Weeks" => Span::new().try_weeks(duration),
        "Days" => Span::new().try_days(duration),
        "Hours" => Span::new().try_hours(duration),
        "Minutes" => Span::new().try_minutes(duration),
        _ => return None,
    };
    span.ok()
}
