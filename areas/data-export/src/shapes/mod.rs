//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "data-export.export-authority-deleted-response",
        include_str!("answers/export-authority-deleted-response.shape"),
    ),
    (
        "data-export.export-deleted-marc-ids-response",
        include_str!("answers/export-deleted-marc-ids-response.shape"),
    ),
    (
        "data-export.file-download",
        include_str!("answers/file-download.shape"),
    ),
    (
        "data-export.quick-export-response",
        include_str!("answers/quick-export-response.shape"),
    ),
    (
        "data-export.related-user-collection",
        include_str!("answers/related-user-collection.shape"),
    ),
    (
        "data-export.related-user",
        include_str!("answers/related-user.shape"),
    ),
    (
        "data-export.transformation-field-collection",
        include_str!("answers/transformation-field-collection.shape"),
    ),
    (
        "data-export.transformation-field",
        include_str!("answers/transformation-field.shape"),
    ),
    (
        "data-export.export-all-request",
        include_str!("bodies/export-all-request.shape"),
    ),
    (
        "data-export.export-authority-deleted-request",
        include_str!("bodies/export-authority-deleted-request.shape"),
    ),
    (
        "data-export.export-deleted-marc-ids-request",
        include_str!("bodies/export-deleted-marc-ids-request.shape"),
    ),
    (
        "data-export.export-request",
        include_str!("bodies/export-request.shape"),
    ),
    (
        "data-export.quick-export-request",
        include_str!("bodies/quick-export-request.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-data-export" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-data-export.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
