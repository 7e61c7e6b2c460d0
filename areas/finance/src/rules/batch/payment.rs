//! Pending payments, payments and credits, and what they do to the encumbrance that they are linked to.

use super::books::{Working, release};
use crate::money::Amount;
use crate::records::{EncumbranceStatus, FundTransaction, Kind};

/// A pending payment comes or changes by a difference, which is negative for credits.
pub(super) fn await_payment(working: &mut Working, one: &FundTransaction, difference: Amount) {
    working.on_budget(one.from_fund_id, one.fiscal_year_id, |sums| {
        sums.awaiting_payment += difference;
    });
    let Some(awaiting) = one.awaiting_payment else {
        return;
    };
    let Some(id) = awaiting.encumbrance_id else {
        return;
    };
    working.on_encumbrance(id, |record| {
        let Some(encumbrance) = record.encumbrance.as_mut() else {
            return;
        };
        encumbrance.amount_awaiting_payment += difference;
        let status = encumbrance.status;
        if status == EncumbranceStatus::Unreleased {
            // What is cut off at zero is not remembered, as in FOLIO.
            record.amount = match difference.is_zero() {
                true => record.amount,
                false => (record.amount - difference).or_zero(),
            };
        }
        if awaiting.release_encumbrance && status != EncumbranceStatus::Released {
            release(record);
        }
    });
}

/// An amount is paid, or credited. It leaves what awaits payment; where that was voided before, it comes from
/// its encumbrance as a pending payment does.
pub(super) fn pay(working: &mut Working, one: &FundTransaction, awaited: bool) {
    let (year, amount) = (one.fiscal_year_id, one.amount);
    let is_credit = one.kind == Kind::Credit;
    let (fund, spent) = match is_credit {
        true => (one.to_fund_id, -amount),
        false => (one.from_fund_id, amount),
    };
    let settled = match awaited {
        true => spent,
        false => Amount::ZERO,
    };
    working.on_budget(fund, year, |sums| {
        match is_credit {
            true => sums.credits += amount,
            false => sums.expenditures += amount,
        }
        sums.awaiting_payment -= settled;
    });
    let Some(id) = one.payment_encumbrance_id else {
        return;
    };
    working.on_encumbrance(id, |record| {
        let Some(encumbrance) = record.encumbrance.as_mut() else {
            return;
        };
        match is_credit {
            true => encumbrance.amount_credited += amount,
            false => encumbrance.amount_expended += amount,
        }
        encumbrance.amount_awaiting_payment -= settled;
        if !awaited && encumbrance.status == EncumbranceStatus::Unreleased {
            record.amount = (record.amount - spent).or_zero();
        }
    });
}
