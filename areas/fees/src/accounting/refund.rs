//! Refunds: payments are refunded to the patron first, then transfers to the account that they went to.
//! Each part is a credit followed by a refund, which reopens the account.

use octavo_library::AccountId;

use super::settle::positive;
use super::{
    Account, ActRequest, Action, ActionKind, Changed, Money, NewAction, Plan, Refusal, spread,
};

/// Whom payments are refunded to, as FOLIO writes it.
const PATRON: &str = "patron";
const REFUNDED_TO: &str = "Refunded to ";

/// Checks whether an amount can be refunded; returns the parsed amount, and what remains refundable.
pub fn refundable(history: &[Action], raw_amount: &str) -> Result<(Money, Money), Refusal> {
    let amount = positive(raw_amount)?;
    let given = sum(history, ActionKind::Pay) + sum(history, ActionKind::Transfer);
    let left = given - sum(history, ActionKind::Refund);
    if amount > left {
        return Err(Refusal::MoreThanRefundable);
    }
    Ok((amount, left - amount))
}

fn sum(history: &[Action], kind: ActionKind) -> Money {
    let of_deed = history.iter().filter(|action| action.is(kind));
    of_deed.map(|action| action.amount).sum()
}

/// Refunds accounts with this history: payments, transfers and refunds.
pub fn refund(
    accounts: &[Account],
    history: &[Action],
    request: &ActRequest,
) -> Result<Plan, Refusal> {
    let (amount, _) = refundable(history, request.raw_amount())?;
    let given: Vec<RefundableAmounts> = accounts
        .iter()
        .map(|account| RefundableAmounts::to(account.id, history))
        .collect();
    let rooms: Vec<Money> = given.iter().map(RefundableAmounts::left).collect();
    // An account with more refunds than payments makes the sum smaller than the room of the others.
    if rooms.iter().copied().sum::<Money>() < amount {
        return Err(Refusal::MoreThanRefundable);
    }
    let mut plan = Plan {
        requested: Some(amount),
        ..Plan::default()
    };
    for ((account, given), share) in accounts.iter().zip(&given).zip(spread(amount, &rooms)) {
        refund_one(account, given, share, request, &mut plan);
    }
    Ok(plan)
}

/// Payments and transfers of an account, and their unrefunded parts.
pub(super) struct RefundableAmounts {
    paid: Part,
    transferred: Vec<Part>,
}

/// The payments or transfers from one side.
struct Part {
    from: String,
    given: Money,
    left: Money,
}

impl RefundableAmounts {
    pub(super) fn to(account_id: AccountId, history: &[Action]) -> RefundableAmounts {
        let mut paid = Part::from(PATRON);
        let mut transferred: Vec<Part> = Vec::new();
        let own = || history.iter().filter(|one| one.account_id == account_id);
        for action in own() {
            if action.is(ActionKind::Pay) {
                paid.add(action.amount);
            } else if action.is(ActionKind::Transfer) {
                let name = action.method.as_deref().unwrap_or_default();
                let known = transferred.iter().position(|part| part.from == name);
                let at = known.unwrap_or_else(|| {
                    transferred.push(Part::from(name));
                    transferred.len() - 1
                });
                transferred[at].add(action.amount);
            }
        }
        let mut given = RefundableAmounts { paid, transferred };
        for action in own().filter(|action| action.is(ActionKind::Refund)) {
            given.take_back(action);
        }
        given
    }

    /// Subtracts an earlier refund from the side that it names, and the excess from the others.
    fn take_back(&mut self, refund: &Action) {
        let text = refund.information.as_deref().unwrap_or_default();
        let whom = text.strip_prefix(REFUNDED_TO);
        let mut parts: Vec<&mut Part> = Vec::with_capacity(1 + self.transferred.len());
        parts.push(&mut self.paid);
        parts.extend(&mut self.transferred);
        parts.sort_by_key(|part| Some(part.from.as_str()) != whom);
        let mut amount = refund.amount;
        for part in parts {
            let taken = amount.min(part.left);
            part.left = part.left - taken;
            amount = amount - taken;
        }
    }

    pub(super) fn left(&self) -> Money {
        let transferred = self.transferred.iter().map(|part| part.left);
        self.paid.left + transferred.sum()
    }
}

impl Part {
    fn from(name: &str) -> Part {
        Part {
            from: name.to_owned(),
            given: Money::ZERO,
            left: Money::ZERO,
        }
    }

    fn add(&mut self, amount: Money) {
        self.given += amount;
        self.left += amount;
    }
}

pub(super) fn refund_one(
    account: &Account,
    given: &RefundableAmounts,
    amount: Money,
    request: &ActRequest,
    plan: &mut Plan,
) {
    let of_payments = amount.min(given.paid.left);
    let of_transfers = amount - of_payments;
    let rooms: Vec<Money> = given.transferred.iter().map(|part| part.left).collect();
    let shares = spread(of_transfers, &rooms);
    // FOLIO calls a refund full when it refunds everything that ever came from that side at once.
    let transferred: Money = given.transferred.iter().map(|part| part.given).sum();
    let mut parts = vec![(PATRON, of_payments, of_payments == given.paid.given)];
    let fully = of_transfers == transferred;
    let names = given.transferred.iter().map(|part| part.from.as_str());
    parts.extend(names.zip(shares).map(|(name, share)| (name, share, fully)));
    parts.retain(|(_, share, _)| share.is_positive());
    let mut changed = Changed::from(account);
    for (kind, verb) in [
        (ActionKind::Credit, "Refund to "),
        (ActionKind::Refund, REFUNDED_TO),
    ] {
        for (whom, share, fully) in &parts {
            if kind == ActionKind::Refund {
                changed.remaining += *share;
            }
            let name = kind.name(*fully);
            name.clone_into(&mut changed.payment_status);
            plan.actions.push(NewAction {
                account_id: account.id,
                user_id: account.user_id,
                name: name.to_owned(),
                amount: *share,
                balance: changed.remaining,
                information: Some(format!("{verb}{whom}")),
                method: request.payment_method.clone(),
                notify: Some(request.notify_patron),
            });
        }
    }
    if !parts.is_empty() {
        changed.closed = false;
        plan.changed.push(changed);
    }
}
