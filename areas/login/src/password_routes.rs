//! The part of mod-login that is about passwords themselves: collections and routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::http::{credentials, password_reset};
use crate::password_collections as own;

/// Adds the record types.
#[must_use]
pub fn collections(module: Module) -> Module {
    module
        .collection(own::auth_credentials_history())
        .collection(own::auth_password_action())
}

/// Adds the routes to the interface `login`.
#[must_use]
pub fn routes(interface: Interface) -> Interface {
    interface
        .route(
            Method::POST,
            "/authn/credentials",
            "login.item.post",
            Handler::call(credentials::create),
        )
        .route(
            Method::DELETE,
            "/authn/credentials",
            "login.item.delete",
            Handler::call(credentials::delete),
        )
        .route(
            Method::GET,
            "/authn/credentials-existence",
            "login.credentials-existence.get",
            Handler::call(credentials::existence),
        )
        .logged_in(
            Method::POST,
            "/authn/update",
            Handler::call(credentials::update),
        )
        .route(
            Method::POST,
            "/authn/password/repeatable",
            "login.password.validate",
            Handler::call(credentials::repeatable),
        )
        .route(
            Method::POST,
            "/authn/password-reset-action",
            "login.password-reset-action.post",
            Handler::call(password_reset::create_action),
        )
        .route(
            Method::GET,
            "/authn/password-reset-action/{actionId}",
            "login.password-reset-action.get",
            Handler::call(password_reset::read_action),
        )
        .route(
            Method::POST,
            "/authn/reset-password",
            "login.password-reset.post",
            Handler::call(password_reset::reset),
        )
}
