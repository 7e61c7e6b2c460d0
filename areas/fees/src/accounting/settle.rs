//! Payments, waivers and transfers, which reduce the remaining amount.

use super::{Account, ActRequest, ActionKind, Changed, Money, NewAction, Plan, Refusal, spread};

/// Checks whether accounts can be settled by an amount; returns the parsed amount, and what would remain
/// in total.
pub fn check(accounts: &[Account], raw_amount: &str) -> Result<(Money, Money), Refusal> {
    let amount = positive(raw_amount)?;
    if accounts.iter().any(Account::is_settled) {
        return Err(Refusal::Closed);
    }
    let remaining: Money = accounts.iter().map(|account| account.remaining).sum();
    if amount > remaining {
        return Err(Refusal::MoreThanRemains);
    }
    Ok((amount, remaining - amount))
}

/// A positive amount.
pub(super) fn positive(raw_amount: &str) -> Result<Money, Refusal> {
    let amount = Money::parse(raw_amount).ok_or(Refusal::NoAmount)?;
    match amount.is_positive() {
        true => Ok(amount),
        false => Err(Refusal::NotPositive),
    }
}

/// Pays, waives or transfers: the amount is allocated to the accounts. An account that gets nothing of
/// it does not change.
pub fn settle(
    kind: ActionKind,
    accounts: &[Account],
    request: &ActRequest,
) -> Result<Plan, Refusal> {
    let (amount, _) = check(accounts, request.raw_amount())?;
    let rooms: Vec<Money> = accounts.iter().map(|account| account.remaining).collect();
    let shares = spread(amount, &rooms);
    let mut plan = Plan {
        requested: Some(amount),
        ..Plan::default()
    };
    for (account, share) in accounts.iter().zip(shares) {
        if share.is_zero() {
            continue;
        }
        let remaining = account.remaining - share;
        let name = kind.name(remaining.is_zero());
        plan.actions.push(NewAction {
            account_id: account.id,
            user_id: account.user_id,
            name: name.to_owned(),
            amount: share,
            balance: remaining,
            information: request.transaction_info.clone(),
            method: request.payment_method.clone(),
            notify: Some(request.notify_patron),
        });
        plan.changed.push(Changed {
            remaining,
            payment_status: name.to_owned(),
            closed: account.closed || remaining.is_zero(),
            ..Changed::from(account)
        });
    }
    Ok(plan)
}
