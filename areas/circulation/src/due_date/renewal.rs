//! When a renewed loan is due: the period of renewals from now or from the present due date, or a
//! schedule's date for now; then opening hours and the patron's expiration, as for a loan.

use jiff::Timestamp;

use super::period::{PeriodError, add};
use super::{DueDateFacts, closed_library};
use crate::loan_policy::{FixedDueDateSchedule, Profile};
use crate::refusal::{PolicyObstacle, Refusal};

/// The renewal terms of a policy.
#[derive(Debug, Clone, Copy, Default)]
pub struct RenewalSchedule<'a> {
    /// The policy has a period, or a schedule, for renewals.
    pub different_period: bool,
    pub alternate: Option<&'a FixedDueDateSchedule>,
}

impl<'a> RenewalSchedule<'a> {
    /// The schedule that limits or gives due dates: a rolling policy without one for renewals keeps
    /// to that of its loans, a fixed one has none then.
    fn of(
        self,
        profile: Option<Profile>,
        loans: Option<&'a FixedDueDateSchedule>,
    ) -> Option<&'a FixedDueDateSchedule> {
        match (self.different_period, profile) {
            (false, _) => loans,
            (true, Some(Profile::Fixed)) => self.alternate,
            (true, _) => self.alternate.or(loans),
        }
    }
}

/// The due date by the policy, before opening hours are considered. `facts.hold_waiting` means that a
/// hold is the first request for the item.
///
/// # Errors
/// The part of the policy that gives no date.
pub fn proposed_renewal(
    present_due: Timestamp,
    now: Timestamp,
    facts: &DueDateFacts<'_>,
    renewals: RenewalSchedule<'_>,
) -> Result<Timestamp, PolicyObstacle> {
    let policy = facts.policy;
    let profile = policy.profile();
    let schedule = renewals.of(profile, facts.schedule);
    match profile {
        Some(Profile::Fixed) => schedule
            .and_then(|schedule| schedule.due_for(now))
            .ok_or(PolicyObstacle::OutsideFixedSchedule),
        Some(Profile::Rolling) => {
            let terms = policy.renewals_policy.as_ref();
            let from = match terms.and_then(|terms| terms.renew_from_id.as_deref()) {
                Some("CURRENT_DUE_DATE") => present_due,
                Some("SYSTEM_DATE") => now,
                _ => return Err(PolicyObstacle::RenewFrom),
            };
            let holds = &policy.request_management.holds;
            let for_holds = holds.alternate_renewal_loan_period.as_ref();
            let period = match for_holds.filter(|_| facts.hold_waiting) {
                Some(period) => Some(period),
                None if renewals.different_period => terms.and_then(|terms| terms.period.as_ref()),
                None => {
                    let loans = policy.loans_policy.as_ref();
                    loans.and_then(|loans| loans.period.as_ref())
                }
            };
            let due = add(from, period, facts.zone).map_err(|error| match error {
                PeriodError::Missing => PolicyObstacle::Period,
                PeriodError::Interval(interval) => PolicyObstacle::Interval(interval),
                PeriodError::Duration(duration) => PolicyObstacle::Duration(duration),
            })?;
            match schedule {
                None => Ok(due),
                Some(schedule) => schedule
                    .due_for(from)
                    .map(|limit| due.min(limit))
                    .ok_or(PolicyObstacle::OutsideSchedule),
            }
        }
        None => {
            let terms = policy.loans_policy.as_ref();
            let profile = terms.and_then(|terms| terms.profile_id.clone());
            Err(PolicyObstacle::Profile(profile.unwrap_or_default()))
        }
    }
}

/// The due date of a loan renewed now, from the proposed one, and whether the patron's expiration
/// brought it forward.
///
/// # Errors
/// When the calendar does not cover the days needed.
pub fn renewed_due_date(
    proposed: Timestamp,
    now: Timestamp,
    facts: &DueDateFacts<'_>,
    renewals: RenewalSchedule<'_>,
) -> Result<(Timestamp, bool), Refusal> {
    let facts = DueDateFacts {
        schedule: renewals.of(facts.policy.profile(), facts.schedule),
        ..*facts
    };
    // FOLIO limits by the schedule's range for today here, not for the day of the loan.
    let managed = closed_library::manage(proposed, now, now, &facts)?;
    let expiration = closed_library::before_expiration(managed, &facts)?;
    Ok((expiration.unwrap_or(managed), expiration.is_some()))
}
