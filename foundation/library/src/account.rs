//! Accounts of fees and fines.

use serde_json::{Map, Value};

use crate::closed_set::closed_set;

closed_set! {
    /// Whether something is left to pay on an account, by its `status.name`.
    pub enum AccountStatus {
        /// Something is owed.
        Open = "Open",
        /// Nothing is owed any more.
        Closed = "Closed",
    }
}

impl AccountStatus {
    /// The status of an account's document, in any case of letters.
    #[must_use]
    pub fn of(account: &Map<String, Value>) -> Option<AccountStatus> {
        AccountStatus::named_in_any_case(account.get("status")?.get("name")?.as_str()?)
    }
}

closed_set! {
    /// Where the record of a lost item's actual cost stands.
    pub enum ActualCostStatus {
        /// Staff are to find out the cost.
        Open = "Open",
        /// The cost is billed.
        Billed = "Billed",
        /// Nothing will be billed.
        Cancelled = "Cancelled",
        /// Staff did not say in time.
        Expired = "Expired",
    }
}

impl ActualCostStatus {
    /// The status of a record's document; none where it has none that there is.
    #[must_use]
    pub fn of(record: &Map<String, Value>) -> Option<ActualCostStatus> {
        ActualCostStatus::named(record.get("status")?.as_str()?)
    }
}
