//! mod-authtoken and mod-login with their routes, and the area's modules.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http;
use crate::password_routes;
use crate::shapes;
use crate::validation_routes::mod_password_validator;

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![mod_authtoken(), mod_login(), mod_password_validator()])
}

fn mod_authtoken() -> Module {
    Module::new("mod-authtoken", "2.17.0")
        .system("_tenant", "2.0")
        .migration("sessions", include_str!("migrations/sessions.sql"))
        .needs(include_str!("needs/mod-authtoken.tsv"))
        .permissions(include_str!("permissions/mod-authtoken.tsv"))
        .interface(
            Interface::new("authtoken", "2.1")
                // No permission is declared: handlers check that it is in the token itself.
                .route(
                    Method::POST,
                    "/token",
                    "auth.token.post",
                    Handler::call(http::tokens::sign_endless),
                )
                .route(
                    Method::POST,
                    "/refreshtoken",
                    "auth.refreshtoken.post",
                    Handler::call(http::tokens::sign_refresh),
                ),
        )
        .interface(
            Interface::new("authtoken2", "1.1")
                .route(
                    Method::POST,
                    "/token/sign",
                    "auth.token.sign.post",
                    Handler::call(http::tokens::sign),
                )
                .route(
                    Method::POST,
                    "/token/refresh",
                    "auth.token.refresh.post",
                    Handler::call(http::tokens::refresh),
                )
                .logged_in(
                    Method::POST,
                    "/token/invalidate",
                    Handler::call(http::tokens::invalidate),
                )
                .logged_in(
                    Method::POST,
                    "/token/invalidate-all",
                    Handler::call(http::tokens::invalidate_all),
                ),
        )
}

fn mod_login() -> Module {
    password_routes::collections(Module::new("mod-login", "7.13.2"))
        .needs(include_str!("needs/mod-login.tsv"))
        .reads("config_data")
        .writes("permissions_users users")
        .migration("forget users", include_str!("migrations/forget_users.sql"))
        .permissions(include_str!("permissions/mod-login.tsv"))
        .collection(own::auth_credentials())
        .collection(own::auth_attempts())
        .interface(
            password_routes::routes(Interface::new("login", "7.3"))
                .public(
                    Method::POST,
                    "/authn/login",
                    Handler::call(http::login::login),
                )
                .public(
                    Method::POST,
                    "/authn/login-with-expiry",
                    Handler::call(http::login::login_with_expiry),
                )
                .public(
                    Method::POST,
                    "/authn/refresh",
                    Handler::call(http::refresh::refresh),
                )
                .public(
                    Method::POST,
                    "/authn/logout",
                    Handler::call(http::refresh::logout),
                )
                .public(
                    Method::POST,
                    "/authn/logout-all",
                    Handler::call(http::refresh::logout_all),
                )
                .route(
                    Method::GET,
                    "/authn/loginAttempts/{id}",
                    "login.attempts.item.get",
                    Handler::call(http::attempts::login_attempts),
                ),
        )
}
