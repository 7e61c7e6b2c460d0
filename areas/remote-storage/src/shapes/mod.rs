//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "remote-storage.accession-row",
        include_str!("answers/accession-row.shape"),
    ),
    (
        "remote-storage.accessions",
        include_str!("answers/accessions.shape"),
    ),
    (
        "remote-storage.extended-mappings",
        include_str!("answers/extended-mappings.shape"),
    ),
    (
        "remote-storage.mappings",
        include_str!("answers/mappings.shape"),
    ),
    (
        "remote-storage.retrieval-row",
        include_str!("answers/retrieval-row.shape"),
    ),
    (
        "remote-storage.retrievals",
        include_str!("answers/retrievals.shape"),
    ),
    (
        "remote-storage.returned",
        include_str!("answers/returned.shape"),
    ),
    (
        "remote-storage.shown-extended-mapping",
        include_str!("answers/shown-extended-mapping.shape"),
    ),
    (
        "remote-storage.accession",
        include_str!("bodies/accession.shape"),
    ),
    ("remote-storage.event", include_str!("bodies/event.shape")),
    (
        "remote-storage.extended-mapping",
        include_str!("bodies/extended-mapping.shape"),
    ),
    ("remote-storage.hold", include_str!("bodies/hold.shape")),
    ("remote-storage.item", include_str!("bodies/item.shape")),
    (
        "remote-storage.mapping",
        include_str!("bodies/mapping.shape"),
    ),
];

/// The module with its contents.
pub(crate) fn declared(module: Module) -> Module {
    module
        .shapes(SHAPES)
        .contents(include_str!("mod-remote-storage.tsv"))
}
