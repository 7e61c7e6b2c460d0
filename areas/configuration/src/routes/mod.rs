//! The modules of this area.

mod configuration;
mod settings;

use octavo_platform::Module;

/// mod-configuration and mod-settings.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![configuration::module(), settings::module()]
}
