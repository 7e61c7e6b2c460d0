//! Cancelling accounts that were charged by mistake.

use super::{Account, ActRequest, CANCELLED_AS_ERROR, Changed, Money, NewAction, Plan, Refusal};

/// The payment statuses of cancelled accounts.
const REASONS: [&str; 4] = [
    CANCELLED_AS_ERROR,
    "Cancelled item returned",
    "Cancelled item renewed",
    "Cancelled item declared lost",
];

/// Cancels accounts, whatever amount remains.
///
/// # Errors
/// When one is closed already, or the reason is not known.
pub fn cancel(accounts: &[Account], request: &ActRequest) -> Result<Plan, Refusal> {
    if accounts.iter().any(|account| account.closed) {
        return Err(Refusal::Closed);
    }
    let sent = request.cancellation_reason.as_deref();
    let reason = sent.unwrap_or(CANCELLED_AS_ERROR);
    if !REASONS.contains(&reason) {
        return Err(Refusal::UnknownReason(reason.chars().take(100).collect()));
    }
    let actions = accounts.iter().map(|account| NewAction {
        account_id: account.id,
        user_id: account.user_id,
        name: reason.to_owned(),
        amount: account.amount,
        balance: Money::ZERO,
        information: None,
        method: None,
        notify: None,
    });
    let changed = accounts.iter().map(|account| Changed {
        remaining: Money::ZERO,
        payment_status: reason.to_owned(),
        closed: true,
        ..Changed::from(account)
    });
    Ok(Plan {
        requested: None,
        actions: actions.collect(),
        changed: changed.collect(),
    })
}
