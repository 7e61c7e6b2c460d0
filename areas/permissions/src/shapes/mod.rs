//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "permissions.permission-name-list-object",
        include_str!("answers/permission-name-list-object.shape"),
    ),
    (
        "permissions.permission-name-object",
        include_str!("answers/permission-name-object.shape"),
    ),
    (
        "permissions.permission-user-list-object",
        include_str!("answers/permission-user-list-object.shape"),
    ),
    (
        "permissions.permission-user",
        include_str!("answers/permission-user.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-permissions" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-permissions.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
