//! Cancelled invoices: their transactions are void, and what they did is reversed.

use super::books::Working;
use crate::money::Amount;
use crate::records::{EncumbranceStatus, FundTransaction, Kind};

/// Voids a stored pending payment, payment or credit. Its encumbrance gets the amount back only while it is
/// unreleased; nothing is unreleased here.
pub(super) fn cancel(working: &mut Working, stored: &FundTransaction, mut sent: FundTransaction) {
    let (amount, year, kind) = (stored.amount, stored.fiscal_year_id, stored.kind);
    let fund = match kind {
        Kind::Credit => stored.to_fund_id,
        _ => stored.from_fund_id,
    };
    working.on_budget(fund, year, |sums| match kind {
        Kind::Payment => sums.expenditures -= amount,
        Kind::Credit => sums.credits -= amount,
        _ => sums.awaiting_payment -= amount,
    });
    if let Some(id) = sent.linked_encumbrance() {
        working.on_encumbrance(id, |record| {
            let Some(encumbrance) = record.encumbrance.as_mut() else {
                return;
            };
            let back = match kind {
                Kind::Payment => {
                    encumbrance.amount_expended -= amount;
                    amount
                }
                Kind::Credit => {
                    encumbrance.amount_credited -= amount;
                    -amount
                }
                _ => {
                    encumbrance.amount_awaiting_payment -= amount;
                    amount
                }
            };
            if encumbrance.status == EncumbranceStatus::Unreleased {
                record.amount += back;
            }
        });
    }
    sent.voided_amount = Some(amount);
    sent.amount = Amount::ZERO;
    working.put(sent);
}
