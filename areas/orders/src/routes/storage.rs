//! mod-orders-storage.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module, ReferenceData, Timer};

use crate::app::custom_fields::CUSTOM_FIELDS;
use crate::app::follow_inventory::InventoryFollower;
use crate::app::import_lines::LineMaker;
use crate::collections;
use crate::http::storage as own;

const METHODS: &str = include_str!("../reference/acquisition_method.tsv");
const REASONS: &str = include_str!("../reference/reasons_for_closure.tsv");

/// The module.
pub(super) fn module() -> Module {
    let module = Module::new("mod-orders-storage", "13.9.7")
        .reads("config_data")
        .providing(InventoryFollower::shared())
        .needs(include_str!("../needs/mod-orders-storage.tsv"))
        .permissions(include_str!("../permissions/mod-orders-storage.tsv"))
        .migration(
            "order numbers",
            include_str!("../migrations/order_numbers.sql"),
        )
        .reference(ReferenceData::tsv("acquisition_method", METHODS).essential())
        .reference(ReferenceData::tsv("reasons_for_closure", REASONS).essential())
        .timer(Timer::every(
            30,
            "minute",
            "/orders-storage/audit-outbox/process",
            Handler::call(own::process_outbox),
        ))
        .timer(Timer::every(
            1,
            "hour",
            "/orders-storage/claiming/process",
            Handler::call(own::process_claims),
        ));
    let module = collections::all()
        .into_iter()
        .fold(module, Module::collection)
        .collection(CUSTOM_FIELDS.collection())
        .migration(
            "custom field values of orders",
            include_str!("../migrations/custom_field_values.sql"),
        )
        .migration(
            "custom field values of orders in columns",
            include_str!("../migrations/custom_field_columns.sql"),
        )
        .migration(
            "orders of imports",
            include_str!("../migrations/imported_orders.sql"),
        )
        .migration(
            "lean indexes of orders",
            include_str!("../migrations/lean_indexes.sql"),
        )
        .emptying("imported_orders")
        .providing(LineMaker::shared());
    [orders(), lines(), titles(), pieces(), numbers()]
        .into_iter()
        .chain(lists())
        .chain(work())
        .chain([CUSTOM_FIELDS.interface("orders-storage.custom-fields")])
        .fold(module, Module::interface)
}

fn orders() -> Interface {
    let (path, stem) = (
        "/orders-storage/purchase-orders",
        "orders-storage.purchase-orders",
    );
    Interface::new("orders-storage.purchase-orders", "8.1")
        .readable(path, "purchase_order", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(own::create_order),
        )
        .taking(Content::Record("purchase_order"))
        .answering(Content::Record("purchase_order"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(own::replace_order),
        )
        .taking(Content::Record("purchase_order"))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(own::delete_order),
        )
        // The joined view of earlier releases.
        .route(
            Method::GET,
            "/orders-storage/orders",
            &format!("{stem}.collection.get"),
            Handler::call(own::orders_view),
        )
        .answering(Content::List("purchase_order"))
}

fn lines() -> Interface {
    let (path, stem) = ("/orders-storage/po-lines", "orders-storage.po-lines");
    Interface::new("orders-storage.po-lines", "12.4")
        .readable(path, "po_line", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(own::create_line),
        )
        .taking(Content::Record("po_line"))
        .answering(Content::Record("po_line"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(own::replace_line),
        )
        .taking(Content::Record("po_line"))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(own::delete_line),
        )
        .by_id(
            Method::PATCH,
            path,
            &format!("{stem}.item.patch"),
            Handler::transaction(own::patch_line),
        )
        .route(
            Method::PUT,
            "/orders-storage/po-lines-batch",
            "orders-storage.po-lines-batch.collection.put",
            Handler::transaction(own::replace_lines),
        )
        .taking(Content::List("po_line"))
        .route(
            Method::GET,
            "/orders-storage/order-lines",
            &format!("{stem}.collection.get"),
            Handler::call(own::lines_view),
        )
        .answering(Content::List("po_line"))
}

