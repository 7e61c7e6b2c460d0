//! The routes of mod-inventory.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::http::{blocked_fields, holdings, inventory_instances, inventory_items};

/// What FOLIO's user interface works with: records with what they refer to.
pub(super) fn module() -> Module {
    Module::new("mod-inventory", "21.1.0")
        .permissions(include_str!("../permissions/mod-inventory.tsv"))
        .interface(managed_records())
        .interface(
            Interface::new("inventory-config", "0.2")
                .route(
                    Method::GET,
                    "/inventory/config/instances/blocked-fields",
                    "inventory.config.instances.blocked-fields.get",
                    Handler::call(blocked_fields::of_instances),
                )
                .route(
                    Method::GET,
                    "/inventory/config/holdings/blocked-fields",
                    "inventory.config.holdings.blocked-fields.get",
                    Handler::call(blocked_fields::of_holdings),
                ),
        )
}

fn managed_records() -> Interface {
    let of_holdings = Handler::call(inventory_items::of_holdings);
    let mark_deleted = Handler::transaction(inventory_instances::mark_deleted);
    let interface = Interface::new("inventory", "14.4")
        .route(
            Method::POST,
            "/inventory/items/retrieve",
            "inventory.items.retrieve.collection.post",
            Handler::call(inventory_items::retrieve),
        )
        .route(
            Method::GET,
            "/inventory/items-by-holdings-id",
            "inventory.items-by-holdings-id.collection.get",
            of_holdings,
        )
        .by_id(
            Method::PUT,
            "/inventory/holdings",
            "inventory.holdings.item.put",
            Handler::transaction(holdings::replace_managed),
        )
        // FOLIO asks for no permission here; whoever may delete instances may hide them.
        .route(
            Method::DELETE,
            "/inventory/instances/{id}/mark-deleted",
            "inventory.instances.item.delete",
            mark_deleted,
        );
    let interface = managed(
        interface,
        "/inventory/items",
        "item",
        "inventory.items",
        [
            Handler::call(inventory_items::list),
            Handler::transaction(inventory_items::create),
            Handler::call(inventory_items::read),
            Handler::transaction(inventory_items::replace),
            Handler::transaction(inventory_items::patch),
        ],
    );
    managed(
        interface,
        "/inventory/instances",
        "instance",
        "inventory.instances",
        [
            Handler::call(inventory_instances::list),
            Handler::transaction(inventory_instances::create),
            Handler::call(inventory_instances::read),
            Handler::transaction(inventory_instances::replace),
            Handler::transaction(inventory_instances::patch),
        ],
    )
}

/// The routes of a record type in its managed form: list, create, read, replace and patch as given;
/// deletion is the storage's.
fn managed(
    interface: Interface,
    path: &'static str,
    table: &'static str,
    stem: &str,
    [list, create, read, replace, patch]: [Handler; 5],
) -> Interface {
    interface
        .route(Method::GET, path, &format!("{stem}.collection.get"), list)
        .route(Method::POST, path, &format!("{stem}.item.post"), create)
        .by_id(Method::GET, path, &format!("{stem}.item.get"), read)
        .by_id(Method::PUT, path, &format!("{stem}.item.put"), replace)
        .by_id(
            Method::PATCH,
            path,
            &format!("{stem}.item.patch.execute"),
            patch,
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete(table),
        )
        .delete_by_query(path, table, &format!("{stem}.collection.delete"))
}
