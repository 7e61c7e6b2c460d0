//! mod-invoice-storage and mod-invoice over HTTP.

pub mod credentials;
pub mod document_body;
pub mod exports;
pub mod invoices;
pub mod numbers;
mod pages;
mod refusal;
pub mod storage;
pub mod vouchers;

use octavo_platform::Call;

use crate::app::guard::Rights;

pub use crate::app::guard::permissions;

/// What the user may do besides the route's own permission. A permission counts only where the route
/// desires it.
fn rights(call: &Call) -> Rights {
    Rights::of(|permission| call.has_permission(permission))
}
