//! Billing loans that have aged to lost, after the policy's delay.

use jiff::Timestamp;
use octavo_library::{ItemStatus, wire_time};
use serde_json::{Map, Value};

use super::{Comment, LoanChange, LostItemPolicy};

/// The decision on a due loan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Billing {
    /// Nothing is charged: the loan ends.
    Close(LoanChange),
    /// Fees are charged; the loan stays open until they are settled.
    Charge(LoanChange),
    /// There is no fee owner; retried by the next run.
    NoOwner,
    /// There is no record of a fee type; retried by the next run. Staff can determine the actual cost
    /// meanwhile.
    NoFeeType,
}

/// Decides on a due loan.
#[must_use]
pub fn bill(
    policy: &LostItemPolicy,
    has_owner: bool,
    has_fee_type: &dyn Fn(&str) -> bool,
    now: Timestamp,
) -> Billing {
    let charges = policy.charges_the_item() || policy.aged_to_lost_processing_fee().is_some();
    let wanted = policy.fee_types_when_aged_to_lost();
    let typed = wanted.iter().all(|name| has_fee_type(name));
    match (charges, has_owner) {
        (false, _) => Billing::Close(LoanChange {
            billed: true,
            ..LoanChange::lost_and_paid(now)
        }),
        (true, false) => Billing::NoOwner,
        (true, true) if !typed => Billing::NoFeeType,
        // FOLIO blanks the action, so that the history does not show the aging twice.
        (true, true) => Billing::Charge(LoanChange {
            action: None,
            comment: Comment::Keep,
            billed: true,
            ..LoanChange::default()
        }),
    }
}

/// When a loan aged to lost, if it waits for being billed and the time has come.
#[must_use]
pub fn due(loan: &Map<String, Value>, now: Timestamp) -> Option<Timestamp> {
    let billing = loan.get("agedToLostDelayedBilling")?;
    let waits = billing.get("lostItemHasBeenBilled")? == &Value::Bool(false);
    let aged = loan.get("itemStatus")? == ItemStatus::AgedToLost.name();
    let date = |name: &str| billing.get(name)?.as_str().and_then(wire_time::parse);
    let due = date("dateLostItemShouldBeBilled")? <= now;
    (waits && aged && due).then(|| date("agedToLostDate").unwrap_or(now))
}
