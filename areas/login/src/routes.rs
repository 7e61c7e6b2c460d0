//! mod-login with its routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_login()]
}

fn mod_login() -> Module {
    Module::new("mod-login", "7.12.1")
        .permissions(include_str!("permissions/mod-login.tsv"))
        .collection(own::auth_credentials())
        .collection(own::auth_attempts())
        .interface(
            Interface::new("login", "7.3")
                .public(
                    Method::POST,
                    "/authn/login",
                    Handler::call(http::login::login),
                )
                .public(
                    Method::POST,
                    "/authn/login-with-expiry",
                    Handler::call(http::login::login_with_expiry),
                ),
        )
}