fn titles() -> Interface {
    let (path, stem) = ("/orders-storage/titles", "orders-storage.titles");
    Interface::new("orders-storage.titles", "1.1")
        .readable(path, "titles", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(own::create_title),
        )
        .taking(Content::Record("titles"))
        .answering(Content::Record("titles"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::replace("titles"),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete("titles"),
        )
}

fn pieces() -> Interface {
    Interface::new("orders-storage.pieces", "5.0")
        .records("/orders-storage/pieces", "pieces", "orders-storage.pieces")
        .route(
            Method::POST,
            "/orders-storage/pieces-batch",
            "orders-storage.pieces-batch.collection.post",
            Handler::transaction(own::create_pieces),
        )
        .taking(Content::List("pieces"))
        .answering(Content::List("pieces"))
        .route(
            Method::PUT,
            "/orders-storage/pieces-batch",
            "orders-storage.pieces-batch.collection.put",
            Handler::transaction(own::replace_pieces),
        )
        .taking(Content::List("pieces"))
}

fn numbers() -> Interface {
    Interface::new("orders-storage.po-number", "2.0").route(
        Method::GET,
        "/orders-storage/po-number",
        "orders-storage.po-number.get",
        Handler::call(own::order_number),
    )
}

/// Lists without side effects.
fn lists() -> Vec<Interface> {
    let of = |id: &'static str, version, path, table| {
        Interface::new(id, version).records(path, table, id)
    };
    let configured = |id: &'static str, path, table| of(id, "1.0", path, table);
    vec![
        of(
            "orders-storage.alerts",
            "3.0",
            "/orders-storage/alerts",
            "alert",
        ),
        of(
            "orders-storage.reporting-codes",
            "3.0",
            "/orders-storage/reporting-codes",
            "reporting_code",
        )
        .hooked("/orders-storage/reporting-codes", &own::REPORTING_CODES),
        methods(),
        configured(
            "orders-storage.order-invoice-relationships",
            "/orders-storage/order-invoice-relns",
            "order_invoice_relationship",
        ),
        configured(
            "orders-storage.order-templates",
            "/orders-storage/order-templates",
            "order_templates",
        ),
        of(
            "acquisitions-units-storage.units",
            "1.1",
            "/acquisitions-units-storage/units",
            "acquisitions_unit",
        ),
        configured(
            "acquisitions-units-storage.memberships",
            "/acquisitions-units-storage/memberships",
            "acquisitions_unit_membership",
        ),
        configured(
            "orders-storage.configuration.reasons-for-closure",
            "/orders-storage/configuration/reasons-for-closure",
            "reasons_for_closure",
        ),
        configured(
            "orders-storage.configuration.prefixes",
            "/orders-storage/configuration/prefixes",
            "prefixes",
        ),
        configured(
            "orders-storage.configuration.suffixes",
            "/orders-storage/configuration/suffixes",
            "suffixes",
        ),
        configured(
            "orders-storage.export-history",
            "/orders-storage/export-history",
            "export_history",
        ),
        configured(
            "orders-storage.routing-lists",
            "/orders-storage/routing-lists",
            "routing_list",
        ),
        configured(
            "orders-storage.settings",
            "/orders-storage/settings",
            "order_settings",
        ),
    ]
}

/// The permissions of single methods have another stem than that of their list.
fn methods() -> Interface {
    let (path, table) = ("/orders-storage/acquisition-methods", "acquisition_method");
    let stem = "orders-storage.acquisition-method.item";
    Interface::new("orders-storage.acquisition-methods", "1.0")
        .route(
            Method::GET,
            path,
            "orders-storage.acquisition-methods.collection.get",
            Handler::list(table),
        )
        .route(
            Method::POST,
            path,
            &format!("{stem}.post"),
            Handler::create(table),
        )
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.get"),
            Handler::read(table),
        )
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.put"),
            Handler::replace(table),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.delete"),
            Handler::delete(table),
        )
}

fn work() -> Vec<Interface> {
    let wrapped = "/orders-storage/wrapper-pieces";
    vec![
        Interface::new("orders-storage.po-line-number", "2.0").route(
            Method::GET,
            "/orders-storage/po-line-number",
            "orders-storage.po-line-number.get",
            Handler::call(own::line_numbers),
        ),
        Interface::new("orders-storage.receiving-history", "4.0").route(
            Method::GET,
            "/orders-storage/receiving-history",
            "orders-storage.receiving-history.collection.get",
            Handler::call(own::receiving_history),
        ),
        Interface::new("orders-storage.wrapper-pieces", "1.0")
            .route(
                Method::GET,
                wrapped,
                "orders-storage.wrapper-pieces.collection.get",
                Handler::call(own::wrapper_pieces),
            )
            .by_id(
                Method::GET,
                wrapped,
                "orders-storage.wrapper-pieces.item.get",
                Handler::call(own::wrapper_piece),
            ),
        Interface::new("orders-storage.audit-outbox", "1.0").route(
            Method::POST,
            "/orders-storage/audit-outbox/process",
            "orders-storage.audit-outbox.process.execute",
            Handler::call(own::process_outbox),
        ),
        Interface::new("orders-storage.claiming", "1.0").route(
            Method::POST,
            "/orders-storage/claiming/process",
            "orders-storage.claiming.process.execute",
            Handler::call(own::process_claims),
        ),
    ]
}
