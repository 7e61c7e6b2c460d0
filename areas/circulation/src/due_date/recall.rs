//! The effect of a recall on a due date: it is brought forward to now plus the recall return interval,
//! but not before the minimum guaranteed loan period.

use jiff::Timestamp;

use super::period::{PeriodError, add};
use super::{DueDateFacts, closed_library, reference};
use crate::loan_policy::Period;
use crate::refusal::Refusal;

/// The due date of a loan that is recalled now; the present one if the recall does not change it. The
/// policy must let recalls move a due date to a later day, or they do not.
///
/// # Errors
/// When a period of the policy is invalid, or the calendar does not cover the days needed.
pub fn recalled_due_date(
    due: Timestamp,
    loan_date: Timestamp,
    now: Timestamp,
    facts: &DueDateFacts<'_>,
) -> Result<Timestamp, Refusal> {
    let recalls = &facts.policy.request_management.recalls;
    let overdue = due < now;
    let may_extend = recalls.allow_recalls_to_extend_overdue_loans;
    let guaranteed = period_from(
        loan_date,
        recalls.minimum_guaranteed_loan_period.as_ref(),
        "minimumGuaranteedLoanPeriod",
        facts,
    );
    let alternate = recalls.alternate_recall_return_interval.as_ref();
    let (period, property) = match alternate {
        Some(period) if overdue && may_extend => (Some(period), "alternateRecallReturnInterval"),
        _ => (
            recalls.recall_return_interval.as_ref(),
            "recallReturnInterval",
        ),
    };
    let returned = period_from(now, period, property, facts)?.unwrap_or(now);
    let guaranteed = guaranteed?;
    let recalled = if !may_extend && (overdue || returned > due) {
        due
    } else {
        guaranteed.map_or(returned, |guaranteed| guaranteed.max(returned))
    };
    // FOLIO limits by the schedule's range for the new due date, not for the date of the loan.
    let managed = closed_library::manage(recalled, now, recalled, facts)?;
    Ok(closed_library::before_expiration(managed, facts)?.unwrap_or(managed))
}

fn period_from(
    from: Timestamp,
    period: Option<&Period>,
    property: &'static str,
    facts: &DueDateFacts<'_>,
) -> Result<Option<Timestamp>, Refusal> {
    if period.is_none() {
        return Ok(None);
    }
    let policy = || reference(facts.policy);
    add(from, period, facts.zone)
        .map(Some)
        .map_err(|error| match error {
            PeriodError::Missing => Refusal::RecallPeriodNotRecognised {
                property,
                policy: policy(),
            },
            PeriodError::Interval(interval) => Refusal::RecallIntervalNotRecognised {
                interval,
                property,
                policy: policy(),
            },
            PeriodError::Duration(duration) => Refusal::RecallDurationInvalid {
                duration,
                property,
                policy: policy(),
            },
        })
}
