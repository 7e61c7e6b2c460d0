//! mod-users with its routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, ReferenceData};

use crate::collections as own;

/// Permissions that decide how much of a user a look-up shows.
const USER_VIEWS: &[&str] = &["users.basic-read.execute", "users.restricted-read.execute"];

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_users()]
}

fn mod_users() -> Module {
    Module::new("mod-users", "19.5.0")
        .permissions(include_str!("permissions.tsv"))
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
