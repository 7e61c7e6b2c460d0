//! The shapes of bodies and answers that are no records.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    ("invoices.document", include_str!("bodies/document.shape")),
    (
        "invoices.validate-fund-distributions",
        include_str!("bodies/validate-fund-distributions.shape"),
    ),
    (
        "invoices.sequence-number",
        include_str!("answers/sequence-number.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-invoice-storage" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-invoice-storage.tsv")),
        "mod-invoice" => module.contents(include_str!("mod-invoice.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
