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
        .route(
            Method::GET,
            ENTRIES,
            "configuration.entries.collection.get",
            Handler::call(entries::list),
        )
        .route(
            Method::POST,
            ENTRIES,
            "configuration.entries.item.post",
            Handler::call(entries::create),
        )
        .by_id(
            Method::GET,
            ENTRIES,
            "configuration.entries.item.get",
            Handler::call(entries::read),
        )
        .by_id(
            Method::PUT,
            ENTRIES,
            "configuration.entries.item.put",
            Handler::call(entries::replace),
        )
        .by_id(
            Method::DELETE,
            ENTRIES,
            "configuration.entries.item.delete",
            Handler::call(entries::delete),
        )
        .route(
            Method::GET,
            "/configurations/audit",
            "configuration.audit.collection.get",
            Handler::call(audit::list),
        )
}
