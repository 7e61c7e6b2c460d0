//! The record types of mod-settings. Their texts are compared as they are written.

use octavo_records::{Collection, Index};

/// The table of the tenant's locale.
pub const LOCALE: &str = "locale";
/// The table of the front end's address.
pub const BASE_URL: &str = "base_url";

/// Settings by scope and key, of the tenant or of one user.
///
/// A setting of the tenant is unique by scope and key, one of a user by scope, key and user.
#[must_use]
pub fn settings() -> Collection {
    let mut collection = Collection::new(
        "setting_entry",
        "items",
        include_str!("../shapes/setting_entry.shape"),
    )
    .plain_conflicts()
    .with_total_in_info()
    .index(whole(Index::plain("scope"), "scope"))
    .index(whole(Index::plain("key"), "key"))
    .index(Index::plain("userId"))
    .index(unique("global", &["key"], "(jsonb->'userId') IS NULL"))
    .index(unique(
        "users",
        &["key", "userId"],
        "(jsonb->'userId') IS NOT NULL",
    ));
    collection.shape.root.open = true;
    collection
}

fn unique(name: &str, with: &[&str], condition: &str) -> Index {
    Index::unique(name)
        .over(&["scope"])
        .with(with)
        .case_sensitive()
        .keep_accents()
        .when(condition)
}

/// Both `=` and `==` compare the whole value, with wildcards, as mod-settings does.
fn whole(index: Index, field: &str) -> Index {
    index.expression(&format!("jsonb->>'{field}'")).term("$")
}

/// Postal addresses of the library.
#[must_use]
pub fn tenant_addresses() -> Collection {
    Collection::new(
        "tenant_address",
        "addresses",
        include_str!("../shapes/tenant_address.shape"),
    )
    .with_result_info()
    .index(whole(Index::unique("name"), "name"))
    .index(whole(Index::plain("address"), "address"))
}

/// The tenant's locale, once it was set.
#[must_use]
pub fn locale() -> Collection {
    Collection::new(LOCALE, "locale", include_str!("../shapes/locale.shape"))
}

/// The address of the front end, once it was set.
#[must_use]
pub fn base_url() -> Collection {
    Collection::new(
        BASE_URL,
        "baseUrl",
        include_str!("../shapes/base_url.shape"),
    )
}
