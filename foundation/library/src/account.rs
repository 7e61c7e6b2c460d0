//! Accounts of fees and fines.

use serde_json::{Map, Value};

use crate::closed_set::closed_set;

closed_set! {
    /// An account's `status.name`: whether an amount remains to be paid.
    pub enum AccountStatus {
        Open = "Open",
        Closed = "Closed",
    }
}

impl AccountStatus {
    /// The status of an account's document, ignoring case.
    #[must_use]
    pub fn of(account: &Map<String, Value>) -> Option<AccountStatus> {
        AccountStatus::named_in_any_case(account.get("status")?.get("name")?.as_str()?)
    }
}

closed_set! {
    /// The status of an actual cost record of a lost item.
    pub enum ActualCostStatus {
        /// Staff have to determine the cost.
        Open = "Open",
        /// The cost is billed.
        Billed = "Billed",
        /// Nothing will be billed.
        Cancelled = "Cancelled",
        /// The time in which staff could bill it has passed.
        Expired = "Expired",
    }
}

impl ActualCostStatus {
    /// The status of a record's document; `None` for a missing or unknown one.
    #[must_use]
    pub fn of(record: &Map<String, Value>) -> Option<ActualCostStatus> {
        ActualCostStatus::named(record.get("status")?.as_str()?)
    }
}
