//! The stored sums of a budget, and what is computed from them whenever it is written.

use serde_json::{Map, Value};

use crate::money::Amount;

/// What transactions have moved on a budget; also the same of several budgets together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sums {
    pub initial_allocation: Amount,
    pub allocation_to: Amount,
    pub allocation_from: Amount,
    pub net_transfers: Amount,
    pub encumbered: Amount,
    pub awaiting_payment: Amount,
    pub expenditures: Amount,
    pub credits: Amount,
}

/// The computed amounts of a budget, ledger, group or fiscal year.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Computed {
    pub allocated: Amount,
    pub total_funding: Amount,
    pub unavailable: Amount,
    pub available: Amount,
    pub cash_balance: Amount,
    pub over_expended: Amount,
    pub over_encumbrance: Amount,
}

impl Sums {
    /// The stored names, in one order everywhere.
    pub const NAMES: [&str; 8] = [
        "initialAllocation",
        "allocationTo",
        "allocationFrom",
        "netTransfers",
        "encumbered",
        "awaitingPayment",
        "expenditures",
        "credits",
    ];

    /// Reads the sums of a stored document; missing ones are zero.
    #[must_use]
    pub fn read(document: &Map<String, Value>) -> Sums {
        let read = |name| Amount::of(document.get(name));
        Sums::from_array(Sums::NAMES.map(read))
    }

    /// From amounts in the order of [`Sums::NAMES`].
    #[must_use]
    pub fn from_array(amounts: [Amount; 8]) -> Sums {
        let [
            initial_allocation,
            allocation_to,
            allocation_from,
            net_transfers,
            encumbered,
            awaiting_payment,
            expenditures,
            credits,
        ] = amounts;
        Sums {
            initial_allocation,
            allocation_to,
            allocation_from,
            net_transfers,
            encumbered,
            awaiting_payment,
            expenditures,
            credits,
        }
    }

    /// The amounts in the order of [`Sums::NAMES`].
    #[must_use]
    pub fn to_array(self) -> [Amount; 8] {
        [
            self.initial_allocation,
            self.allocation_to,
            self.allocation_from,
            self.net_transfers,
            self.encumbered,
            self.awaiting_payment,
            self.expenditures,
            self.credits,
        ]
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Sums) -> Sums {
        let (mine, others) = (self.to_array(), other.to_array());
        Sums::from_array(std::array::from_fn(|at| mine[at] + others[at]))
    }

    /// What is committed and spent, less credits; negative when there are more credits.
    #[must_use]
    pub fn used(&self) -> Amount {
        self.encumbered + self.spent()
    }

    /// What is spent or will be, less credits; negative when there are more credits.
    #[must_use]
    pub fn spent(&self) -> Amount {
        self.awaiting_payment + self.expenditures - self.credits
    }

    #[must_use]
    pub fn computed(&self) -> Computed {
        let allocated = self.initial_allocation + self.allocation_to - self.allocation_from;
        let total_funding = allocated + self.net_transfers;
        let unavailable = self.used().or_zero();
        let over_expended = (self.spent() - total_funding.or_zero()).or_zero();
        Computed {
            allocated,
            total_funding,
            unavailable,
            available: total_funding - self.used(),
            cash_balance: total_funding - self.expenditures + self.credits,
            over_expended,
            over_encumbrance: (unavailable - total_funding.or_zero()).or_zero() - over_expended,
        }
    }

    /// Writes the sums and all that is computed from them into a document.
    pub fn write(&self, document: &mut Map<String, Value>) {
        for (name, amount) in Sums::NAMES.into_iter().zip(self.to_array()) {
            document.insert(name.to_owned(), amount.json());
        }
        self.computed().write(document);
    }
}

impl Computed {
    /// The names of computed amounts.
    pub const NAMES: [&str; 7] = [
        "allocated",
        "totalFunding",
        "unavailable",
        "available",
        "cashBalance",
        "overExpended",
        "overEncumbrance",
    ];

    /// Writes the amounts into a document.
    pub fn write(&self, document: &mut Map<String, Value>) {
        let amounts = [
            self.allocated,
            self.total_funding,
            self.unavailable,
            self.available,
            self.cash_balance,
            self.over_expended,
            self.over_encumbrance,
        ];
        for (name, amount) in Computed::NAMES.into_iter().zip(amounts) {
            document.insert(name.to_owned(), amount.json());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amount(text: &str) -> Amount {
        Amount::parse(text).expect("an amount")
    }

    #[test]
    fn computed_amounts_follow_from_the_sums() {
        // init to from net | enc await exp cred | allocated funding unavailable available cash
        // overExpended overEncumbrance
        for (sums, computed) in [
            ("1000 250 100 50 400 0 0 0", "1150 1200 400 800 1200 0 0"),
            (
                "1000 250 100 50 250 -40 150 0",
                "1150 1200 360 840 1050 0 0",
            ),
            (
                "1000 250 100 50 250 1300 150 40",
                "1150 1200 1660 -460 1090 210 250",
            ),
            ("800 120 20 -100 150 90 260 15", "900 800 485 315 555 0 0"),
            ("200 0 0 -50 60 40 130 0", "200 150 230 -80 20 20 60"),
            ("100 0 150 0 20 10 0 30", "-50 -50 0 -50 -20 0 0"),
            ("300 0 0 0 0 0 20 90", "300 300 0 370 370 0 0"),
            ("0 0 0 75 80 0 0 0", "0 75 80 -5 75 0 5"),
            ("50 0 0 0 0.01 0 50 0", "50 50 50.01 -0.01 0 0 0.01"),
        ] {
            let numbers: Vec<Amount> = sums.split(' ').map(amount).collect();
            let sums = Sums::from_array(std::array::from_fn(|at| numbers[at]));
            let mut document = Map::new();
            sums.write(&mut document);
            assert_eq!(Sums::read(&document), sums);
            let shown = Computed::NAMES.map(|name| Amount::of(document.get(name)).to_string());
            assert_eq!(shown.join(" "), computed, "{sums:?}");
        }
    }
}
