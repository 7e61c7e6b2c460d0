//! Requests to act on accounts, from bodies that fit their shapes.

use octavo_library::{AccountId, ServicePointId};
use serde::Deserialize;

/// Accounts of one request at most.
pub const ACCOUNTS_MAX: usize = 1_000;

/// A request to act on accounts. Which of its parts are there depends on what is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActRequest {
    /// The accounts of a bulk request.
    #[serde(default)]
    pub account_ids: Vec<AccountId>,
    /// The amount as the client wrote it.
    pub amount: Option<String>,
    /// What staff and patron are told.
    pub comments: Option<String>,
    /// What is noted beside a payment, such as the number of a cheque.
    pub transaction_info: Option<String>,
    /// Whether the patron is to be told.
    #[serde(default)]
    pub notify_patron: bool,
    /// Where it is done.
    pub service_point_id: Option<ServicePointId>,
    /// Who does it.
    pub user_name: Option<String>,
    /// The way of payment, the reason, or the account that a debt goes to.
    pub payment_method: Option<String>,
    /// Why an account is cancelled.
    pub cancellation_reason: Option<String>,
}

/// A request to say whether an act would take place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckRequest {
    /// The accounts of a bulk request.
    #[serde(default)]
    pub account_ids: Vec<AccountId>,
    /// The amount as the client wrote it.
    pub amount: String,
}

impl ActRequest {
    /// The amount as the client wrote it; nothing is not a number.
    #[must_use]
    pub fn raw_amount(&self) -> &str {
        self.amount.as_deref().unwrap_or_default()
    }
}
