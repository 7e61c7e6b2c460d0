//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "authorities.authority-page",
        include_str!("answers/authority-page.shape"),
    ),
    (
        "authorities.listed-authority",
        include_str!("answers/listed-authority.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-entities-links" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-entities-links.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
