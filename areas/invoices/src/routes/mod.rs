//! mod-invoice-storage and mod-invoice.

mod business;
mod exports;
mod storage;
mod vouchers;

use octavo_platform::Module;

use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![storage::module(), exports::extend(business::module())])
}
