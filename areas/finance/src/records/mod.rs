//! Stored records as types: what the rules read and write of them.

mod budget;
mod class_link;
mod sums;
mod transaction;

pub use budget::{Budget, BudgetStatus};
pub use class_link::ClassLink;
pub use sums::{Computed, Sums};
pub use transaction::{
    AwaitingPayment, Encumbrance, EncumbranceStatus, FundTransaction, Kind, OrderStatus, OrderType,
    Source,
};
