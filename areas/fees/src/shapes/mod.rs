//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "fees.action-success-response",
        include_str!("answers/action-success-response.shape"),
    ),
    (
        "fees.automated-patron-block",
        include_str!("answers/automated-patron-block.shape"),
    ),
    (
        "fees.automated-patron-blocks",
        include_str!("answers/automated-patron-blocks.shape"),
    ),
    (
        "fees.bulk-action-success-response",
        include_str!("answers/bulk-action-success-response.shape"),
    ),
    (
        "fees.bulk-check-action-response",
        include_str!("answers/bulk-check-action-response.shape"),
    ),
    (
        "fees.check-action-response",
        include_str!("answers/check-action-response.shape"),
    ),
    ("fees.period", include_str!("answers/period.shape")),
    (
        "fees.user-summary",
        include_str!("answers/user-summary.shape"),
    ),
    (
        "fees.bulk-check-action-request",
        include_str!("bodies/bulk-check-action-request.shape"),
    ),
    (
        "fees.cancel-action-request",
        include_str!("bodies/cancel-action-request.shape"),
    ),
    (
        "fees.cancel-bulk-action-request",
        include_str!("bodies/cancel-bulk-action-request.shape"),
    ),
    (
        "fees.check-action-request",
        include_str!("bodies/check-action-request.shape"),
    ),
    (
        "fees.default-action-request",
        include_str!("bodies/default-action-request.shape"),
    ),
    (
        "fees.default-bulk-action-request",
        include_str!("bodies/default-bulk-action-request.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-feesfines" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-feesfines.tsv")),
        "mod-patron-blocks" => module.contents(include_str!("mod-patron-blocks.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
