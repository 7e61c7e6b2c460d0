//! Decides whether a closed loan is anonymized: by hand, or by the tenant's loan history settings. Facts
//! in, a decision out; nothing here reads or writes.

#[cfg(test)]
mod tests;

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan};

use crate::loan_policy::Period;
use crate::settings::{ClosingType, LoanHistory};

/// The fees that were charged because of a loan.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LoanFees {
    /// How many.
    pub all: i64,
    /// How many of them are not closed.
    pub open: i64,
    /// When the last of them was closed.
    pub last_closed: Option<Timestamp>,
}

/// Why a loan is not anonymized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum KeepReason {
    /// By hand only loans without fees are anonymized.
    HasFees,
    /// The settings forbid it.
    Never,
    /// It was closed too recently.
    ClosedTooShortly,
    /// The settings forbid it for loans with fees.
    NeverWithFees,
    FeesOpen,
    /// The last fee has not been closed for long enough, or a fee is open.
    FeesClosedTooShortly,
}

impl KeepReason {
    /// The reason as FOLIO names it.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            KeepReason::HasFees => "haveAssociatedFeesAndFines",
            KeepReason::Never => "neverAnonymizeLoans",
            KeepReason::ClosedTooShortly => "loanClosedPeriodNotPassed",
            KeepReason::NeverWithFees => "neverAnonymizeLoansWithFeesAndFines",
            KeepReason::FeesOpen => "feesAndFinesOpen",
            KeepReason::FeesClosedTooShortly => "intervalAfterFeesAndFinesCloseNotPassed",
        }
    }
}

/// By hand: a closed loan without fees is anonymized.
///
/// # Errors
/// Why it is not.
pub fn by_hand(fees: &LoanFees) -> Result<(), KeepReason> {
    match fees.all {
        0 => Ok(()),
        _ => Err(KeepReason::HasFees),
    }
}

/// By the settings, for a closed loan.
///
/// # Errors
/// Why it is not.
pub fn as_set(
    history: &LoanHistory,
    fees: &LoanFees,
    closed_at: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), KeepReason> {
    if fees.all > 0 && history.treats_fees_differently {
        return match history.fee_fine {
            ClosingType::Immediately if fees.open == 0 => Ok(()),
            ClosingType::Immediately => Err(KeepReason::FeesOpen),
            ClosingType::Interval
                if fees.open == 0
                    && has_passed(history.fee_fine_period.as_ref(), fees.last_closed, now) =>
            {
                Ok(())
            }
            ClosingType::Interval => Err(KeepReason::FeesClosedTooShortly),
            ClosingType::Never | ClosingType::Unknown => Err(KeepReason::NeverWithFees),
        };
    }
    match history.loan {
        ClosingType::Immediately => Ok(()),
        ClosingType::Interval if has_passed(history.loan_period.as_ref(), closed_at, now) => Ok(()),
        ClosingType::Interval => Err(KeepReason::ClosedTooShortly),
        ClosingType::Never | ClosingType::Unknown => Err(KeepReason::Never),
    }
}

/// Which loans may be anonymized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Candidates {
    /// Loans closed up to this instant; none when the settings exclude them.
    pub closed_until: Option<Timestamp>,
    /// Loans that have fees.
    pub with_fees: bool,
}

/// The closed loans that the settings can concern now, so that others need not be read.
#[must_use]
pub fn candidates(history: &LoanHistory, now: Timestamp) -> Candidates {
    let closed_until = match history.loan {
        ClosingType::Immediately => Some(now),
        ClosingType::Interval => before(history.loan_period.as_ref(), now),
        ClosingType::Never | ClosingType::Unknown => None,
    };
    let said = matches!(
        history.fee_fine,
        ClosingType::Immediately | ClosingType::Interval
    );
    Candidates {
        closed_until,
        with_fees: history.treats_fees_differently && said,
    }
}

/// Whether more than a period has passed since an instant; an invalid period never has.
fn has_passed(period: Option<&Period>, since: Option<Timestamp>, now: Timestamp) -> bool {
    let end = || {
        let since = since?.to_zoned(TimeZone::UTC);
        Some(since.checked_add(span(period?)?).ok()?.timestamp())
    };
    end().is_some_and(|end| now > end)
}

/// An instant a period ago, with some days to spare because months differ in length.
fn before(period: Option<&Period>, now: Timestamp) -> Option<Timestamp> {
    let period = period?;
    let begun = now
        .to_zoned(TimeZone::UTC)
        .checked_sub(span(period)?)
        .ok()?;
    let slack = match period.interval_id.as_deref() {
        Some("Months") => 3.days(),
        _ => 0.days(),
    };
    begun.checked_add(slack).ok().map(|at| at.timestamp())
}

fn span(period: &Period) -> Option<Span> {
    let number = period.duration.filter(|number| *number >= 0)?;
    let span = match period.interval_id.as_deref()? {
        "Months" => Span::new().try_months(number),
        "Weeks" => Span::new().try_weeks(number),
        "Days" => Span::new().try_days(number),
        "Hours" => Span::new().try_hours(number),
        _ => Span::new().try_minutes(number),
    };
    span.ok()
}
