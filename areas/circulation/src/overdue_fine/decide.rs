//! Whether an overdue fine is charged, and its amount.

use octavo_fees::accounting::Money;
use octavo_library::ItemStatus;

use super::{Overdue, OverdueFinePolicy, overdue_minutes};
use crate::loan_policy::Period;
use crate::loss::{LostItemPolicy, is_unresolved};

/// The item's state before the return or renewal.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    pub item_status: ItemStatus,
    /// Found by the library: the claim that it was returned was right.
    pub found_by_library: bool,
    /// For a lost item, whether its fees are still refundable.
    pub gives_back: bool,
}

/// Whether a late loan is fined at all. With a lost item only if its lost item fee policy says so and
/// still refunds the fees for the loss.
#[must_use]
pub fn is_owed(before: Before, lost_item_policy: Option<&LostItemPolicy>) -> bool {
    if before.found_by_library {
        return false;
    }
    if !is_unresolved(before.item_status) {
        return true;
    }
    before.gives_back && lost_item_policy.is_some_and(LostItemPolicy::fines_what_returns)
}

/// The fine for a loan; `None` if it is not late, or free of charge.
#[must_use]
pub fn fine(policy: &OverdueFinePolicy, loan: Overdue<'_>) -> Option<Money> {
    let (quantity, interval, most) = policy.terms(loan.recalled)?;
    let overdue = overdue_minutes(loan);
    let without_grace = loan.recalled && policy.grace_period_recall;
    let grace = loan.grace.map_or(0, grace_minutes);
    // Beyond the grace period the whole time counts.
    if overdue <= 0 || (!without_grace && overdue <= grace) {
        return None;
    }
    let begun = overdue / interval.minutes() + i64::from(overdue % interval.minutes() > 0);
    let mut fine = quantity.times(begun);
    if most.is_positive() {
        fine = fine.min(most);
    }
    Some(fine.amount()).filter(|amount| amount.is_positive())
}

/// The length of a grace period, as FOLIO counts it.
fn grace_minutes(period: &Period) -> i64 {
    let duration = period.duration.unwrap_or(0);
    let minutes = match period.interval_id.as_deref() {
        Some("Months") => 44_640,
        Some("Weeks") => 10_080,
        Some("Days") => 1_440,
        Some("Hours") => 60,
        Some("Minutes") => 1,
        _ => 0,
    };
    duration.saturating_mul(minutes)
}
