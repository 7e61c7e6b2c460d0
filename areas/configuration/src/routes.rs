//! mod-configuration with its generic routes.

use octavo_platform::{Interface, Module};

use crate::collections as own;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let entries = Interface::new("configuration", "2.0").records(
        "/configurations/entries",
        "config_data",
        "configuration.entries",
    );
    vec![
        Module::new("mod-configuration", "5.12.0")
            .permissions(include_str!("permissions/configuration.tsv"))
            .collection(own::entries())
            .interface(entries),
    ]
}
