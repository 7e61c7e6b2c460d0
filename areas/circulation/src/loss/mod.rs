//! Decisions about lost and claimed returned items, without I/O. An item is declared lost by staff or
//! ages to lost; a borrower may claim to have returned it; a loan is closed when its fees for the loss
//! are settled.

use octavo_library::ItemStatus;

pub mod actual_cost;
pub mod aging;
pub mod billing;
mod change;
pub mod claim;
pub mod declare;
mod period;
mod policy;
pub mod refund;
pub mod settled;
#[cfg(test)]
mod tests;

pub use change::{Aged, Comment, LoanChange};
pub use policy::LostItemPolicy;

/// The name of the automatic fee for a lost item.
pub const LOST_ITEM_FEE: &str = "Lost item fee";
/// The name of the automatic processing fee.
pub const PROCESSING_FEE: &str = "Lost item processing fee";
/// The name of the actual cost fee.
pub const ACTUAL_COST_FEE: &str = "Lost item fee (actual cost)";

/// Whether an item of this status is lost and not settled.
#[must_use]
pub fn is_unresolved(item_status: ItemStatus) -> bool {
    matches!(
        item_status,
        ItemStatus::DeclaredLost | ItemStatus::AgedToLost
    )
}
