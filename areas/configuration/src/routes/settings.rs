//! mod-settings: settings by scope, locale, base URL and the library's addresses.

use http::Method;
use octavo_platform::{Handler, Interface, Module};

use crate::collections as own;
use crate::http::{base_url, locale, settings, tenant_addresses};

const ENTRIES: &str = "/settings/entries";
const ADDRESSES: &str = "/tenant-addresses";

/// The permissions that handlers check; their names end with the scope.
const BY_SCOPE: &[&str] = &[
    "mod-settings.global.*",
    "mod-settings.users.*",
    "mod-settings.owner.*",
];

pub(super) fn module() -> Module {
    Module::new("mod-settings", "1.2.0")
        .permissions(include_str!("../permissions/settings.tsv"))
        .collection(own::settings())
        .collection(own::tenant_addresses())
        .collection(own::locale())
        .collection(own::base_url())
        .interface(settings_interface())
        .interface(locale_interface())
        .interface(base_url_interface())
        .interface(addresses_interface())
}

fn settings_interface() -> Interface {
    Interface::new("settings", "1.2")
        .route(
            Method::POST,
            ENTRIES,
            "mod-settings.entries.item.post",
            Handler::create("setting_entry"),
        )
        .desiring(BY_SCOPE)
        .route(
            Method::GET,
            ENTRIES,
            "mod-settings.entries.collection.get",
            Handler::list("setting_entry"),
        )
        .desiring(BY_SCOPE)
        .by_id(
            Method::GET,
            ENTRIES,
            "mod-settings.entries.item.get",
            Handler::read("setting_entry"),
        )
        .desiring(BY_SCOPE)
        .by_id(
            Method::PUT,
            ENTRIES,
            "mod-settings.entries.item.put",
            Handler::transaction(settings::replace),
        )
        .desiring(BY_SCOPE)
        .by_id(
            Method::DELETE,
            ENTRIES,
            "mod-settings.entries.item.delete",
            Handler::transaction(settings::delete),
        )
        .desiring(BY_SCOPE)
        .hooked(ENTRIES, &settings::HOOKS)
        .route(
            Method::PUT,
            "/settings/upload",
            "mod-settings.entries.put",
            Handler::transaction(settings::upload),
        )
        .desiring(BY_SCOPE)
}

fn locale_interface() -> Interface {
    Interface::new("locale", "1.0")
        .route(
            Method::GET,
            "/locale",
            "locale.item.get",
            Handler::call(locale::read),
        )
        .route(
            Method::PUT,
            "/locale",
            "locale.item.put",
            Handler::call(locale::replace),
        )
}

fn base_url_interface() -> Interface {
    Interface::new("base-url", "1.0")
        .route(
            Method::GET,
            "/base-url",
            "base-url.item.get",
            Handler::call(base_url::read),
        )
        .route(
            Method::PUT,
            "/base-url",
            "base-url.item.put",
            Handler::call(base_url::replace),
        )
}

fn addresses_interface() -> Interface {
    Interface::new("tenant-addresses", "1.0")
        .records(ADDRESSES, "tenant_address", "tenant-addresses")
        .hooked(ADDRESSES, &tenant_addresses::HOOKS)
}
