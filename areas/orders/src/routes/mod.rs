//! The modules of this area.

mod business;
mod receiving;
mod storage;

use octavo_platform::Module;

use crate::shapes;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![storage::module(), business::module()])
}
