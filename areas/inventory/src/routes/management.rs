//! The routes of mod-inventory.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::http::{
    blocked_fields, holdings, instances, inventory_batch, inventory_instances, inventory_items,
    isbn, mark, moves, ownership, tenant_items,
};
use crate::rules::status_moves::Mark;

/// mod-inventory, which FOLIO's user interface uses: records with resolved references.
pub(super) fn module() -> Module {
    Module::new("mod-inventory", "21.1.19")
        .reads("users")
        .writes("request source_record")
        .system("_tenant", "1.2")
        .needs(include_str!("../needs/mod-inventory.tsv"))
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
        .interface(Interface::new("inventory-batch", "3.0").route(
            Method::POST,
            "/inventory/instances/batch",
            "inventory.instances.batch.post",
            Handler::transaction(inventory_batch::create),
        ))
        .interface(isbn_utils())
        .interface(
            Interface::new("inventory-move", "0.2")
                .satisfying(&["0.3"])
                .route(
                    Method::POST,
                    "/inventory/items/move",
                    "inventory.items.move.item.post",
                    Handler::transaction(moves::items),
                )
                .route(
                    Method::POST,
                    "/inventory/holdings/move",
                    "inventory.holdings.move.item.post",
                    Handler::transaction(moves::holdings),
                ),
        )
        .interface(
            Interface::new("inventory-update-ownership", "1.0")
                .satisfying(&["1.1"])
                .route(
                    Method::POST,
                    "/inventory/items/update-ownership",
                    "inventory.items.update-ownership.item.post",
                    Handler::call(ownership::items),
                )
                .route(
                    Method::POST,
                    "/inventory/holdings/update-ownership",
                    "inventory.holdings.update-ownership.item.post",
                    Handler::call(ownership::holdings),
                ),
        )
}

fn isbn_utils() -> Interface {
    Interface::new("isbn-utils", "2.0")
        .route(
            Method::GET,
            "/isbn/convertTo13",
            "isbn-utils.convert-to-13.get",
            Handler::call(isbn::convert_to_13),
        )
        .route(
            Method::GET,
            "/isbn/convertTo10",
            "isbn-utils.convert-to-10.get",
            Handler::call(isbn::convert_to_10),
        )
        .route(
            Method::GET,
            "/isbn/validator",
            "isbn-utils.validator.get",
            Handler::call(isbn::validate),
        )
}

/// The routes that mark an item, each with the name of its path and of its permission.
const MARKS: [(&str, &str, Mark); 9] = [
    (
        "/inventory/items/{id}/mark-in-process",
        "in-process",
        Mark::InProcess,
    ),
    (
        "/inventory/items/{id}/mark-in-process-non-requestable",
        "in-process-non-requestable",
        Mark::InProcessNonRequestable,
    ),
    (
        "/inventory/items/{id}/mark-intellectual-item",
        "intellectual-item",
        Mark::IntellectualItem,
    ),
    (
        "/inventory/items/{id}/mark-long-missing",
        "long-missing",
        Mark::LongMissing,
    ),
    (
        "/inventory/items/{id}/mark-missing",
        "missing",
        Mark::Missing,
    ),
    (
        "/inventory/items/{id}/mark-restricted",
        "restricted",
        Mark::Restricted,
    ),
    (
        "/inventory/items/{id}/mark-unavailable",
        "unavailable",
        Mark::Unavailable,
    ),
    (
        "/inventory/items/{id}/mark-unknown",
        "unknown",
        Mark::Unknown,
    ),
    (
        "/inventory/items/{id}/mark-withdrawn",
        "withdrawn",
        Mark::Withdrawn,
    ),
];

fn managed_records() -> Interface {
    let of_holdings = Handler::call(inventory_items::of_holdings);
    let mark_deleted = Handler::transaction(inventory_instances::mark_deleted);
    let interface = Interface::new("inventory", "14.3")
        .satisfying(&["14.4"])
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
        // FOLIO requires no permission here; Octavo requires that of deleting instances.
        .route(
            Method::DELETE,
            "/inventory/instances/{id}/mark-deleted",
            "inventory.instances.item.delete",
            mark_deleted,
        )
        .route(
            Method::POST,
            "/inventory/tenant-items",
            "inventory.tenant-items.collection.get",
            Handler::call(tenant_items::read),
        );
    let interface = MARKS
        .into_iter()
        .fold(interface, |interface, (path, name, as_what)| {
            interface.route(
                Method::POST,
                path,
                &format!("inventory.items.item.mark-{name}.post"),
                Handler::transaction(move |call| mark::mark(call, as_what)),
            )
        });
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
            Handler::delete_by_query("item"),
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
            Handler::call(instances::delete_found),
        ],
    )
}

/// The routes of a record type in its managed form: list, create, read, replace, patch and the
/// deletion of what a query finds as given; deletion by id is the storage's.
fn managed(
    interface: Interface,
    path: &'static str,
    table: &'static str,
    stem: &str,
    [list, create, read, replace, patch, delete_found]: [Handler; 6],
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
        .route(
            Method::DELETE,
            path,
            &format!("{stem}.collection.delete"),
            delete_found,
        )
}
