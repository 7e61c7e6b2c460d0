//! Adjusts due dates to opening hours: the six closed library managements of a loan policy, a schedule's
//! limit, and the last opening before a patron's expiration.

use jiff::{SignedDuration, Timestamp, Zoned, civil, tz::TimeZone};

use super::DueDateFacts;
use super::openings::{Adjacent, Day, Openings};
use super::period::exact_offset;
use super::timetable::{Stretch, Timetable};
use crate::loan_policy::{ClosedLibraryManagement as Management, Profile};
use crate::refusal::Refusal;

/// Applies the policy's management to a due date and keeps it within the schedule's limit.
/// `start` is the time that "current hours" refers to: that of the loan, or of a recall.
pub(super) fn manage(
    due: Timestamp,
    start: Timestamp,
    loan_date: Timestamp,
    facts: &DueDateFacts<'_>,
) -> Result<Timestamp, Refusal> {
    let zone = facts.zone;
    let terms = facts.policy.loans_policy.as_ref();
    let offset = exact_offset(terms.and_then(|terms| terms.opening_time_offset.as_ref()));
    let management = facts.policy.closed_library_management();
    let moved = move_by(management, due, start, offset, facts.openings, zone)?;
    let Some(limit) = schedule_limit(loan_date, facts) else {
        return Ok(moved);
    };
    if local_date(moved, zone) <= local_date(limit, zone) {
        return Ok(moved);
    }
    // All days between the base date and the moved date are closed, so the same days apply here.
    let days = facts.openings.around(local_date(due, zone));
    if is_short_term(facts) {
        end_of_current_hours(limit, start, &Timetable::new(&days, zone))
    } else {
        end_of_open_day(limit, &days, days.previous.as_ref(), zone)
    }
}

/// Moves an instant as a management says; `offset` counts from opening time.
pub(super) fn move_by(
    management: Management,
    due: Timestamp,
    start: Timestamp,
    offset: SignedDuration,
    openings: &Openings,
    zone: &TimeZone,
) -> Result<Timestamp, Refusal> {
    let days = openings.around(local_date(due, zone));
    match management {
        Management::CurrentDueDate => end_of_day(local_date(due, zone), zone),
        Management::CurrentDueDateTime => Ok(due),
        Management::EndOfThePreviousOpenDay => {
            end_of_open_day(due, &days, days.previous.as_ref(), zone)
        }
        Management::EndOfTheNextOpenDay => end_of_open_day(due, &days, days.next.as_ref(), zone),
        Management::EndOfTheCurrentServicePointHours => {
            end_of_current_hours(due, start, &Timetable::new(&days, zone))
        }
        Management::BeginningOfTheNextOpenServicePointHours => {
            beginning_of_next_hours(due, offset, &Timetable::new(&days, zone))
        }
    }
}

/// The due date for a patron whose record expires before the loan would be due: the end of the last open
/// day or hours before, or the expiration itself if the policy keeps due dates. `None` if the record
/// does not expire before. As in FOLIO the day of expiration is that in UTC.
pub(super) fn before_expiration(
    due: Timestamp,
    facts: &DueDateFacts<'_>,
) -> Result<Option<Timestamp>, Refusal> {
    match facts.patron_expires_at {
        Some(expires_at) if expires_at < due => last_before(expires_at, facts).map(Some),
        _ => Ok(None),
    }
}

fn last_before(expires_at: Timestamp, facts: &DueDateFacts<'_>) -> Result<Timestamp, Refusal> {
    let days = facts
        .openings
        .around(local_date(expires_at, &TimeZone::UTC));
    match facts.policy.closed_library_management() {
        Management::CurrentDueDate | Management::CurrentDueDateTime => Ok(expires_at),
        Management::EndOfThePreviousOpenDay | Management::EndOfTheNextOpenDay => {
            let day = days.previous.ok_or(Refusal::CalendarTimetableAbsent)?;
            end_of_day(day.date, facts.zone)
        }
        Management::EndOfTheCurrentServicePointHours
        | Management::BeginningOfTheNextOpenServicePointHours => {
            let table = Timetable::new(&days, facts.zone);
            let found = table.find(expires_at);
            let found = found.ok_or(Refusal::CalendarTimetableAbsent)?;
            // FOLIO treats the first stretch as its own predecessor: with 24-hour opening, or without an
            // earlier opening, the loan ends with that stretch.
            let before = found.saturating_sub(1);
            Ok(table.stretches[before].end.timestamp())
        }
    }
}

