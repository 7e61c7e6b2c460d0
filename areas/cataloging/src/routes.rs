//! mod-quick-marc, and the mapping rules of mod-source-record-manager.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{mapping_metadata, mapping_rules};

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    Vec::new()
}

/// What cataloging adds to mod-source-record-manager, as a module of its own: the interfaces with the
/// record types behind them.
#[must_use]
pub fn mapping_module() -> Module {
    let module = with_mapping(Module::new("mod-source-record-manager", "3.10.0"));
    mapping_interfaces()
        .into_iter()
        .fold(module, Module::interface)
}

/// A module with the record types, statements and permissions that [`mapping_interfaces`] need.
#[must_use]
pub fn with_mapping(module: Module) -> Module {
    module
        .permissions(include_str!("permissions/mapping.tsv"))
        .collection(own::mapping_rules())
        .collection(own::mapping_snapshots())
        .migration(
            "mapping_references",
            include_str!("migrations/references.sql"),
        )
}

/// The interfaces of mod-source-record-manager that are about mapping.
#[must_use]
pub fn mapping_interfaces() -> Vec<Interface> {
    let rules = "/mapping-rules/{recordType}";
    vec![
        Interface::new("mapping-rules-provider", "2.0")
            .route(
                Method::GET,
                rules,
                "mapping-rules.get",
                Handler::call(mapping_rules::read),
            )
            .route(
                Method::PUT,
                rules,
                "mapping-rules.update",
                Handler::call(mapping_rules::replace),
            )
            .route(
                Method::PUT,
                "/mapping-rules/{recordType}/restore",
                "mapping-rules.restore",
                Handler::call(mapping_rules::restore),
            ),
        Interface::new("mapping-metadata-provider", "1.1")
            .route(
                Method::GET,
                "/mapping-metadata/{jobExecutionId}",
                "mapping-metadata.item.get",
                Handler::call(mapping_metadata::of_job),
            )
            .route(
                Method::GET,
                "/mapping-metadata/type/{recordType}",
                "mapping-metadata.type.item.get",
                Handler::call(mapping_metadata::of_type),
            ),
    ]
}
