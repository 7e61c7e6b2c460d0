//! The modules of this area.

use octavo_platform::Module;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    Vec::new()
}
