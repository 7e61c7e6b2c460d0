//! What a decision knows of an account and its history.

use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Deed, Money};

/// One account as it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Its id.
    pub id: Uuid,
    /// The patron.
    pub user_id: Option<Uuid>,
    /// The loan that it is about.
    pub loan_id: Option<Uuid>,
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
    /// The account.
    pub account_id: Uuid,
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
    pub fn read(id: Uuid, document: &Map<String, Value>) -> Account {
        let uuid = |name: &str| {
            let text = document.get(name).and_then(Value::as_str);
            text.and_then(|text| Uuid::try_parse(text).ok())
        };
        let status = document.get("status").and_then(|status| status.get("name"));
        Account {
            id,
            user_id: uuid("userId"),
            loan_id: uuid("loanId"),
            amount: Money::of(document.get("amount")),
            remaining: Money::of(document.get("remaining")),
            closed: status
                .and_then(Value::as_str)
                .is_some_and(|name| name.eq_ignore_ascii_case("Closed")),
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
