//! The plan of an operation: the actions to write, and the new state of the accounts.

use octavo_library::{AccountId, AccountStatus, FeeFineActionId, UserId};
use serde_json::{Map, Value, json};

use super::{Account, ActRequest, Money};

/// The result of a decision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// The requested amount; none for a cancellation.
    pub requested: Option<Money>,
    /// The actions, in the order of the response.
    pub actions: Vec<NewAction>,
    /// The accounts that change, each once.
    pub changed: Vec<Changed>,
}

/// An action to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAction {
    pub account_id: AccountId,
    /// The patron.
    pub user_id: Option<UserId>,
    /// FOLIO's name of the action.
    pub name: String,
    /// How much.
    pub amount: Money,
    /// The remaining amount afterwards.
    pub balance: Money,
    /// Its additional information.
    pub information: Option<String>,
    /// The payment method, the reason or the other account.
    pub method: Option<String>,
    /// Whether the patron is to be notified; absent for a cancellation.
    pub notify: Option<bool>,
}

/// The new state of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub id: AccountId,
    /// The remaining amount.
    pub remaining: Money,
    /// The name of its payment status.
    pub payment_status: String,
    /// Whether it is closed now.
    pub closed: bool,
}

impl Changed {
    /// An account as it was.
    #[must_use]
    pub fn from(account: &Account) -> Changed {
        Changed {
            id: account.id,
            remaining: account.remaining,
            payment_status: String::new(),
            closed: account.closed,
        }
    }

    /// Applies the change to the stored document.
    pub fn apply_to(&self, document: &mut Map<String, Value>) {
        let status = match self.closed {
            true => AccountStatus::Closed,
            false => AccountStatus::Open,
        };
        document.insert("remaining".to_owned(), self.remaining.json());
        for (property, name) in [
            ("status", status.name()),
            ("paymentStatus", &self.payment_status),
        ] {
            match document.get_mut(property) {
                Some(Value::Object(object)) => {
                    object.insert("name".to_owned(), json!(name));
                }
                _ => {
                    document.insert(property.to_owned(), json!({"name": name}));
                }
            }
        }
    }
}

impl NewAction {
    /// The record of the action. `at` is the instant as it is stored.
    #[must_use]
    pub fn document(
        &self,
        id: FeeFineActionId,
        request: &ActRequest,
        at: &str,
    ) -> Map<String, Value> {
        let mut document = Map::new();
        let mut put = |name: &str, value: Value| {
            if !value.is_null() {
                document.insert(name.to_owned(), value);
            }
        };
        put("dateAction", json!(at));
        put("typeAction", json!(self.name));
        put("comments", json!(request.comments));
        put("notify", json!(self.notify));
        put("amountAction", self.amount.json());
        put("balance", self.balance.json());
        put("transactionInformation", json!(self.information));
        put("createdAt", json!(request.service_point_id));
        put("source", json!(request.user_name));
        put("paymentMethod", json!(self.method));
        put("accountId", json!(self.account_id));
        put("userId", json!(self.user_id));
        put("id", json!(id));
        document
    }
}
