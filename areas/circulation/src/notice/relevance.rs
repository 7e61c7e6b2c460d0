//! Decides whether a due scheduled notice is sent, and whether it recurs. FOLIO's rules.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction, RequestStatus};

use super::{Event, ScheduledNotice, Timing};

/// The change of the stored notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoticeUpdate {
    /// It stays for the next run.
    Keep,
    Delete,
    /// It is rescheduled.
    Again(Timestamp),
}

/// The decision on a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// Whether it is sent.
    pub sent: bool,
    /// The change of the stored notice.
    pub fate: NoticeUpdate,
}

impl Decision {
    /// The notice is obsolete.
    pub const DROPPED: Decision = Decision {
        sent: false,
        fate: NoticeUpdate::Delete,
    };

    fn sent(fate: NoticeUpdate) -> Decision {
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
            // Sent only after the request has expired, which another timer does.
            return Decision {
                sent: false,
                fate: NoticeUpdate::Keep,
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
        // A filled or cancelled request did not expire; FOLIO deletes the notice earlier.
        _ => matches!(
            status,
            RequestStatus::Unfilled | RequestStatus::PickupExpired
        ),
    };
    Decision {
        sent: told,
        fate: NoticeUpdate::Delete,
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

/// When the notice recurs: a period after it was due, or after now if that is past; never after `last`.
fn again(notice: &ScheduledNotice, now: Timestamp, last: Option<Timestamp>) -> NoticeUpdate {
    let Some(every) = notice.notice_config.recurring_period else {
        return NoticeUpdate::Delete;
    };
    let next = every.after(notice.next_run_time);
    let next = match next {
        Some(next) if next < now => every.after(now),
        next => next,
    };
    match next {
        Some(next) if last.is_none_or(|last| next <= last) => NoticeUpdate::Again(next),
        _ => NoticeUpdate::Delete,
    }
}
