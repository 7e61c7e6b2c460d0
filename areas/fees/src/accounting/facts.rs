//! The facts of a decision: accounts and their history.

use octavo_library::{AccountId, AccountStatus, LoanId, UserId, id_in};
use serde_json::{Map, Value};

use super::{ActionKind, Money};

/// The current state of an account.
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
    /// FOLIO's name of the action.
    pub name: String,
    /// How much.
    pub amount: Money,
    /// The payment method, the reason, or the account that a debt was transferred to.
    pub method: Option<String>,
    /// Its additional information; for a refund, the recipient.
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

    /// Whether only a refund is possible.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.closed && self.remaining.is_zero()
    }
}

impl Action {
    /// Whether it is of this kind.
    #[must_use]
    pub fn is(&self, kind: ActionKind) -> bool {
        kind.is(&self.name)
    }
}
