//! A batch of transactions: what is refused, and what it does to budgets and encumbrances. All of it is
//! decided on locked rows that the caller has read.

mod apply;
mod books;
mod cancel;
mod check;
mod encumbrance;
mod payment;
mod refusal;

pub use apply::{Applied, apply};
pub use books::{Account, Books};
pub use check::{budget_keys, check_known, check_sent};
pub use refusal::{BatchRefusal, Limit};

use uuid::Uuid;

use crate::records::FundTransaction;

/// What a caller wants to be done with transactions, all or nothing.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    pub create: Vec<FundTransaction>,
    pub update: Vec<FundTransaction>,
    pub delete: Vec<Uuid>,
    /// Patches that a client sent: FOLIO refuses them.
    pub patches: usize,
}

impl Batch {
    /// Only new transactions.
    #[must_use]
    pub fn creating(create: Vec<FundTransaction>) -> Batch {
        Batch {
            create,
            ..Batch::default()
        }
    }

    /// Only changes of stored transactions.
    #[must_use]
    pub fn updating(update: Vec<FundTransaction>) -> Batch {
        Batch {
            update,
            ..Batch::default()
        }
    }

    /// Whether there is nothing in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.create.is_empty()
            && self.update.is_empty()
            && self.delete.is_empty()
            && self.patches == 0
    }

    /// The transactions to be stored.
    pub fn sent(&self) -> impl Iterator<Item = &FundTransaction> {
        self.create.iter().chain(&self.update)
    }
}

#[cfg(test)]
mod tests;
