//! The new amounts of the encumbrances of one order line.

use rust_decimal::Decimal;

use super::settings::{BasedOn, RolledOrderType, Rollover};
use crate::money::Amount;
use crate::records::{EncumbranceStatus, FundTransaction};

/// What an encumbrance becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Its amount and initial amount.
    pub amount: Amount,
    pub status: EncumbranceStatus,
}

/// The shares of a line's encumbrances, which are in the order of their creation. Amounts are rounded to the
/// currency's places, halves away from zero; the rest goes to the last one, or comes off the first.
#[must_use]
pub fn shares(line: &[FundTransaction], rollover: &Rollover, places: u32) -> Vec<Share> {
    let nothing = |status| Share {
        amount: Amount::ZERO,
        status,
    };
    let of = |one: &FundTransaction| one.encumbrance.clone();
    let Some(first) = line.first().and_then(of) else {
        return Vec::new();
    };
    let all = |status| line.iter().map(|_| nothing(status)).collect();
    if !first.re_encumber || rollover.encumbrances_rollover.is_empty() {
        return all(EncumbranceStatus::Released);
    }
    let kind = RolledOrderType::of(&first);
    let Some(setting) = rollover.encumbrance_setting(kind) else {
        return all(EncumbranceStatus::Unreleased);
    };
    let initials: Vec<Amount> = line
        .iter()
        .map(|one| of(one).map_or(Amount::ZERO, |one| one.initial_amount_encumbered))
        .collect();
    let sum: Amount = initials.iter().copied().sum();
    if sum.is_zero() {
        return all(EncumbranceStatus::Unreleased);
    }
    let base: Amount = match setting.based_on {
        BasedOn::InitialAmount => sum,
        BasedOn::Remaining => line.iter().map(|one| one.amount).sum(),
        BasedOn::Expended => line
            .iter()
            .filter_map(of)
            .map(|one| one.amount_expended - one.amount_credited)
            .sum(),
    };
    let total = base + base.percent(setting.increase_by);
    let share = |initial: Amount| {
        let product = total.decimal().checked_mul(initial.decimal());
        let share = product.and_then(|product| product.checked_div(sum.decimal()));
        Amount::new(share.unwrap_or(Decimal::ZERO)).half_up(places)
    };
    let mut amounts: Vec<Amount> = initials.into_iter().map(share).collect();
    let rest = total.half_up(places) - amounts.iter().copied().sum();
    let receiver = match rest.is_negative() {
        true => amounts.first_mut(),
        false => amounts.last_mut(),
    };
    if let Some(receiver) = receiver {
        *receiver += rest;
    }
    let share = |amount| Share {
        amount,
        status: EncumbranceStatus::Unreleased,
    };
    amounts.into_iter().map(share).collect()
}
