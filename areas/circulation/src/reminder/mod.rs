//! Reminder fees: an overdue fine policy may have a schedule of reminders, each with a notice and a fee.
//! Decides without I/O when the next one is due, and what is stored in the loan.

mod notice;
mod schedule;
#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use octavo_library::{FeeFineTypeId, ItemStatus, Loan, LoanAction, wire_time};
use serde_json::{Map, Value, json};

pub use notice::{TRIGGER, first_notice, put_off};
pub use schedule::{Reminder, RemindersPolicy};

use crate::due_date::Openings;
use crate::facts::Item;

/// The name of the automatic fee for a reminder.
pub const REMINDER_FEE: &str = "Reminder fee";
/// FOLIO's id of its fee type; a library's own record of this name takes precedence.
pub const REMINDER_FEE_ID: FeeFineTypeId =
    FeeFineTypeId::from_u128(0x6b830703_f828_4e38_a0bb_ee81deacbd03);

/// The opening days of the check-out service point.
#[derive(Debug, Clone, Copy)]
pub struct OpenDays<'a> {
    /// The days on which it is open; one without a calendar is never open.
    pub days: &'a Openings,
    /// The tenant's time zone.
    pub zone: &'a TimeZone,
}

/// The decision on a due reminder.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome<'a> {
    /// The service point is closed today: retried on another day.
    Wait,
    /// The reminder is obsolete.
    Stop,
    /// The schedule has no such reminder; it was changed since.
    Missing,
    /// The reminder is sent.
    Remind {
        /// Its number, from 1.
        number: u32,
        /// The step of the schedule.
        reminder: &'a Reminder,
        /// The one after that and when it is due; `None` if this is the last.
        next: Option<(&'a Reminder, Timestamp)>,
    },
}

/// When the first reminder of a loan is due: after its due date, whatever was billed before. Check-out,
/// renewal and every change of the due date begin with it again.
#[must_use]
pub fn first_due(
    policy: &RemindersPolicy,
    due_date: Timestamp,
    open: OpenDays<'_>,
) -> Option<Timestamp> {
    due_after(policy, policy.number(1)?, due_date, open)
}

/// Decides on a reminder that is due by `now`; `billed` is the number of the last one stored in the
/// loan.
#[must_use]
pub fn remind<'a>(
    policy: &'a RemindersPolicy,
    loan: &Loan,
    item: &Item,
    billed: Option<u32>,
    open: OpenDays<'_>,
    now: Timestamp,
) -> Outcome<'a> {
    // An item that has aged to lost may still come back: its borrower is reminded.
    if !loan.is_open() || item.is(ItemStatus::DeclaredLost) || item.is(ItemStatus::ClaimedReturned)
    {
        return Outcome::Stop;
    }
    let number = billed.unwrap_or(0).saturating_add(1);
    let Some(reminder) = policy.number(number) else {
        return Outcome::Missing;
    };
    if !open.days.is_open(now.to_zoned(open.zone.clone()).date()) {
        return Outcome::Wait;
    }
    let next = policy.number(number.saturating_add(1));
    let next = next.and_then(|next| Some((next, next_due(policy, next, now, open)?)));
    Outcome::Remind {
        number,
        reminder,
        next,
    }
}

/// Stores a sent reminder in a loan's document.
pub fn keep(document: &mut Map<String, Value>, number: u32, at: Timestamp) {
    document.insert("action".into(), LoanAction::ReminderFee.into());
    let billed = json!({"number": number, "date": wire_time::format(at)});
    document.insert("reminders".into(), json!({"lastFeeBilled": billed}));
}

/// Resets the reminders of a renewed loan.
pub fn forget(document: &mut Map<String, Value>) {
    document.shift_remove("reminders");
}

/// The number of the last reminder stored in a loan.
#[must_use]
pub fn last_billed(document: &Map<String, Value>) -> Option<u32> {
    let billed = document.get("reminders")?.get("lastFeeBilled")?;
    u32::try_from(billed.get("number")?.as_u64()?).ok()
}

/// When the reminder after one that is sent now is due: at a full hour after now, so that no two are
/// sent at once. Without any future open day it is due anyway, and waits for one.
fn next_due(
    policy: &RemindersPolicy,
    reminder: &Reminder,
    now: Timestamp,
    open: OpenDays<'_>,
) -> Option<Timestamp> {
    let due = due_after(policy, reminder, now, open).or_else(|| reminder.after(now))?;
    let soonest = now.checked_add(SignedDuration::from_mins(1)).ok()?;
    let at_hour = whole_hour(due);
    Some(if at_hour > now {
        at_hour
    } else {
        due.max(soonest)
    })
}

/// A reminder's period after an instant, moved to the next open day where the policy says so; `None`
/// when no day is open.
fn due_after(
    policy: &RemindersPolicy,
    reminder: &Reminder,
    from: Timestamp,
    open: OpenDays<'_>,
) -> Option<Timestamp> {
    let due = reminder.after(from)?;
    if policy.count_closed == Some(true) {
        return Some(due);
    }
    let day = due.to_zoned(open.zone.clone()).date();
    let days = day.until(open.days.open_from(day)?).ok()?.get_days();
    due.checked_add(SignedDuration::from_hours(24 * i64::from(days)))
        .ok()
}

fn whole_hour(at: Timestamp) -> Timestamp {
    let second = at.as_second();
    Timestamp::from_second(second - second.rem_euclid(3_600)).unwrap_or(at)
}
