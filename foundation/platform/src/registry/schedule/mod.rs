//! The times of a route that runs by itself: what is wrong with them, and when it runs next.

mod clock;

use std::time::Duration;

use jiff::Timestamp;

use super::descriptor::RoutingEntry;

/// Delays longer than this are refused: ten years.
const DELAY_MAX: Duration = Duration::from_secs(10 * 366 * 86_400);

/// What is wrong with the times of a route; nothing when it has none, or good ones.
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

/// The time between two runs; nothing when the entry has none.
#[must_use]
pub fn delay(entry: &RoutingEntry) -> Option<Duration> {
    let unit = clock::unit(entry.unit.as_deref()?)?;
    let number: u32 = entry.delay.as_deref()?.parse().ok()?;
    unit.checked_mul(number)
}

/// When a timer runs next, if it does: a delay of 0 stops it.
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
