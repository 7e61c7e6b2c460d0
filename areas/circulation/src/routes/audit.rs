//! mod-audit: the circulation log, which clients read and do not change.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::circulation_log;

pub(super) fn module() -> Module {
    let logs = Interface::new("circulation-logs", "1.2")
        .satisfying(&["1.3"])
        .route(
            Method::GET,
            "/audit-data/circulation/logs",
            "circulation-logs.collection.get",
            Handler::list("circulation_logs"),
        )
        .hooked("/audit-data/circulation/logs", &circulation_log::HOOKS);
    Module::new("mod-audit", "2.11.4")
        .needs(include_str!("../needs/mod-audit.tsv"))
        .permissions(include_str!("../permissions/mod-audit.tsv"))
        .collection(own::circulation_logs())
        .interface(logs)
}
