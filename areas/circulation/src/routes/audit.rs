//! The circulation log of mod-audit, which clients read, and the events LOG_RECORD of other programs. The area `audit` has the rest of the
//! module.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::circulation_log;

/// The circulation log as a separate module: the part of mod-audit that this area has.
#[must_use]
pub fn circulation_log() -> Module {
    let logs = Interface::new("circulation-logs", "1.2")
        .satisfying(&["1.3"])
        .route(
            Method::GET,
            "/audit-data/circulation/logs",
            "circulation-logs.collection.get",
            Handler::list("circulation_logs"),
        )
        .hooked("/audit-data/circulation/logs", &circulation_log::HOOKS);
    let handlers = Interface::new("audit-data-event-handlers", "1.1").route(
        Method::POST,
        "/audit/handlers/log-record",
        "audit.pub-sub-handlers.log-record-event.post",
        Handler::transaction(circulation_log::log_record),
    );
    Module::new("mod-audit", "2.11.4")
        .needs(include_str!("../needs/mod-audit.tsv"))
        .permissions(include_str!("../permissions/mod-audit.tsv"))
        .collection(own::circulation_logs())
        .interface(logs)
        .interface(handlers)
}
