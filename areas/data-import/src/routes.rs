//! mod-source-record-manager and mod-data-import.

use octavo_platform::Module;

use crate::load;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let (name, sql) = load::MIGRATION;
    vec![Module::new("mod-data-import", "3.3.0").migration(name, sql)]
}
