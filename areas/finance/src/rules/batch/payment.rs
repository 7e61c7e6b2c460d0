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

/// What awaited payment is paid, or credited.
pub(super) fn pay(working: &mut Working, one: &FundTransaction) {
    let (year, amount) = (one.fiscal_year_id, one.amount);
    let is_credit = one.kind == Kind::Credit;
    if is_credit {
        working.on_budget(one.to_fund_id, year, |sums| {
            sums.credits += amount;
            sums.awaiting_payment += amount;
        });
    } else {
        working.on_budget(one.from_fund_id, year, |sums| {
            sums.expenditures += amount;
            sums.awaiting_payment -= amount;
        });
    }
    let Some(id) = one.payment_encumbrance_id else {
        return;
    };
    working.on_encumbrance(id, |record| {
        let Some(encumbrance) = record.encumbrance.as_mut() else {
            return;
        };
        if is_credit {
            encumbrance.amount_credited += amount;
            encumbrance.amount_awaiting_payment += amount;
        } else {
            encumbrance.amount_expended += amount;
            encumbrance.amount_awaiting_payment -= amount;
        }
    });
}
