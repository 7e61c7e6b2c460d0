//! Requests to act on accounts, from bodies that fit their shapes.

use octavo_library::{AccountId, ServicePointId};
use serde::Deserialize;

/// Accounts of one request at most.
pub const ACCOUNTS_MAX: usize = 1_000;

/// A request to act on accounts. Its properties depend on the kind of action.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActRequest {
    /// The accounts of a bulk request.
    #[serde(default)]
    pub account_ids: Vec<AccountId>,
    /// The amount as the client wrote it.
    pub amount: Option<String>,
    /// Comments for staff and patron.
    pub comments: Option<String>,
    /// Additional information about a payment, such as the number of a cheque.
    pub transaction_info: Option<String>,
    /// Whether the patron is to be notified.
    #[serde(default)]
    pub notify_patron: bool,
    /// The service point.
    pub service_point_id: Option<ServicePointId>,
    /// The acting user's name.
    pub user_name: Option<String>,
    /// The payment method, the reason, or the account that a debt is transferred to.
    pub payment_method: Option<String>,
    /// Why an account is cancelled.
    pub cancellation_reason: Option<String>,
}

/// A request to check whether an action is possible.
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
    /// The amount as the client wrote it; an absent one is not a number.
    #[must_use]
    pub fn raw_amount(&self) -> &str {
        self.amount.as_deref().unwrap_or_default()
    }
}
