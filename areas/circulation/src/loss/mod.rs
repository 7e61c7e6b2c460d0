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
pub mod refund;
pub mod settled;
#[cfg(test)]
mod tests;

pub use change::{Aged, Comment, LoanChange};
pub use policy::LostItemPolicy;

use uuid::Uuid;

/// FOLIO's id of the automatic fee for a lost item, and its name.
pub const LOST_ITEM_FEE: (Uuid, &str) = (
    Uuid::from_u128(0xcf238f9f_7018_47b7_b815_bb2db798e19f),
    "Lost item fee",
);
/// FOLIO's id of the automatic fee for the work that a lost item makes, and its name.
pub const PROCESSING_FEE: (Uuid, &str) = (
    Uuid::from_u128(0xc7dede15_aa48_45ed_860b_f996540180e0),
    "Lost item processing fee",
);
/// FOLIO's id of the fee that staff bill once they know the cost, and its name.
pub const ACTUAL_COST_FEE: (Uuid, &str) = (
    Uuid::from_u128(0x73785370_d3bd_4d92_942d_ae2268e02ded),
    "Lost item fee (actual cost)",
);

/// The statuses of an item that is lost, as long as nothing has been settled.
pub const UNRESOLVED: [&str; 2] = ["Declared lost", "Aged to lost"];
/// The status of a lost item that was paid for.
pub const LOST_AND_PAID: &str = "Lost and paid";

/// Whether an item of this status is lost and not settled.
#[must_use]
pub fn is_unresolved(item_status: &str) -> bool {
    UNRESOLVED.contains(&item_status)
}
