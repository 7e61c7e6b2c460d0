//! mod-quick-marc, and the mapping rules of mod-source-record-manager.

use octavo_platform::Module;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    Vec::new()
}
