//! mod-di-converter-storage.

use octavo_platform::Module;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    Vec::new()
}
