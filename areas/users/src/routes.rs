//! The FOLIO modules of this area with their generic routes: mod-users, mod-permissions and
//! mod-login.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, ReferenceData};

use crate::collections as own;
use crate::http;

/// Permissions that decide how much of a user a look-up shows.
const USER_VIEWS: &[&str] = &["users.basic-read.execute", "users.restricted-read.execute"];

/// The modules of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_users(), mod_permissions(), mod_login()]
}

fn mod_users() -> Module {
    Module::new("mod-users", "19.5.0")
        .collection(own::groups())
        .collection(own::address_types())
        .collection(own::departments())
        .collection(own::users())
        .collection(own::proxies())
        .reference(ReferenceData::tsv(
            "groups",
            include_str!("reference/groups.tsv"),
        ))
        .reference(ReferenceData::tsv(
            "addresstype",
            include_str!("reference/addresstype.tsv"),
        ))
        .interface(users())
}

fn users() -> Interface {
    Interface::new("users", "16.5")
        .route(
            Method::GET,
            "/users",
            "users.collection.get",
            Handler::list("users"),
        )
        .desiring(USER_VIEWS)
        .by_id(
            Method::GET,
            "/users",
            "users.item.get",
            Handler::read("users"),
        )
        .desiring(USER_VIEWS)
        .route(
            Method::POST,
            "/users",
            "users.item.post",
            Handler::create("users"),
        )
        .by_id(
            Method::PUT,
            "/users",
            "users.item.put",
            Handler::replace("users"),
        )
        .by_id(
            Method::DELETE,
            "/users",
            "users.item.delete",
            Handler::delete("users"),
        )
        .delete_by_query("/users", "users", "users.collection.delete")
        .records("/groups", "groups", "usergroups")
        .records("/addresstypes", "addresstype", "addresstypes")
        .records("/proxiesfor", "proxyfor", "proxiesfor")
        .records("/departments", "departments", "departments")
}

fn mod_permissions() -> Module {
    Module::new("mod-permissions", "6.6.0")
        .collection(own::permissions())
        .collection(own::permissions_users())
        .migration(
            "identity notices",
            include_str!("migrations/identity_notices.sql"),
        )
}

fn mod_login() -> Module {
    Module::new("mod-login", "7.12.1")
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
