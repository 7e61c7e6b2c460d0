//! When a loan is due. Pure arithmetic on a policy, a zone and opening days; it reads no clock and
//! no calendar service. The steps are FOLIO's: a base date from the period or the fixed schedule,
//! then the closed-library management, then the limits of schedule and patron.
//!
//! Periods are added in the tenant's time zone, so that two weeks later is the same time of day
//! across a change of the clocks. FOLIO adds them in the offset of the loan date it was sent
//! (nearly always UTC); the two differ by an hour for loans across such a change.

#[cfg(test)]
mod cases;
mod closed_library;
mod hold_shelf;
mod openings;
mod period;
mod recall;
mod renewal;
mod timetable;

#[cfg(test)]
mod tests;

use jiff::{Timestamp, tz::TimeZone};

pub use hold_shelf::{HoldShelf, hold_shelf_expiration};
pub use openings::{Calendar, OpenDay, Openings};
pub use recall::recalled_due_date;
pub use renewal::{RenewalSchedule, proposed_renewal, renewed_due_date};

use crate::loan_policy::{FixedDueDateSchedule, LoanPolicy, Period, Profile};
use crate::refusal::{PolicyReference, Refusal};
use period::{PeriodError, add};

/// Everything a due date depends on besides the loan date.
#[derive(Debug, Clone, Copy)]
pub struct DueDateFacts<'a> {
    pub policy: &'a LoanPolicy,
    /// The schedule the policy names, if it names one that exists.
    pub schedule: Option<&'a FixedDueDateSchedule>,
    /// The tenant's time zone.
    pub zone: &'a TimeZone,
    /// The opening days of the check-out service point.
    pub openings: &'a Openings,
    /// When the borrower's record expires.
    pub patron_expires_at: Option<Timestamp>,
    /// Whether an unfilled hold waits for the item, so that the policy's alternate period
    /// applies, if it has one.
    pub hold_waiting: bool,
}

/// A due date and its reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueDate {
    /// When the loan is due.
    pub at: Timestamp,
    /// A waiting hold shortened (or lengthened) the period; FOLIO reports this for rolling loans only.
    pub changed_by_hold: bool,
    /// The patron's record expires before the loan would have been due.
    pub changed_by_near_expire_user: bool,
}

/// The due date of a loan made at `loan_date`.
///
/// # Errors
/// When the policy gives no date, or the calendar does not cover the days needed.
pub fn due_date(loan_date: Timestamp, facts: &DueDateFacts<'_>) -> Result<DueDate, Refusal> {
    let base = base_due_date(loan_date, facts)?;
    let managed = closed_library::manage(base.at, loan_date, loan_date, facts)?;
    let expiration = closed_library::before_expiration(managed, facts)?;
    Ok(DueDate {
        at: expiration.unwrap_or(managed),
        changed_by_near_expire_user: expiration.is_some(),
        ..base
    })
}

/// The due date before opening hours are considered: the caller of [`due_date`] needs the open days
/// around this date (and around the patron's expiration, if that is earlier).
///
/// # Errors
/// When the policy gives no date.
pub fn base_due_date(loan_date: Timestamp, facts: &DueDateFacts<'_>) -> Result<DueDate, Refusal> {
    let alternate = facts
        .policy
        .request_management
        .holds
        .alternate_checkout_loan_period
        .as_ref();
    let alternate = alternate.filter(|_| facts.hold_waiting);
    let policy = || reference(facts.policy);
    let terms = facts.policy.loans_policy.as_ref();
    let (at, changed_by_hold) = match (facts.policy.profile(), alternate) {
        (Some(Profile::Rolling), None) => {
            let period = terms.and_then(|terms| terms.period.as_ref());
            (rolling(loan_date, period, facts)?, false)
        }
        (Some(Profile::Rolling), Some(period)) => (rolling(loan_date, Some(period), facts)?, true),
        (Some(Profile::Fixed), Some(period)) => (rolling(loan_date, Some(period), facts)?, false),
        (Some(Profile::Fixed), None) => {
            let due = facts
                .schedule
                .and_then(|schedule| schedule.due_for(loan_date));
            (
                due.ok_or_else(|| Refusal::LoanDateOutsideSchedule { policy: policy() })?,
                false,
            )
        }
        (None, _) => {
            let profile = terms
                .and_then(|terms| terms.profile_id.clone())
                .unwrap_or_default();
            return Err(Refusal::LoanProfileNotRecognised {
                profile,
                policy: policy(),
            });
        }
    };
    Ok(DueDate {
        at,
        changed_by_hold,
        changed_by_near_expire_user: false,
    })
}

/// Loan date plus period, not later than the schedule allows for that loan date.
fn rolling(
    loan_date: Timestamp,
    period: Option<&Period>,
    facts: &DueDateFacts<'_>,
) -> Result<Timestamp, Refusal> {
    let policy = || reference(facts.policy);
    let due = add(loan_date, period, facts.zone).map_err(|error| match error {
        PeriodError::Missing => Refusal::LoanPeriodNotRecognised { policy: policy() },
        PeriodError::Interval(interval) => Refusal::LoanIntervalNotRecognised {
            interval,
            policy: policy(),
        },
        PeriodError::Duration(duration) => Refusal::LoanDurationInvalid {
            duration,
            policy: policy(),
        },
    })?;
    match facts.schedule {
        None => Ok(due),
        Some(schedule) => {
            let limit = schedule.due_for(loan_date);
            limit
                .map(|limit| due.min(limit))
                .ok_or_else(|| Refusal::LoanDateOutsideSchedule { policy: policy() })
        }
    }
}

fn reference(policy: &LoanPolicy) -> PolicyReference {
    PolicyReference {
        id: policy.id,
        name: policy.name.clone(),
    }
}
