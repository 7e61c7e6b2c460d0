//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "inventory.blocked-fields",
        include_str!("answers/blocked-fields.shape"),
    ),
    ("inventory.instance", include_str!("answers/instance.shape")),
    (
        "inventory.instances-batch-response",
        include_str!("answers/instances-batch-response.shape"),
    ),
    (
        "inventory.instances",
        include_str!("answers/instances.shape"),
    ),
    (
        "inventory.item-notes",
        include_str!("answers/item-notes.shape"),
    ),
    ("inventory.item", include_str!("answers/item.shape")),
    ("inventory.items", include_str!("answers/items.shape")),
    (
        "inventory.move-response",
        include_str!("answers/move-response.shape"),
    ),
    (
        "inventory.tenant-items",
        include_str!("answers/tenant-items.shape"),
    ),
    (
        "inventory.cqlquery-request-dto",
        include_str!("bodies/cqlquery-request-dto.shape"),
    ),
    (
        "inventory.holdings-move",
        include_str!("bodies/holdings-move.shape"),
    ),
    (
        "inventory.holdings-update-ownership",
        include_str!("bodies/holdings-update-ownership.shape"),
    ),
    (
        "inventory.instances-batch",
        include_str!("bodies/instances-batch.shape"),
    ),
    (
        "inventory.item-record",
        include_str!("bodies/item-record.shape"),
    ),
    (
        "inventory.items-move",
        include_str!("bodies/items-move.shape"),
    ),
    (
        "inventory.items-update-ownership",
        include_str!("bodies/items-update-ownership.shape"),
    ),
    (
        "inventory.tenant-item-pair-collection",
        include_str!("bodies/tenant-item-pair-collection.shape"),
    ),
    (
        "inventory.tenant-item-pair",
        include_str!("bodies/tenant-item-pair.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-inventory" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-inventory.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
