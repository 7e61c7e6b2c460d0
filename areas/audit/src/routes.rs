//! mod-audit: the circulation log, which circulation declares, and histories of records.

use std::sync::Arc;

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, Timer};

use crate::collections::{self as own, AUDIT_DATA};
use crate::http::timers::{self, Begun};
use crate::http::{acquisitions, inventory, marc, settings};
use crate::rules::event::{
    Acquisition, INVOICE, INVOICE_LINE, ORDER, ORDER_LINE, ORGANIZATION, PIECE,
};
use crate::shapes;

/// How often the outbox is looked at, in seconds. Whoever asks for a history does not wait for it.
const LOOKS_EVERY: u32 = 5;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let begun = Begun::default();
    let look = Handler::call(move |call| timers::look(Arc::clone(&begun), call));
    let module = octavo_circulation::routes::circulation_log()
        .reads("source_record")
        .collection(own::audit_data())
        .migration("audit_history", include_str!("migrations/history.sql"))
        .migration("audit_marc", include_str!("migrations/marc.sql"))
        .emptying("audit_acquisition")
        .emptying("audit_inventory")
        .emptying("audit_marc")
        .timer(Timer::cron(
            "0 2 * * *",
            "/audit-data/cleanup/timer",
            Handler::call(timers::clean_up),
        ))
        .timer(Timer::every(
            LOOKS_EVERY,
            "second",
            "/audit-data/history/timer",
            look,
        ))
        .interface(Interface::new("audit", "1.1").records("/audit-data", AUDIT_DATA, "audit"));
    let module = acquisition_interfaces()
        .into_iter()
        .fold(module, Module::interface)
        .interface(config())
        .interface(of_inventory())
        .interface(of_marc());
    vec![shapes::declared(module)]
}

fn acquisition_interfaces() -> [Interface; 6] {
    let pieces = of(
        "acquisition-piece-events",
        "/audit-data/acquisition/piece/{id}",
        &PIECE,
    );
    [
        of(
            "acquisition-order-events",
            "/audit-data/acquisition/order/{id}",
            &ORDER,
        ),
        of(
            "acquisition-order-line-events",
            "/audit-data/acquisition/order-line/{id}",
            &ORDER_LINE,
        ),
        pieces.route(
            Method::GET,
            "/audit-data/acquisition/piece/{id}/status-change-history",
            "acquisition.piece.events.history.get",
            Handler::transaction(acquisitions::piece_status_changes),
        ),
        of(
            "acquisition-invoice-events",
            "/audit-data/acquisition/invoice/{id}",
            &INVOICE,
        ),
        of(
            "acquisition-invoice-line-events",
            "/audit-data/acquisition/invoice-line/{id}",
            &INVOICE_LINE,
        ),
        of(
            "acquisition-organization-events",
            "/audit-data/acquisition/organization/{id}",
            &ORGANIZATION,
        ),
    ]
}

fn of(interface: &'static str, path: &'static str, kind: &'static Acquisition) -> Interface {
    let permission = format!("acquisition.{}.events.get", kind.name);
    let handler = Handler::transaction(move |call| acquisitions::events(kind, call));
    Interface::new(interface, "1.0").route(Method::GET, path, &permission, handler)
}

fn config() -> Interface {
    Interface::new("audit-config", "1.0")
        .route(
            Method::GET,
            "/audit/config/groups",
            "audit.config.groups.collection.get",
            Handler::call(settings::groups),
        )
        .route(
            Method::GET,
            "/audit/config/groups/{groupId}/settings",
            "audit.config.groups.settings.collection.get",
            Handler::call(settings::list),
        )
        .desiring(&["audit.config.groups.settings.*"])
        .route(
            Method::PUT,
            "/audit/config/groups/{groupId}/settings/{settingId}",
            "audit.config.groups.settings.item.put",
            Handler::transaction(settings::change),
        )
        .desiring(&["audit.config.groups.settings.*"])
}

fn of_inventory() -> Interface {
    let route = |interface: Interface, path: &'static str, kind: &'static str| {
        let permission = format!("audit.inventory.{kind}.collection.get");
        let handler = Handler::transaction(move |call| inventory::changes(kind, call));
        interface.route(Method::GET, path, &permission, handler)
    };
    let interface = Interface::new("audit-inventory", "1.0");
    let interface = route(
        interface,
        "/audit-data/inventory/instance/{entityId}",
        "instance",
    );
    let interface = route(
        interface,
        "/audit-data/inventory/holdings/{entityId}",
        "holdings",
    );
    route(interface, "/audit-data/inventory/item/{entityId}", "item")
}

fn of_marc() -> Interface {
    Interface::new("audit-marc", "1.0")
        .route(
            Method::GET,
            "/audit-data/marc/bib/{entityId}",
            "audit.marc.bib.collection.get",
            Handler::call(marc::of_bib),
        )
        .route(
            Method::GET,
            "/audit-data/marc/authority/{entityId}",
            "audit.marc.authority.collection.get",
            Handler::call(marc::of_authority),
        )
}
