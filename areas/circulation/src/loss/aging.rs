//! Aging overdue loans to lost.

use jiff::Timestamp;
use octavo_library::{ItemStatus, Loan, LoanAction};

use super::{Aged, Comment, LoanChange, LostItemPolicy, period};

/// The latest due date of loans that a policy may age to lost now; `None` if it ages none. With periods
/// in months some of them are not lost yet.
#[must_use]
pub fn due_before(policy: &LostItemPolicy, recalled: bool, now: Timestamp) -> Option<Timestamp> {
    period::long_ago(now, policy.ages_after(recalled)?)
}

/// Ages a loan; `None` if it is not to be aged, whatever the query found.
#[must_use]
pub fn age(loan: &Loan, policy: &LostItemPolicy, now: Timestamp) -> Option<LoanChange> {
    let status = loan.item_status?;
    if !loan.is_open() || status.is_lost_or_claimed_returned() {
        return None;
    }
    let recalled = loan.was_recalled();
    let lost_at = period::after(loan.due_date?, policy.ages_after(recalled)?)?;
    (lost_at <= now).then(|| LoanChange {
        action: Some(LoanAction::ItemAgedToLost),
        comment: Comment::Remove,
        item_status: Some(ItemStatus::AgedToLost),
        aged: Some(Aged {
            at: now,
            billed_at: policy.billed_at(recalled, now),
        }),
        ..LoanChange::default()
    })
}
