//! mod-users-bl with its routes.

use ::http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::http::{composites, forgotten, login, passwords, transactions};
use crate::shapes;

/// The module of this area.
#[must_use]
pub fn modules() -> Vec<Module> {
    let interface = secrets(users(Interface::new("users-bl", "6.1")));
    shapes::declared(vec![
        Module::new("mod-users-bl", "7.10.4")
            .reads(
                "accounts base_url config_data groups loan manualblocks permissions \
                 proxyfor request service_point service_point_user setting_entry users",
            )
            .writes("permissions_users user_request_preference")
            .needs(include_str!("needs.tsv"))
            .permissions(include_str!("permissions.tsv"))
            .interface(interface),
    ])
}

fn users(interface: Interface) -> Interface {
    interface
        .route(
            Method::GET,
            "/bl-users",
            "users-bl.collection.get",
            Handler::call(composites::list),
        )
        .route(
            Method::POST,
            "/bl-users",
            "users-bl.item.post",
            Handler::transaction(composites::create),
        )
        .desiring(&["perms.users.item.post"])
        .route(
            Method::PUT,
            "/bl-users/{id}",
            "users-bl.item.put",
            Handler::transaction(composites::replace),
        )
        .desiring(&["perms.users.item.put"])
        .logged_in(
            Method::GET,
            "/bl-users/_self",
            Handler::call(composites::own),
        )
        .route(
            Method::GET,
            "/bl-users/by-id/{id}",
            "users-bl.item.get",
            Handler::call(composites::by_id),
        )
        .route(
            Method::DELETE,
            "/bl-users/by-id/{id}",
            "users-bl.item.delete",
            Handler::transaction(composites::delete),
        )
        .route(
            Method::GET,
            "/bl-users/by-id/{id}/open-transactions",
            "users-bl.transactions.get",
            Handler::call(transactions::by_id),
        )
        .route(
            Method::GET,
            "/bl-users/by-username/{id}",
            "users-bl.users-by-username.item.get",
            Handler::call(composites::by_username),
        )
        .route(
            Method::GET,
            "/bl-users/by-username/{id}/open-transactions",
            "users-bl.transactions-by-username.get",
            Handler::call(transactions::by_username),
        )
}

fn secrets(interface: Interface) -> Interface {
    interface
        .public(Method::POST, "/bl-users/login", Handler::call(login::login))
        .public(
            Method::POST,
            "/bl-users/login-with-expiry",
            Handler::call(login::login_with_expiry),
        )
        .public(
            Method::POST,
            "/bl-users/forgotten/password",
            Handler::call(forgotten::password),
        )
        .public(
            Method::POST,
            "/bl-users/forgotten/username",
            Handler::call(forgotten::username),
        )
        .logged_in(
            Method::POST,
            "/bl-users/settings/myprofile/password",
            Handler::call(passwords::change),
        )
        .route(
            Method::POST,
            "/bl-users/password-reset/link",
            "users-bl.password-reset-link.generate",
            Handler::call(passwords::link),
        )
        .route(
            Method::POST,
            "/bl-users/password-reset/validate",
            "users-bl.password-reset-link.validate",
            Handler::call(passwords::validate),
        )
        .route(
            Method::POST,
            "/bl-users/password-reset/reset",
            "users-bl.password-reset-link.reset",
            Handler::call(passwords::reset),
        )
}
