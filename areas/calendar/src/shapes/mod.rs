//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "calendar.single-day-opening-collection",
        include_str!("answers/single-day-opening-collection.shape"),
    ),
    (
        "calendar.single-day-opening-range",
        include_str!("answers/single-day-opening-range.shape"),
    ),
    (
        "calendar.single-day-opening",
        include_str!("answers/single-day-opening.shape"),
    ),
    (
        "calendar.surrounding-openings",
        include_str!("answers/surrounding-openings.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-calendar" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-calendar.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
