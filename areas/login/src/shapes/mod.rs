//! The shapes of bodies and answers that are no records, and the routes that have them. Tests compare
//! every body and answer with its shape; the program only describes them.

use octavo_platform::Module;

const SHAPES: &[(&str, &str)] = &[
    (
        "login.credentials-existence",
        include_str!("answers/credentials-existence.shape"),
    ),
    (
        "login.login-attempts",
        include_str!("answers/login-attempts.shape"),
    ),
    (
        "login.login-response-with-expiry",
        include_str!("answers/login-response-with-expiry.shape"),
    ),
    (
        "login.login-response",
        include_str!("answers/login-response.shape"),
    ),
    (
        "login.password-valid",
        include_str!("answers/password-valid.shape"),
    ),
    (
        "login.response-create-action",
        include_str!("answers/response-create-action.shape"),
    ),
    (
        "login.login-credentials",
        include_str!("bodies/login-credentials.shape"),
    ),
    ("login.password", include_str!("bodies/password.shape")),
    (
        "login.update-credentials",
        include_str!("bodies/update-credentials.shape"),
    ),
];

/// The modules with their contents.
pub(crate) fn declared(modules: Vec<Module>) -> Vec<Module> {
    let with_contents = |module: Module| match module.name {
        "mod-login" => module
            .shapes(SHAPES)
            .contents(include_str!("mod-login.tsv")),
        _ => module,
    };
    modules.into_iter().map(with_contents).collect()
}
