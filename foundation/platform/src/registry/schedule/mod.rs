//! The schedule of a timer: its validation and its next run.

mod clock;

use std::time::Duration;

use jiff::Timestamp;

use super::descriptor::RoutingEntry;

/// Longer delays are rejected: ten years.
const DELAY_MAX: Duration = Duration::from_secs(10 * 366 * 86_400);

/// The error in the schedule of a route; `None` when it is valid or absent.
#[must_use]
pub fn fault(entry: &RoutingEntry) -> Option<String> {
    if let Some(delay) = &entry.delay
        && !delay.bytes().all(|byte| byte.is_ascii_digit())
    {
        return Some(format!("delay {delay:?} is no whole number"));
    }
    if let Some(unit) = &entry.unit
        && clock::unit(unit).is_none()
    {
        return Some(format!(
            "unit {unit:?} is none of millisecond, second, minute, hour, day"
        ));
    }
    if delay(entry).is_some_and(|delay| delay > DELAY_MAX) {
        return Some("a delay is ten years at most".to_owned());
    }
    entry.schedule.as_ref().and_then(clock::fault)
}

/// The delay between two runs, if the entry has one.
#[must_use]
pub fn delay(entry: &RoutingEntry) -> Option<Duration> {
    let unit = clock::unit(entry.unit.as_deref()?)?;
    let number: u32 = entry.delay.as_deref()?.parse().ok()?;
    unit.checked_mul(number)
}

/// The next run of a timer; a delay of 0 stops it.
#[must_use]
pub fn next(entry: &RoutingEntry, now: Timestamp) -> Option<Timestamp> {
    match (&entry.delay, &entry.unit, &entry.schedule) {
        (Some(_), Some(_), _) => {
            let delay = delay(entry).filter(|delay| !delay.is_zero())?;
            now.checked_add(delay).ok()
        }
        (_, _, Some(schedule)) => clock::next(schedule, now),
        _ => None,
    }
}
