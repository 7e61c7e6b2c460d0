//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "cataloging.creation-status",
        include_str!("answers/creation-status.shape"),
    ),
    (
        "cataloging.marc-field",
        include_str!("answers/marc-field.shape"),
    ),
    (
        "cataloging.marc-record",
        include_str!("answers/marc-record.shape"),
    ),
    (
        "cataloging.validation-issue",
        include_str!("answers/validation-issue.shape"),
    ),
    (
        "cataloging.validation-result",
        include_str!("answers/validation-result.shape"),
    ),
    (
        "cataloging.marc-record-body",
        include_str!("bodies/marc-record-body.shape"),
    ),
    (
        "cataloging.marc-record-suggestion",
        include_str!("bodies/marc-record-suggestion.shape"),
    ),
    (
        "cataloging.validatable-record",
        include_str!("bodies/validatable-record.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-quick-marc" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-quick-marc.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
