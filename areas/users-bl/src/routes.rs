//! mod-users-bl with its routes.

use octavo_platform::{Interface, Module};

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![
        Module::new("mod-users-bl", "7.10.0")
            .permissions(include_str!("permissions.tsv"))
            .interface(Interface::new("users-bl", "6.1")),
    ]
}
