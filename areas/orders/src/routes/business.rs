//! mod-orders: orders, lines and small lists.

use ::http::Method;
use octavo_platform::{Content, Handler, Interface, Module};

use super::receiving;
use crate::http::lists::BYPASS;
use crate::http::{config, order_lines, orders, receiving as receiving_http};

/// The module.
pub(super) fn module() -> Module {
    let module = Module::new("mod-orders", "13.0.10")
        .system("_tenant", "2.0")
        .reads(
            "budget budget_expense_class contributor_name_type expense_class fund \
             holdings_records_source instance instance_status instance_type invoices \
             ledger_fiscal_year_rollover ledger_fiscal_year_rollover_progress loan_type transaction users",
        )
        .writes("holdings_record invoice_lines item ledger_fiscal_year_rollover_error request tag")
        .needs(include_str!("../needs/mod-orders.tsv"))
        .permissions(include_str!("../permissions/mod-orders.tsv"));
    [orders_interface(), lines_interface(), numbers(), rollover()]
        .into_iter()
        .chain(lists())
        .chain(receiving::interfaces())
        .fold(module, Module::interface)
}

fn orders_interface() -> Interface {
    let path = "/orders/composite-orders";
    Interface::new("orders", "12.1")
        .route(
            Method::GET,
            path,
            "orders.collection.get",
            Handler::call(orders::page),
        )
        .answering(Content::List("purchase_order"))
        .route(
            Method::POST,
            path,
            "orders.item.post",
            Handler::transaction(orders::create),
        )
        .desiring(&[
            "orders.acquisitions-units-assignments.assign",
            "orders.item.approve",
        ])
        .by_id(
            Method::GET,
            path,
            "orders.item.get",
            Handler::call(orders::read),
        )
        .by_id(
            Method::PUT,
            path,
            "orders.item.put",
            Handler::transaction(orders::replace),
        )
        .desiring(&[
            "orders.acquisitions-units-assignments.manage",
            "orders.item.approve",
            "orders.item.unopen",
            "orders.item.reopen",
        ])
        .by_id(
            Method::DELETE,
            path,
            "orders.item.delete",
            Handler::transaction(orders::delete),
        )
        .route(
            Method::POST,
            "/orders/composite-orders/{id}/re-encumber",
            "orders.re-encumber.item.post",
            Handler::transaction(orders::re_encumber),
        )
}

fn rollover() -> Interface {
    Interface::new("orders.rollover", "1.0").route(
        Method::POST,
        "/orders/rollover",
        "orders.rollover.item.post",
        Handler::transaction(orders::roll_over),
    )
}

fn lines_interface() -> Interface {
    let (path, stem) = ("/orders/order-lines", "orders.po-lines");
    Interface::new("order-lines", "3.3")
        .route(
            Method::GET,
            path,
            &format!("{stem}.collection.get"),
            Handler::call(order_lines::page),
        )
        .answering(Content::List("po_line"))
        .desiring(&[BYPASS])
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(order_lines::create),
        )
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(order_lines::read),
        )
        .desiring(&[BYPASS])
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(order_lines::replace),
        )
        .desiring(&[BYPASS])
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::transaction(order_lines::delete),
        )
        .by_id(
            Method::PATCH,
            path,
            &format!("{stem}.item.patch"),
            Handler::transaction(receiving_http::patch_line),
        )
        .route(
            Method::PUT,
            "/orders/order-lines/fund-distributions/validate",
            "orders.po-lines.fund-distributions.validate",
            Handler::call(order_lines::validate_distributions),
        )
}

fn numbers() -> Interface {
    Interface::new("po-number", "1.0")
        .route(
            Method::GET,
            "/orders/po-number",
            "orders.po-number.item.get",
            Handler::call(config::number),
        )
        .route(
            Method::POST,
            "/orders/po-number/validate",
            "orders.po-number.item.post",
            Handler::call(config::validate_number),
        )
}

/// Lists whose records can be deleted under conditions.
fn guarded(
    id: &'static str,
    version: &'static str,
    (path, table): (&'static str, &'static str),
    stem: &str,
    delete: Handler,
) -> Interface {
    Interface::new(id, version)
        .readable(path, table, stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::create(table),
        )
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::replace(table),
        )
        .by_id(Method::DELETE, path, &format!("{stem}.item.delete"), delete)
}

fn lists() -> Vec<Interface> {
    vec![
        guarded(
            "configuration.prefixes",
            "1.1",
            ("/orders/configuration/prefixes", "prefixes"),
            "orders.configuration.prefixes",
            Handler::transaction(config::delete_prefix),
        )
        .hooked("/orders/configuration/prefixes", &config::PREFIXES),
        guarded(
            "configuration.suffixes",
            "1.1",
            ("/orders/configuration/suffixes", "suffixes"),
            "orders.configuration.suffixes",
            Handler::transaction(config::delete_suffix),
        )
        .hooked("/orders/configuration/suffixes", &config::SUFFIXES),
        Interface::new("configuration.reasons-for-closure", "1.0")
            .records(
                "/orders/configuration/reasons-for-closure",
                "reasons_for_closure",
                "orders.configuration.reasons-for-closure",
            )
            .hooked(
                "/orders/configuration/reasons-for-closure",
                &config::REASONS,
            ),
        Interface::new("order-templates", "1.0")
            .records(
                "/orders/order-templates",
                "order_templates",
                "orders.order-templates",
            )
            .hooked("/orders/order-templates", &config::TEMPLATES),
        methods(),
        units(),
        routing_lists(),
        Interface::new("orders.export-history", "1.0")
            .route(
                Method::GET,
                "/orders/export-history",
                "orders.export-history.collection.get",
                Handler::call(config::export_history),
            )
            .answering(Content::List("export_history")),
    ]
}

/// The permissions of single methods have another stem than that of their list.
fn methods() -> Interface {
    let (path, table) = ("/orders/acquisition-methods", "acquisition_method");
    let stem = "orders.acquisition-method.item";
    Interface::new("acquisition-methods", "1.0")
        .route(
            Method::GET,
            path,
            "orders.acquisition-methods.collection.get",
            Handler::list(table),
        )
        .route(
            Method::POST,
            path,
            &format!("{stem}.post"),
            Handler::create(table),
        )
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.put"),
            Handler::replace(table),
        )
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.get"),
            Handler::read(table),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.delete"),
            Handler::transaction(config::delete_method),
        )
        .hooked(path, &config::METHODS)
}

fn units() -> Interface {
    let (path, members) = (
        "/acquisitions-units/units",
        "/acquisitions-units/memberships",
    );
    guarded(
        "acquisitions-units",
        "1.1",
        (path, "acquisitions_unit"),
        "acquisitions-units.units",
        Handler::transaction(config::delete_unit),
    )
    .hooked(path, &config::UNITS)
    .records(
        members,
        "acquisitions_unit_membership",
        "acquisitions-units.memberships",
    )
    .hooked(members, &config::MEMBERSHIPS)
}

fn routing_lists() -> Interface {
    let (path, stem) = ("/orders/routing-lists", "orders.routing-lists");
    Interface::new("orders.routing-lists", "1.0")
        .readable(path, "routing_list", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::transaction(config::create_routing_list),
        )
        .taking(Content::Record("routing_list"))
        .answering(Content::Record("routing_list"))
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(config::replace_routing_list),
        )
        .taking(Content::Record("routing_list"))
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete("routing_list"),
        )
        .route(
            Method::GET,
            "/orders/routing-lists/{id}/template",
            "orders.routing-lists-template.item.get",
            Handler::call(config::routing_list_template),
        )
}
