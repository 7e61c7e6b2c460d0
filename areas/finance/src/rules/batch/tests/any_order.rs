//! Whatever is done in whatever order, the sums of a budget are those of its transactions.

use proptest::prelude::*;

use super::*;
use crate::rules::recalculation::sums;

impl Office {
    fn of_kind(&self, kind: Kind, at: usize) -> Option<FundTransaction> {
        let mut found: Vec<&FundTransaction> = self
            .stored
            .values()
            .filter(|one| one.kind == kind)
            .collect();
        found.sort_by_key(|one| one.id);
        let at = at.checked_rem(found.len())?;
        found.get(at).map(|one| (*one).clone())
    }

    /// Does what the numbers say, if there is something to do it with.
    fn step(&mut self, what: u8, at: usize, cents: i64) {
        let value = Amount::cents(cents).to_string();
        match what {
            0 => {
                self.create(encumbrance(&value));
            }
            1 | 2 => {
                let on = self.of_kind(Kind::Encumbrance, at).map(|one| one.id);
                let mut one = pending(&value, on, what == 2);
                // Each has an invoice of its own, so that each is paid alone.
                one.source_invoice_id = Some(one.id);
                self.create(one);
            }
            3 => {
                // One that is void too: its invoice was cancelled, and approved again.
                if let Some(one) = self.of_kind(Kind::PendingPayment, at) {
                    let owed = one.voided_amount.unwrap_or(one.amount);
                    let kind = match owed.is_negative() {
                        true => Kind::Credit,
                        false => Kind::Payment,
                    };
                    let amount = owed.abs().to_string();
                    let mut paid = paid(kind, &amount, one.linked_encumbrance());
                    paid.source_invoice_id = one.source_invoice_id;
                    self.create(paid);
                }
            }
            4..=6 => {
                let kinds = [Kind::PendingPayment, Kind::Payment, Kind::Credit];
                if let Some(one) = self.of_kind(kinds[usize::from(what - 4)], at) {
                    self.cancel(one.id);
                }
            }
            7 | 8 => {
                if let Some(one) = self.of_kind(Kind::Encumbrance, at) {
                    let status = match what {
                        7 => EncumbranceStatus::Released,
                        _ => EncumbranceStatus::Unreleased,
                    };
                    self.status(one.id, status);
                }
            }
            // A released one that is sent with an amount is stored so, and its budget left alone.
            _ => {
                if let Some(one) = self.of_kind(Kind::Encumbrance, at)
                    && one.encumbrance.as_ref().map(|it| it.status)
                        == Some(EncumbranceStatus::Unreleased)
                {
                    self.price(one.id, &Amount::cents(cents.abs()).to_string());
                }
            }
        }
    }
}

proptest! {
    #[test]
    fn the_sums_are_those_of_the_transactions(
        steps in proptest::collection::vec((0_u8..10, 0_usize..8, -2_000_i64..20_000), 1..40),
    ) {
        let mut office = Office::new(&[(HIST, "HIST")]);
        office.create(allocation("1000", None, Some(HIST)));
        for (what, at, cents) in steps {
            office.step(what, at, cents);
            let all: Vec<FundTransaction> = office.stored.values().cloned().collect();
            prop_assert_eq!(sums(HIST, &all, 2), office.accounts[&HIST].budget.sums);
        }
    }
}