/// The limit for loans of this date; only policies with a profile have one.
fn schedule_limit(loan_date: Timestamp, facts: &DueDateFacts<'_>) -> Option<Timestamp> {
    match facts.policy.profile()? {
        Profile::Rolling | Profile::Fixed => facts.schedule?.due_for(loan_date),
    }
}

fn is_short_term(facts: &DueDateFacts<'_>) -> bool {
    let terms = facts.policy.loans_policy.as_ref();
    let period = terms.and_then(|terms| terms.period.as_ref());
    let interval = period
        .and_then(|period| period.interval_id.as_deref())
        .unwrap_or_default();
    interval.eq_ignore_ascii_case("Hours") || interval.eq_ignore_ascii_case("Minutes")
}

/// The end of the day itself if it is open, else of the other open day.
fn end_of_open_day(
    due: Timestamp,
    days: &Adjacent,
    other: Option<&Day>,
    zone: &TimeZone,
) -> Result<Timestamp, Refusal> {
    if days.requested.is_some() {
        return end_of_day(local_date(due, zone), zone);
    }
    let other = other.ok_or(Refusal::CalendarTimetableAbsent)?;
    end_of_day(other.date, zone)
}

/// Unchanged while open. Otherwise the close of the hours in which the loan was made (of the next
/// hours, if it was made while closed), except across midnight: a library that closes at 23:59
/// and reopens at 00:00 keeps the item until those later hours end.
fn end_of_current_hours(
    due: Timestamp,
    start: Timestamp,
    table: &Timetable,
) -> Result<Timestamp, Refusal> {
    let absent = Refusal::CalendarTimetableAbsent;
    let due_in = table.find(due).ok_or_else(|| absent.clone())?;
    if table.stretches[due_in].open {
        return Ok(due);
    }
    let start_in = table.find(start).ok_or_else(|| absent.clone())?;
    // A closed stretch always has open ones on both sides.
    let before = &table.stretches[due_in - 1];
    if is_open_across_midnight(&table.stretches[0], before) {
        return Ok(before.end.timestamp());
    }
    let current = if table.stretches[start_in].open {
        start_in
    } else {
        start_in + 1
    };
    table
        .stretches
        .get(current)
        .map(|stretch| stretch.end.timestamp())
        .ok_or(absent)
}

fn is_open_across_midnight(first: &Stretch, before: &Stretch) -> bool {
    // FOLIO counts days of 24 hours: two that are one of 23 hours apart are neighbours to it.
    let midnight = |at: &Zoned| at.start_of_day().map(|day| day.timestamp());
    let Ok((first_day, day)) =
        midnight(&first.end).and_then(|first_day| Ok((first_day, midnight(&before.start)?)))
    else {
        return false;
    };
    let apart = first_day.duration_until(day).as_hours().abs() / 24;
    let to_the_minute = |time: civil::Time| (time.hour(), time.minute());
    apart <= 1
        && to_the_minute(first.end.time()) == (23, 59)
        && to_the_minute(before.start.time()) == (0, 0)
}

/// Unchanged while open. Otherwise the next opening plus the offset; an offset that leads into
/// closed hours ends with the hours before them.
fn beginning_of_next_hours(
    due: Timestamp,
    offset: SignedDuration,
    table: &Timetable,
) -> Result<Timestamp, Refusal> {
    let absent = Refusal::CalendarTimetableAbsent;
    let due_in = table.find(due).ok_or_else(|| absent.clone())?;
    if table.stretches[due_in].open {
        return Ok(due);
    }
    let next = table
        .stretches
        .get(due_in + 1)
        .ok_or_else(|| absent.clone())?;
    let moved = next
        .start
        .timestamp()
        .checked_add(offset)
        .map_err(|_| absent.clone())?;
    let last = table.stretches.last().ok_or(absent)?;
    Ok(match table.find(moved) {
        None => last.end.timestamp(),
        Some(found) if table.stretches[found].open => moved,
        Some(found) => table.stretches[found - 1].end.timestamp(),
    })
}

/// One second before the next day begins: the last 23:59:59 where clocks go back at midnight.
pub(super) fn end_of_day(date: civil::Date, zone: &TimeZone) -> Result<Timestamp, Refusal> {
    let next = date
        .tomorrow()
        .and_then(|next| next.to_zoned(zone.clone()))
        .and_then(|next| next.timestamp().checked_sub(SignedDuration::from_secs(1)));
    next.map_err(|_| Refusal::CalendarTimetableAbsent)
}

pub(super) fn local_date(instant: Timestamp, zone: &TimeZone) -> civil::Date {
    instant.to_zoned(zone.clone()).date()
}
