//! Lost and claimed loans: what is decided about them, without I/O. An item is lost because staff
//! declare it so or because it is long overdue; a borrower may claim to have brought it back; and a
//! loan whose fees for the loss are settled ends.

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
/// The name of the automatic fee for the work that a lost item makes.
pub const PROCESSING_FEE: &str = "Lost item processing fee";
/// The name of the fee that staff bill once they know the cost.
pub const ACTUAL_COST_FEE: &str = "Lost item fee (actual cost)";

/// Whether an item of this status is lost and not settled.
#[must_use]
pub fn is_unresolved(item_status: ItemStatus) -> bool {
    matches!(
        item_status,
        ItemStatus::DeclaredLost | ItemStatus::AgedToLost
    )
}
