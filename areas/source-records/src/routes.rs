//! mod-source-record-storage with its collections.

use octavo_platform::Module;

use crate::collections as own;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        Module::new("mod-source-record-storage", "5.10.0")
            .collection(own::snapshots())
            .collection(own::records()),
    ]
}
