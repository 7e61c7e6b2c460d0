//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "users-bl.composite-user-list-object",
        include_str!("answers/composite-user-list-object.shape"),
    ),
    (
        "users-bl.composite-user",
        include_str!("answers/composite-user.shape"),
    ),
    (
        "users-bl.generate-link-response",
        include_str!("answers/generate-link-response.shape"),
    ),
    (
        "users-bl.listed-composite-user",
        include_str!("answers/listed-composite-user.shape"),
    ),
    (
        "users-bl.open-transactions",
        include_str!("answers/open-transactions.shape"),
    ),
    (
        "users-bl.permission-user",
        include_str!("answers/permission-user.shape"),
    ),
    (
        "users-bl.servicepointsexpandeduser",
        include_str!("answers/servicepointsexpandeduser.shape"),
    ),
    (
        "users-bl.token-expiration",
        include_str!("answers/token-expiration.shape"),
    ),
    (
        "users-bl.generate-link-request",
        include_str!("bodies/generate-link-request.shape"),
    ),
    (
        "users-bl.identifier",
        include_str!("bodies/identifier.shape"),
    ),
    (
        "users-bl.login-credentials",
        include_str!("bodies/login-credentials.shape"),
    ),
    (
        "users-bl.password-reset",
        include_str!("bodies/password-reset.shape"),
    ),
    (
        "users-bl.update-credentials",
        include_str!("bodies/update-credentials.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-users-bl" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-users-bl.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
