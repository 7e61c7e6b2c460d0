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

/// The permissions that mod-invoice's routes desire.
pub mod permissions {
    pub const BYPASS: &str = "invoices.acquisition-units.bypass.execute";
    pub const ASSIGN: &str = "invoices.acquisitions-units-assignments.assign";
    pub const MANAGE: &str = "invoices.acquisitions-units-assignments.manage";
    pub const FISCAL_YEAR: &str = "invoices.fiscal-year.update.execute";
    pub const APPROVE: &str = "invoice.item.approve.execute";
    pub const PAY: &str = "invoice.item.pay.execute";
    pub const CANCEL: &str = "invoice.item.cancel.execute";
}

/// What the user may do besides the route's own permission. A permission counts only where the route
/// desires it.
fn rights(call: &Call) -> Rights {
    Rights {
        bypasses_units: call.has_permission(permissions::BYPASS),
        assigns_units: call.has_permission(permissions::ASSIGN),
        manages_units: call.has_permission(permissions::MANAGE),
        changes_fiscal_year: call.has_permission(permissions::FISCAL_YEAR),
        approves: call.has_permission(permissions::APPROVE),
        pays: call.has_permission(permissions::PAY),
        cancels: call.has_permission(permissions::CANCEL),
    }
}
