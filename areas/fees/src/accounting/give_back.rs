//! Reverses a charge whose reason no longer exists: payments and transfers are refunded, and the
//! remaining debt is cancelled.

use super::refund::{RefundableAmounts, refund_one};
use super::{Account, ActRequest, Action, Changed, Money, NewAction, Plan};

/// Why charges are reversed, in FOLIO's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GiveBack<'a> {
    /// The payment status of the cancelled account: `Cancelled item returned` and the like.
    pub cancelled_as: &'a str,
    /// The reason of a refund: `Lost item found`.
    pub refund_reason: &'a str,
}

/// Reverses an account with this history. An account without a remaining debt and without unrefunded
/// payments or transfers stays as it is; waivers stay.
#[must_use]
pub fn give_back(account: &Account, history: &[Action], why: GiveBack<'_>) -> Plan {
    let mut plan = Plan::default();
    let given = RefundableAmounts::to(account.id, history);
    let left = given.left();
    if left.is_positive() {
        let request = ActRequest {
            payment_method: Some(why.refund_reason.to_owned()),
            notify_patron: true,
            ..ActRequest::default()
        };
        refund_one(account, &given, left, &request, &mut plan);
    }
    let refunded = plan.changed.pop();
    let remaining = refunded
        .as_ref()
        .map_or(account.remaining, |one| one.remaining);
    if !remaining.is_positive() {
        plan.changed.extend(refunded);
        return plan;
    }
    plan.actions.push(NewAction {
        account_id: account.id,
        user_id: account.user_id,
        name: why.cancelled_as.to_owned(),
        amount: account.amount,
        balance: Money::ZERO,
        information: None,
        method: None,
        notify: None,
    });
    plan.changed.push(Changed {
        remaining: Money::ZERO,
        payment_status: why.cancelled_as.to_owned(),
        closed: true,
        ..Changed::from(account)
    });
    plan
}

#[cfg(test)]
mod tests {
    use octavo_library::AccountId;

    use super::*;

    const WHY: GiveBack<'static> = GiveBack {
        cancelled_as: "Cancelled item returned",
        refund_reason: "Lost item found",
    };

    fn account(amount: i64, remaining: i64) -> Account {
        Account {
            id: AccountId::from_u128(1),
            user_id: None,
            loan_id: None,
            amount: Money::cents(amount),
            remaining: Money::cents(remaining),
            closed: remaining == 0,
        }
    }

    fn past(name: &str, cents: i64, whom: &str) -> Action {
        Action {
            account_id: AccountId::from_u128(1),
            name: name.to_owned(),
            amount: Money::cents(cents),
            method: Some(whom.to_owned()),
            information: Some(whom.to_owned()),
        }
    }

    fn described(account: &Account, history: &[Action]) -> Vec<String> {
        let plan = give_back(account, history, WHY);
        let actions = plan.actions.iter().map(|one| {
            let information = one.information.as_deref().unwrap_or("-");
            let method = one.method.as_deref().unwrap_or("-");
            let (name, amount, balance) = (&one.name, one.amount, one.balance);
            format!("{name} {amount} -> {balance} ({information}, {method})")
        });
        let changed = plan.changed.iter().map(|one| {
            let (remaining, status) = (one.remaining, &one.payment_status);
            format!("{remaining} {status} {}", one.closed)
        });
        actions.chain(changed).collect()
    }

    const CANCELLED: &str = "Cancelled item returned 10.00 -> 0.00 (-, -)";
    const CLOSED: &str = "0.00 Cancelled item returned true";

    #[test]
    fn what_nobody_paid_is_cancelled() {
        assert_eq!(described(&account(1000, 1000), &[]), [CANCELLED, CLOSED]);
        let waived = [past("Waived partially", 400, "Mercy")];
        assert_eq!(described(&account(1000, 600), &waived), [CANCELLED, CLOSED]);
    }

    #[test]
    fn what_was_paid_and_transferred_is_refunded_first() {
        let history = [
            past("Paid partially", 300, "Cash"),
            past("Transferred partially", 200, "Bursar"),
        ];
        let expected = [
            "Credited fully 3.00 -> 5.00 (Refund to patron, Lost item found)",
            "Credited fully 2.00 -> 5.00 (Refund to Bursar, Lost item found)",
            "Refunded fully 3.00 -> 8.00 (Refunded to patron, Lost item found)",
            "Refunded fully 2.00 -> 10.00 (Refunded to Bursar, Lost item found)",
            CANCELLED,
            CLOSED,
        ];
        assert_eq!(described(&account(1000, 500), &history), expected);
        let paid = [past("Paid fully", 1000, "Cash")];
        let expected = [
            "Credited fully 10.00 -> 0.00 (Refund to patron, Lost item found)",
            "Refunded fully 10.00 -> 10.00 (Refunded to patron, Lost item found)",
            CANCELLED,
            CLOSED,
        ];
        assert_eq!(described(&account(1000, 0), &paid), expected);
    }

    #[test]
    fn nothing_is_given_back_twice_and_what_was_waived_is_not_given() {
        let mut history = vec![
            past("Paid fully", 1000, "Cash"),
            past("Refunded partially", 400, "Refunded to patron"),
        ];
        let again = described(&account(1000, 400), &history);
        assert_eq!(
            again[1],
            "Refunded partially 6.00 -> 10.00 (Refunded to patron, Lost item found)"
        );
        history.push(past("Refunded partially", 600, "Refunded to patron"));
        assert_eq!(described(&account(1000, 0), &history), [""; 0]);
        assert_eq!(
            described(&account(1000, 1000), &history),
            [CANCELLED, CLOSED]
        );
        let waived = [past("Waived fully", 1000, "Mercy")];
        assert_eq!(described(&account(1000, 0), &waived), [""; 0]);
    }
}
