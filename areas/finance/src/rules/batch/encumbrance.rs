//! Changes of an encumbrance itself: its amount and its status.

use super::books::Working;
use crate::money::Amount;
use crate::records::EncumbranceStatus::{Pending, Released, Unreleased};
use crate::records::FundTransaction;

/// Updates a stored encumbrance by what was sent.
pub(super) fn update(working: &mut Working, stored: &FundTransaction, mut sent: FundTransaction) {
    let (Some(old), Some(new)) = (stored.encumbrance.as_ref(), sent.encumbrance.as_mut()) else {
        working.put(sent);
        return;
    };
    let counts = match (old.status, new.status) {
        (Released, Released) => false,
        (_, Released) => {
            sent.amount = Amount::ZERO;
            true
        }
        (Released, Unreleased) => {
            // Neither limited to zero nor to the initial amount, as in FOLIO.
            sent.amount = new.left();
            true
        }
        (Pending, Unreleased) => {
            new.amount_awaiting_payment = old.amount_awaiting_payment;
            new.amount_expended = old.amount_expended;
            sent.amount = new.left();
            true
        }
        (Unreleased, Pending) => {
            sent.amount = Amount::ZERO;
            new.initial_amount_encumbered = Amount::ZERO;
            true
        }
        (Unreleased, Unreleased) | (Pending | Released, Pending) => true,
    };
    if counts {
        let (before, after) = (stored.amount, sent.amount);
        // The fund of an encumbrance does not change in FOLIO's clients; where it does, each budget keeps
        // what is its own.
        working.on_budget(stored.from_fund_id, stored.fiscal_year_id, |sums| {
            sums.encumbered -= before;
        });
        working.on_budget(sent.from_fund_id, sent.fiscal_year_id, |sums| {
            sums.encumbered += after;
        });
    }
    working.put(sent);
}
