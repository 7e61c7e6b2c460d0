//! Lost and claimed loans: what is decided about them, without I/O. An item is lost because staff
//! declare it so or because it is long overdue; a borrower may claim to have brought it back; and a
//! loan whose fees for the loss are settled ends.

pub mod actual_cost;
pub mod aging;
pub mod billing;
mod change;
pub mod claim;
pub mod declare;
mod period;
mod policy;
pub mod settled;
#[cfg(test)]
mod tests;

pub use change::{Aged, Comment, LoanChange};
pub use policy::LostItemPolicy;

/// The statuses of an item that is lost, as long as nothing has been settled.
pub const UNRESOLVED: [&str; 2] = ["Declared lost", "Aged to lost"];
/// The status of a lost item that was paid for.
pub const LOST_AND_PAID: &str = "Lost and paid";

/// Whether an item of this status is lost and not settled.
#[must_use]
pub fn is_unresolved(item_status: &str) -> bool {
    UNRESOLVED.contains(&item_status)
}
