//! The result of a scheduled notice whose time has come: whether it is sent, and whether it comes again.
//! FOLIO's rules.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction, RequestStatus};

use super::{Event, ScheduledNotice, Timing};

/// What happens to the stored notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It stays, and is looked at again by the next run.
    Keep,
    Delete,
    /// It comes again.
    Again(Timestamp),
}

/// The result of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether it is sent.
    pub sent: bool,
    /// What happens to it then.
    pub fate: Fate,
}

impl Decision {
    /// There is nothing to tell of any more.
    pub const DROPPED: Decision = Decision {
        sent: false,
        fate: Fate::Delete,
    };

    fn sent(fate: Fate) -> Decision {
        Decision { sent: true, fate }
    }
}

/// A loan that a notice is about.
#[derive(Debug, Clone, Copy)]
pub struct LoanState<'a> {
    pub loan: &'a Loan,
    pub item_status: ItemStatus,
    /// A fee for the lost item was charged.
    pub charged_as_lost: bool,
}

/// A notice of a due date, or of a loan that aged to lost.
#[must_use]
pub fn of_loan(notice: &ScheduledNotice, of: LoanState<'_>, now: Timestamp) -> Decision {
    let (loan, timing) = (of.loan, notice.notice_config.timing);
    let is = |statuses: &[ItemStatus]| statuses.contains(&of.item_status);
    let over = match notice.triggering_event {
        Event::AgedToLost => {
            let renewed = matches!(
                loan.action,
                Some(LoanAction::Renewed | LoanAction::RenewedThroughOverride)
            );
            is(&[ItemStatus::DeclaredLost, ItemStatus::ClaimedReturned])
                || renewed
                || of.charged_as_lost
        }
        _ => {
            let overdue = timing == Timing::Before && loan.due_date.is_some_and(|due| due < now);
            overdue || of.item_status.is_lost_or_claimed_returned()
        }
    };
    if over || !loan.is_open() {
        return Decision::DROPPED;
    }
    let last = loan.due_date.filter(|_| timing == Timing::Before);
    Decision::sent(again(notice, now, last))
}

/// A notice of the end of a request.
#[must_use]
pub fn of_request(
    notice: &ScheduledNotice,
    status: RequestStatus,
    expires: Option<Timestamp>,
    on_shelf_until: Option<Timestamp>,
    now: Timestamp,
) -> Decision {
    let timing = notice.notice_config.timing;
    let shelf = notice.triggering_event == Event::HoldExpiration;
    if shelf && timing == Timing::UponAt && status == RequestStatus::NotYetFilled {
        return Decision::DROPPED;
    }
    if status.is_open() {
        if timing == Timing::UponAt {
            // The end is told of when it has come: another timer closes the request.
            return Decision {
                sent: false,
                fate: Fate::Keep,
            };
        }
        let last = [expires, on_shelf_until].into_iter().flatten().min();
        return Decision::sent(again(
            notice,
            now,
            last.filter(|_| timing == Timing::Before),
        ));
    }
    let told = match notice.triggering_event {
        _ if timing != Timing::UponAt => false,
        Event::HoldExpiration => status == RequestStatus::PickupExpired,
        // What was filled or cancelled did not expire; FOLIO has deleted the notice by then.
        _ => matches!(
            status,
            RequestStatus::Unfilled | RequestStatus::PickupExpired
        ),
    };
    Decision {
        sent: told,
        fate: Fate::Delete,
    }
}

/// A notice of a fee, or of what became of it.
#[must_use]
pub fn of_fee(notice: &ScheduledNotice, account_is_closed: bool, now: Timestamp) -> Decision {
    if account_is_closed && notice.triggering_event != Event::AgedToLostReturned {
        return Decision::DROPPED;
    }
    Decision::sent(again(notice, now, None))
}

/// When the notice comes again: a period after it was due, or after now where that is over; never after
/// `last`.
fn again(notice: &ScheduledNotice, now: Timestamp, last: Option<Timestamp>) -> Fate {
    let Some(every) = notice.notice_config.recurring_period else {
        return Fate::Delete;
    };
    let next = every.after(notice.next_run_time);
    let next = match next {
        Some(next) if next < now => every.after(now),
        next => next,
    };
    match next {
        Some(next) if last.is_none_or(|last| next <= last) => Fate::Again(next),
        _ => Fate::Delete,
    }
}
