//! mod-users with its routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module, ReferenceData, Timer};

use crate::collections as own;
use crate::http::{
    address_types, departments, patron_pin, profile_pictures, proxies, settings, staging_users,
    timers, user_tenants, users,
};

/// Permissions that mod-users desires for reading users. The response does not depend on them.
const USER_VIEWS: &[&str] = &["users.basic-read.execute", "users.restricted-read.execute"];

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    vec![mod_users()]
}

fn mod_users() -> Module {
    Module::new("mod-users", "19.5.4")
        .writes("manualblocks")
        .permissions(include_str!("permissions.tsv"))
        .collection(own::groups())
        .collection(own::address_types())
        .collection(own::departments())
        .collection(own::users())
        .collection(own::proxies())
        .collection(own::CUSTOM_FIELDS.collection())
        .collection(own::patron_pins())
        .collection(own::staging_users())
        .collection(own::settings())
        .collection(own::user_tenants())
        .migration(
            "departments of users",
            include_str!("migrations/departments_of_users.sql"),
        )
        .migration(
            "custom field values",
            include_str!("migrations/custom_field_values.sql"),
        )
        .migration(
            "profile pictures",
            include_str!("migrations/profile_pictures.sql"),
        )
        .reference(ReferenceData::tsv(
            "groups",
            include_str!("reference/groups.tsv"),
        ))
        .reference(ReferenceData::tsv(
            "addresstype",
            include_str!("reference/addresstype.tsv"),
        ))
        .timer(Timer::every(
            1,
            "minute",
            "/users/expire/timer",
            Handler::call(timers::expire),
        ))
        .timer(Timer::every(
            30,
            "minute",
            "/users/outbox/process",
            Handler::call(timers::process_outbox),
        ))
        .timer(Timer::every(
            24,
            "hour",
            "/users/profile-picture/cleanup",
            Handler::call(timers::clear_pictures),
        ))
        .interface(users_interface())
        .interface(own::CUSTOM_FIELDS.interface("user-settings.custom-fields"))
        .interface(patron_pin_interface())
        .interface(user_tenants_interface())
        .interface(staging_users_interface())
        .interface(settings_interface())
}

fn users_interface() -> Interface {
    let path = "/users";
    let interface = Interface::new("users", "16.4")
        .satisfying(&["16.5"])
        .route(
            Method::GET,
            path,
            "users.collection.get",
            Handler::list("users"),
        )
        .desiring(USER_VIEWS)
        .by_id(Method::GET, path, "users.item.get", Handler::read("users"))
        .desiring(USER_VIEWS)
        .route(
            Method::POST,
            path,
            "users.item.post",
            Handler::transaction(users::create),
        )
        .by_id(
            Method::PUT,
            path,
            "users.item.put",
            Handler::transaction(users::change),
        )
        .by_id(
            Method::DELETE,
            path,
            "users.item.delete",
            Handler::transaction(users::delete),
        )
        .route(
            Method::DELETE,
            path,
            "users.collection.delete",
            Handler::call(users::delete_by_query),
        );
    described_by(with_pictures(interface))
}

fn with_pictures(interface: Interface) -> Interface {
    let (path, stem) = ("/users/profile-picture", "users.profile-picture");
    interface
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::call(profile_pictures::create),
        )
        .streaming()
        .by_id(
            Method::GET,
            path,
            &format!("{stem}.item.get"),
            Handler::call(profile_pictures::read),
        )
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::call(profile_pictures::replace),
        )
        .streaming()
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::call(profile_pictures::delete),
        )
        .route(
            Method::GET,
            "/users/configurations/entry",
            "users.configurations.item.get",
            Handler::call(profile_pictures::configuration),
        )
        .by_id(
            Method::PUT,
            "/users/configurations/entry",
            "users.configurations.item.put",
            Handler::transaction(profile_pictures::configure),
        )
}

/// Routes of groups, address types and the like that belong to the interface `users`.
fn described_by(interface: Interface) -> Interface {
    interface
        .records("/groups", "groups", "usergroups")
        .readable("/addresstypes", "addresstype", "addresstypes")
        .route(
            Method::POST,
            "/addresstypes",
            "addresstypes.item.post",
            Handler::create("addresstype"),
        )
        .by_id(
            Method::PUT,
            "/addresstypes",
            "addresstypes.item.put",
            Handler::replace("addresstype"),
        )
        .by_id(
            Method::DELETE,
            "/addresstypes",
            "addresstypes.item.delete",
            Handler::transaction(address_types::delete),
        )
        .records("/proxiesfor", "proxyfor", "proxiesfor")
        .hooked("/proxiesfor", &proxies::HOOKS)
        .records("/departments", "departments", "departments")
        .hooked("/departments", &departments::HOOKS)
}

fn patron_pin_interface() -> Interface {
    let path = "/patron-pin";
    Interface::new("patron-pin", "1.0")
        .route(
            Method::POST,
            path,
            "patron-pin.post",
            Handler::call(patron_pin::set),
        )
        .route(
            Method::DELETE,
            path,
            "patron-pin.delete",
            Handler::call(patron_pin::remove),
        )
        .route(
            Method::POST,
            "/patron-pin/verify",
            "patron-pin.validate",
            Handler::call(patron_pin::verify),
        )
}

fn user_tenants_interface() -> Interface {
    let path = "/user-tenants";
    Interface::new("user-tenants", "1.0")
        .route(
            Method::GET,
            path,
            "user-tenants.collection.get",
            Handler::call(user_tenants::list),
        )
        .route(
            Method::POST,
            path,
            "user-tenants.item.post",
            Handler::call(user_tenants::create),
        )
        .route(
            Method::DELETE,
            path,
            "user-tenants.item.delete",
            Handler::call(user_tenants::delete),
        )
}

fn staging_users_interface() -> Interface {
    let path = "/staging-users";
    Interface::new("staging-users", "1.2")
        .route(
            Method::GET,
            path,
            "staging-users.collection.get",
            Handler::list("staging_users"),
        )
        .route(
            Method::POST,
            path,
            "staging-users.item.post",
            Handler::call(staging_users::create),
        )
        .route(
            Method::PUT,
            "/staging-users/{id}/mergeOrCreateUser",
            "staging-users.item.put",
            Handler::transaction(staging_users::merge),
        )
        .route(
            Method::PUT,
            "/staging-users/{externalSystemId}",
            "staging-users.external-system-id.put",
            Handler::transaction(staging_users::change),
        )
}

fn settings_interface() -> Interface {
    let (path, stem) = ("/user/settings", "users.settings");
    Interface::new("users.settings", "2.0")
        .readable(path, "user_settings", stem)
        .route(
            Method::POST,
            path,
            &format!("{stem}.item.post"),
            Handler::create("user_settings"),
        )
        .by_id(
            Method::PUT,
            path,
            &format!("{stem}.item.put"),
            Handler::transaction(settings::change),
        )
        .by_id(
            Method::DELETE,
            path,
            &format!("{stem}.item.delete"),
            Handler::delete("user_settings"),
        )
        .hooked(path, &settings::HOOKS)
}
