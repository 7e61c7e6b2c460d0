//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    ("audit.diff", include_str!("answers/diff.shape")),
    (
        "audit.inventory-changes",
        include_str!("answers/inventory-changes.shape"),
    ),
    (
        "audit.marc-changes",
        include_str!("answers/marc-changes.shape"),
    ),
    (
        "audit.order-events",
        include_str!("answers/order-events.shape"),
    ),
    (
        "audit.order-line-events",
        include_str!("answers/order-line-events.shape"),
    ),
    (
        "audit.piece-events",
        include_str!("answers/piece-events.shape"),
    ),
    (
        "audit.invoice-events",
        include_str!("answers/invoice-events.shape"),
    ),
    (
        "audit.invoice-line-events",
        include_str!("answers/invoice-line-events.shape"),
    ),
    (
        "audit.organization-events",
        include_str!("answers/organization-events.shape"),
    ),
    ("audit.log-record", include_str!("bodies/log-record.shape")),
    ("audit.setting", include_str!("bodies/setting.shape")),
    (
        "audit.setting-groups",
        include_str!("answers/setting-groups.shape"),
    ),
    ("audit.settings", include_str!("answers/settings.shape")),
];

/// The module with its contents.
pub(crate) fn declared(module: Module) -> Module {
    module
        .shapes(SHAPES)
        .contents(include_str!("mod-audit.tsv"))
}
