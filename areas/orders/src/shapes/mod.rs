//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "orders.receiving-history",
        include_str!("answers/receiving-history.shape"),
    ),
    (
        "orders.wrapper-pieces",
        include_str!("answers/wrapper-pieces.shape"),
    ),
    (
        "orders.wrapper-piece",
        include_str!("answers/wrapper-piece.shape"),
    ),
    ("orders.po-number", include_str!("answers/po-number.shape")),
    (
        "orders.line-numbers",
        include_str!("answers/line-numbers.shape"),
    ),
    (
        "orders.storage-patch-line",
        include_str!("bodies/storage-patch-line.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-orders-storage" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-orders-storage.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
