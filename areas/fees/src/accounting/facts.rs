//! What a decision knows of an account and its history.

use octavo_library::{AccountId, AccountStatus, LoanId, UserId, id_in};
use serde_json::{Map, Value};

use super::{Deed, Money};

/// One account as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    pub id: AccountId,
    /// The patron.
    pub user_id: Option<UserId>,
    /// The loan that it is about.
    pub loan_id: Option<LoanId>,
    /// What was charged.
    pub amount: Money,
    /// What is still owed.
    pub remaining: Money,
    /// Whether its status is `Closed`.
    pub closed: bool,
}

/// One action of an account's history, as far as refunds depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub account_id: AccountId,
    /// FOLIO's name of what was done.
    pub name: String,
    /// How much.
    pub amount: Money,
    /// The way of payment, the reason, or the account that a debt was transferred to.
    pub method: Option<String>,
    /// What was noted beside it; of a refund, whom it went to.
    pub information: Option<String>,
}

impl Account {
    /// Reads a stored account.
    #[must_use]
    pub fn read(id: AccountId, document: &Map<String, Value>) -> Account {
        Account {
            id,
            user_id: id_in(document, "userId"),
            loan_id: id_in(document, "loanId"),
            amount: Money::of(document.get("amount")),
            remaining: Money::of(document.get("remaining")),
            closed: AccountStatus::of(document) == Some(AccountStatus::Closed),
        }
    }

    /// Whether nothing more can happen to it but a refund.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.closed && self.remaining.is_zero()
    }
}

impl Action {
    /// Whether it is one of these.
    #[must_use]
    pub fn is(&self, deed: Deed) -> bool {
        deed.is(&self.name)
    }
}
