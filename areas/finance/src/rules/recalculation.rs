//! A budget's sums, recalculated from its transactions.

use uuid::Uuid;

use crate::money::Amount;
use crate::records::{FundTransaction, Kind, Sums};

/// The sums of a fund's budget by the transactions of its fiscal year, in the order of their creation; each
/// rounded to the currency's places.
#[must_use]
pub fn sums(fund: Uuid, transactions: &[FundTransaction], places: u32) -> Sums {
    let mut sums = Sums::default();
    let mut has_initial = false;
    for one in transactions {
        let (to, from) = (one.to_fund_id == Some(fund), one.from_fund_id == Some(fund));
        let amount = one.amount;
        match one.kind {
            Kind::Allocation => {
                if to && one.from_fund_id.is_none() && !has_initial {
                    has_initial = true;
                    sums.initial_allocation = amount;
                } else if to {
                    sums.allocation_to += amount;
                }
                if from {
                    sums.allocation_from += amount;
                }
            }
            Kind::Transfer | Kind::RolloverTransfer => {
                if to {
                    sums.net_transfers += amount;
                }
                if from {
                    sums.net_transfers -= amount;
                }
            }
            Kind::Encumbrance if from => sums.encumbered += amount,
            Kind::PendingPayment if from => sums.awaiting_payment += amount,
            Kind::Payment if from => sums.expenditures += amount,
            Kind::Credit if to => sums.credits += amount,
            Kind::Encumbrance | Kind::PendingPayment | Kind::Payment | Kind::Credit => {}
        }
    }
    let rounded = |amount: Amount| amount.half_even(places);
    Sums::from_array(sums.to_array().map(rounded))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::Source;

    #[test]
    fn the_first_allocation_from_nowhere_is_the_initial_one() {
        let (fund, other, year) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3));
        let one = |kind, cents, to: Option<Uuid>, from: Option<Uuid>| {
            let amount = Amount::cents(cents);
            let mut made = FundTransaction::new(kind, Source::User, year, amount, "USD");
            (made.to_fund_id, made.from_fund_id) = (to, from);
            made
        };
        let transactions = [
            one(Kind::Allocation, 3_000, Some(fund), Some(other)),
            one(Kind::Allocation, 10_000, Some(fund), None),
            one(Kind::Allocation, 2_500, Some(fund), None),
            one(Kind::Allocation, 700, Some(other), Some(fund)),
            one(Kind::Transfer, 100, Some(other), Some(fund)),
            one(Kind::RolloverTransfer, -50, Some(fund), None),
            one(Kind::Encumbrance, 400, None, Some(fund)),
            one(Kind::PendingPayment, -40, None, Some(fund)),
            one(Kind::Payment, 150, None, Some(fund)),
            one(Kind::Credit, 40, Some(fund), None),
        ];
        let cents = |amount| Amount::cents(amount);
        assert_eq!(
            sums(fund, &transactions, 2),
            Sums::from_array([10_000, 5_500, 700, -150, 400, -40, 150, 40].map(cents))
        );
        assert_eq!(sums(fund, &[], 2), Sums::default());
    }
}
