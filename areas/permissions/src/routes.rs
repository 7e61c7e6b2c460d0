//! mod-permissions with its routes.

use octavo_platform::Module;

use crate::collections as own;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_permissions()]
}

fn mod_permissions() -> Module {
    Module::new("mod-permissions", "6.6.0")
        .collection(own::permissions())
        .collection(own::permissions_users())
        .migration(
            "identity notices",
            include_str!("migrations/identity_notices.sql"),
        )
}
