//! Adding a stored period to an instant.

use jiff::{Span, Timestamp, tz::TimeZone};

use crate::loan_policy::Period;

/// The error of a period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PeriodError {
    /// It is absent, or lacks its unit or its number.
    Missing,
    /// The unit is unknown.
    Interval(String),
    /// The number is not positive, or so large that the calendar ends before it.
    Duration(i64),
}

/// Adds a period. Months, weeks and days keep the time of day in the zone (a month from the 31st
/// ends on the last day of a shorter month; a time skipped by the clocks moves an hour on); hours
/// and minutes are exact.
pub(super) fn add(
    from: Timestamp,
    period: Option<&Period>,
    zone: &TimeZone,
) -> Result<Timestamp, PeriodError> {
    let period = period.ok_or(PeriodError::Missing)?;
    let interval = period.interval_id.as_deref().ok_or(PeriodError::Missing)?;
    let duration = period.duration.ok_or(PeriodError::Missing)?;
    if duration <= 0 {
        return Err(PeriodError::Duration(duration));
    }
    let span = match interval {
        "Months" => Span::new().try_months(duration),
        "Weeks" => Span::new().try_weeks(duration),
        "Days" => Span::new().try_days(duration),
        "Hours" => Span::new().try_hours(duration),
        "Minutes" => Span::new().try_minutes(duration),
        other => return Err(PeriodError::Interval(other.to_owned())),
    };
    let too_large = |_| PeriodError::Duration(duration);
    let span = span.map_err(too_large)?;
    let due = from
        .to_zoned(zone.clone())
        .checked_add(span)
        .map_err(too_large)?;
    Ok(due.timestamp())
}

/// The offset after opening time. Days are 24 hours and months 31 days here; a period that FOLIO does
/// not know counts as zero.
pub(super) fn exact_offset(period: Option<&Period>) -> jiff::SignedDuration {
    const MINUTES_PER_DAY: i64 = 24 * 60;
    let Some(period) = period else {
        return jiff::SignedDuration::ZERO;
    };
    let minutes_per_unit = match period.interval_id.as_deref() {
        Some("Months") => 31 * MINUTES_PER_DAY,
        Some("Weeks") => 7 * MINUTES_PER_DAY,
        Some("Days") => MINUTES_PER_DAY,
        Some("Hours") => 60,
        Some("Minutes") => 1,
        _ => 0,
    };
    // Nothing longer than a year makes sense here; the bound keeps the product in range.
    let duration = period.duration.unwrap_or(0).clamp(0, 366 * MINUTES_PER_DAY);
    jiff::SignedDuration::from_mins(duration.saturating_mul(minutes_per_unit))
}
