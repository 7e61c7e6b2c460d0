//! mod-configuration.

use http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{audit, entries};

const ENTRIES: &str = "/configurations/entries";

pub(super) fn module() -> Module {
    Module::new("mod-configuration", "5.12.1")
        .permissions(include_str!("../permissions/configuration.tsv"))
        .collection(own::entries())
        .migration(
            "configuration audit",
            include_str!("../migrations/configuration_audit.sql"),
        )
        .interface(interface())
}

fn interface() -> Interface {
    Interface::new("configuration", "2.0")
        .records(ENTRIES, "config_data", "configuration.entries")
        .hooked(ENTRIES, &entries::HOOKS)
        .route(
            Method::GET,
            "/configurations/audit",
            "configuration.audit.collection.get",
            Handler::call(audit::list),
        )
}
