//! The limits that a restricted ledger sets to its budgets.

use rust_decimal::Decimal;

use super::batch::{Account, BatchRefusal, Limit};
use crate::money::Amount;
use crate::records::Budget;

/// Checks a budget as a batch leaves it. Equality passes; a budget without an allowance has no limit.
///
/// # Errors
/// The first limit that is exceeded: that of expenditures, then that of encumbrances.
pub fn check(account: &Account) -> Result<(), BatchRefusal> {
    let budget = &account.budget;
    let sums = &budget.sums;
    let funding = sums.computed().total_funding;
    let exceeded = |allowable: Amount, used: Amount| {
        let remaining = funding.percent(allowable) - used.or_zero();
        let hundred = Decimal::ONE_HUNDRED;
        let limit = || Limit {
            fund_code: account.fund_code.clone(),
            budget_id: budget.id,
            remaining,
            allocated: sums.computed().allocated,
            net_transfers: sums.net_transfers,
            allowable: Amount::new(allowable.decimal() / hundred),
            encumbered: sums.encumbered,
            awaiting_payment: sums.awaiting_payment,
            credited: sums.credits,
            expended: sums.expenditures,
        };
        remaining.is_negative().then(|| Box::new(limit()))
    };
    if let (true, Some(allowable)) = (account.restrict_expenditures, budget.allowable_expenditure)
        && let Some(limit) = exceeded(allowable, sums.spent())
    {
        return Err(BatchRefusal::ExpenditureRestricted(limit));
    }
    if let (true, Some(allowable)) = (account.restrict_encumbrance, budget.allowable_encumbrance)
        && let Some(limit) = exceeded(allowable, sums.used())
    {
        return Err(BatchRefusal::EncumbranceRestricted(limit));
    }
    Ok(())
}

/// What may still be encumbered on a budget of a restricted ledger, as orders compute it: what is used more
/// than credited counts, and nothing else. `None` without a limit.
#[must_use]
pub fn encumbrance_room(account: &Account) -> Option<Amount> {
    let budget = &account.budget;
    let allowable = budget.allowable_encumbrance?;
    let computed = budget.sums.computed();
    account
        .restrict_encumbrance
        .then(|| computed.total_funding.percent(allowable) - computed.unavailable)
}

/// What may still be spent on a budget of a restricted ledger, as invoices compute it: credits may make it
/// more than the allowance. `None` without a limit.
#[must_use]
pub fn expenditure_room(account: &Account) -> Option<Amount> {
    let budget = &account.budget;
    let allowable = budget.allowable_expenditure?;
    let funding = budget.sums.computed().total_funding;
    account
        .restrict_expenditures
        .then(|| funding.percent(allowable) - budget.sums.spent())
}

/// Whether what a budget has used exceeds its own allowances for encumbrances and for expenditures, whatever
/// its ledger restricts.
#[must_use]
pub fn allowances_exceeded(budget: &Budget) -> (bool, bool) {
    let funding = budget.sums.computed().total_funding;
    let exceeds = |allowable: Option<Amount>, used: Amount| {
        allowable.is_some_and(|allowable| funding.percent(allowable) < used.or_zero())
    };
    (
        exceeds(budget.allowable_encumbrance, budget.sums.used()),
        exceeds(budget.allowable_expenditure, budget.sums.spent()),
    )
}
