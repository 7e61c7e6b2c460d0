//! Whether all fees for a lost item are settled, so that its loan is closed.

use jiff::Timestamp;
use octavo_library::{ActualCostStatus, Loan, wire_time};
use serde::Deserialize;

use super::is_unresolved;
use crate::facts::Item;

/// The fees for the loss of one item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LossFees {
    /// One of them is not closed.
    pub any_open: bool,
    /// One of them is an actual cost that staff have billed.
    pub actual_cost_billed: bool,
}

/// The last record of an actual cost of a loan.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ActualCost {
    /// Its status.
    pub status: ActualCostStatus,
    /// Its expiration.
    #[serde(default, with = "wire_time::optional")]
    pub expiration_date: Option<Timestamp>,
}

/// Whether a loan is closed because nothing more is owed for its lost item.
#[must_use]
pub fn is_settled(
    loan: &Loan,
    item: &Item,
    fees: LossFees,
    actual_cost: Option<&ActualCost>,
    now: Timestamp,
) -> bool {
    if !loan.is_open() || !is_unresolved(item.status.name) || fees.any_open {
        return false;
    }
    match actual_cost {
        None => true,
        Some(record) if record.status == ActualCostStatus::Cancelled || fees.actual_cost_billed => {
            true
        }
        // It can still be billed, or never expires.
        Some(record) => record.expiration_date.is_some_and(|end| now > end),
    }
}
