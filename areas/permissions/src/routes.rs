//! mod-permissions with its routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{holders, permissions};
use crate::rules::assigning::{ASSIGN_IMMUTABLE, ASSIGN_MUTABLE, ASSIGN_OKAPI};
use crate::shapes;

/// Permissions that decide what a user may assign.
const ASSIGNING: &[&str] = &[ASSIGN_OKAPI, ASSIGN_IMMUTABLE, ASSIGN_MUTABLE];

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    shapes::declared(vec![mod_permissions()])
}

fn mod_permissions() -> Module {
    Module::new("mod-permissions", "6.7.1")
        .reads("users")
        .collection(own::permissions())
        .collection(own::permissions_users())
        .migration(
            "identity notices",
            include_str!("migrations/identity_notices.sql"),
        )
        .migration(
            "permission assignments",
            include_str!("migrations/assignments.sql"),
        )
        .migration(
            "forget users' permissions",
            include_str!("migrations/forget_users.sql"),
        )
        .permissions(include_str!("permissions.tsv"))
        .system("_tenantPermissions", "2.1")
        .emptying("permissions_announced")
        .interface(with_permissions(with_holders(Interface::new(
            "permissions",
            "5.8",
        ))))
}

fn with_holders(interface: Interface) -> Interface {
    interface
        .route(
            Method::GET,
            "/perms/users",
            "perms.users.get",
            Handler::call(holders::list),
        )
        .route(
            Method::POST,
            "/perms/users",
            "perms.users.item.post",
            Handler::transaction(holders::create),
        )
        .desiring(ASSIGNING)
        .route(
            Method::GET,
            "/perms/users/{id}",
            "perms.users.get",
            Handler::call(holders::read),
        )
        .route(
            Method::PUT,
            "/perms/users/{id}",
            "perms.users.item.put",
            Handler::transaction(holders::replace),
        )
        .desiring(ASSIGNING)
        .route(
            Method::DELETE,
            "/perms/users/{id}",
            "perms.users.item.delete",
            Handler::transaction(holders::delete),
        )
        .desiring(ASSIGNING)
        .route(
            Method::GET,
            "/perms/users/{id}/permissions",
            "perms.users.get",
            Handler::call(holders::held),
        )
        .route(
            Method::POST,
            "/perms/users/{id}/permissions",
            "perms.users.item.post",
            Handler::transaction(holders::give),
        )
        .desiring(ASSIGNING)
        .route(
            Method::DELETE,
            "/perms/users/{id}/permissions/{permissionname}",
            "perms.users.item.delete",
            Handler::transaction(holders::take),
        )
        .desiring(ASSIGNING)
}

fn with_permissions(interface: Interface) -> Interface {
    interface
        .route(
            Method::GET,
            "/perms/permissions",
            "perms.permissions.get",
            Handler::call(permissions::list),
        )
        .route(
            Method::POST,
            "/perms/permissions",
            "perms.permissions.item.post",
            Handler::transaction(permissions::create),
        )
        .desiring(ASSIGNING)
        .route(
            Method::GET,
            "/perms/permissions/{id}",
            "perms.permissions.get",
            Handler::call(permissions::read),
        )
        .route(
            Method::PUT,
            "/perms/permissions/{id}",
            "perms.permissions.item.put",
            Handler::transaction(permissions::replace),
        )
        .desiring(ASSIGNING)
        .route(
            Method::DELETE,
            "/perms/permissions/{id}",
            "perms.permissions.item.delete",
            Handler::transaction(permissions::delete),
        )
        .route(
            Method::POST,
            "/perms/purge-deprecated",
            "perms.permissions.purge-deprecated.post",
            Handler::transaction(permissions::purge),
        )
}
