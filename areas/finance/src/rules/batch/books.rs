//! The books of a batch: its budgets and transactions as they are after each step.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use uuid::Uuid;

use crate::money::Amount;
use crate::records::{Budget, EncumbranceStatus, FundTransaction, Sums};

/// A budget with what its fund and ledger say about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    pub budget: Budget,
    pub fund_code: String,
    /// Whether the ledger restricts encumbrances.
    pub restrict_encumbrance: bool,
    /// Whether the ledger restricts expenditures.
    pub restrict_expenditures: bool,
}

/// The locked rows that a batch concerns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Books {
    /// By fund and fiscal year.
    pub accounts: BTreeMap<(Uuid, Uuid), Account>,
    /// The stored transactions that are updated or deleted, and linked encumbrances.
    pub stored: HashMap<Uuid, FundTransaction>,
    /// The stored pending payments of the invoices that are paid.
    pub pending_payments: Vec<FundTransaction>,
    /// Ids of transactions to create that exist already.
    pub taken: Vec<Uuid>,
}

/// The books at work.
#[derive(Debug)]
pub(super) struct Working {
    pub accounts: BTreeMap<(Uuid, Uuid), Account>,
    /// Budgets whose sums changed.
    pub changed_accounts: BTreeSet<(Uuid, Uuid)>,
    /// Transactions by id: stored ones, and those to create.
    pub records: HashMap<Uuid, FundTransaction>,
    /// Stored transactions that changed.
    pub changed: BTreeSet<Uuid>,
    pub created: BTreeSet<Uuid>,
}

impl Working {
    /// Changes the sums of a fund's budget. Checks made before have found the budget.
    pub fn on_budget(
        &mut self,
        fund_id: Option<Uuid>,
        fiscal_year_id: Uuid,
        change: impl FnOnce(&mut Sums),
    ) {
        let Some(fund_id) = fund_id else { return };
        let key = (fund_id, fiscal_year_id);
        if let Some(account) = self.accounts.get_mut(&key) {
            change(&mut account.budget.sums);
            self.changed_accounts.insert(key);
        }
    }

    /// Changes an encumbrance; its budget follows its amount.
    pub fn on_encumbrance(&mut self, id: Uuid, change: impl FnOnce(&mut FundTransaction)) {
        let Some(record) = self.records.get_mut(&id) else {
            return;
        };
        let before = record.amount;
        change(record);
        let (difference, fund_id) = (record.amount - before, record.from_fund_id);
        let year = record.fiscal_year_id;
        if !self.created.contains(&id) {
            self.changed.insert(id);
        }
        self.on_budget(fund_id, year, |sums| sums.encumbered += difference);
    }

    /// Stores an updated transaction.
    pub fn put(&mut self, transaction: FundTransaction) {
        self.changed.insert(transaction.id);
        self.records.insert(transaction.id, transaction);
    }
}

/// Releases an encumbrance: nothing of it is committed any more.
pub(super) fn release(record: &mut FundTransaction) {
    if let Some(encumbrance) = record.encumbrance.as_mut() {
        encumbrance.status = EncumbranceStatus::Released;
        record.amount = Amount::ZERO;
    }
}
