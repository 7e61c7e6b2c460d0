//! Users and what describes them: patron groups, address types, proxies and departments.

use octavo_records::{Collection, Index};

/// The properties that a search by `keywords` looks into.
const KEYWORDS: [&str; 10] = [
    "username",
    "personal.firstName",
    "personal.preferredFirstName",
    "personal.lastName",
    "personal.middleName",
    "personal.email",
    "barcode",
    "id",
    "externalSystemId",
    "customFields",
];

/// The patron groups.
#[must_use]
pub fn groups() -> Collection {
    Collection::new("groups", "usergroups", include_str!("shapes/groups.shape"))
        .events("users.userGroup")
        .index(Index::unique("group"))
}

/// What an address can be for.
#[must_use]
pub fn address_types() -> Collection {
    Collection::new(
        "addresstype",
        "addressTypes",
        include_str!("shapes/addresstype.shape"),
    )
    .index(Index::unique("addressType"))
}

/// The departments that users belong to.
#[must_use]
pub fn departments() -> Collection {
    Collection::new(
        "departments",
        "departments",
        include_str!("shapes/departments.shape"),
    )
    .listed_conflicts()
    .index(Index::unique("name"))
    .index(Index::unique("code"))
}

/// The users. CQL reaches the group of a user as `patronGroup.group`.
#[must_use]
pub fn users() -> Collection {
    let words = [
        "username",
        "barcode",
        "externalSystemId",
        "personal.firstName",
        "personal.middleName",
        "personal.lastName",
        "personal.preferredFirstName",
        "personal.email",
        "customFields",
    ];
    let inner = [
        "username",
        "barcode",
        "externalSystemId",
        "personal.firstName",
        "personal.lastName",
        "personal.email",
    ];
    let mut users = Collection::new("users", "users", include_str!("shapes/users.shape"))
        .events("users.users")
        .crossing("patronGroup", "groups", "users", "patronGroup")
        .index(Index::unique("username").refusing("User with this username already exists"))
        .index(Index::unique("barcode").refusing("This barcode has already been taken"))
        .index(Index::unique("externalSystemId"))
        .index(Index::plain("personal.firstName"))
        .index(Index::plain("personal.lastName"))
        .index(Index::plain("personal.middleName"))
        .index(Index::plain("type"))
        .index(
            Index::plain("expirationDate")
                .case_sensitive()
                .keep_accents(),
        );
    users.indexes.extend(inner.into_iter().map(Index::gin));
    users
        .indexes
        .extend(words.into_iter().map(Index::full_text));
    users.index(Index::full_text("keywords").over(&KEYWORDS))
}

/// Who may borrow on behalf of whom.
#[must_use]
pub fn proxies() -> Collection {
    Collection::new(
        "proxyfor",
        "proxiesFor",
        include_str!("shapes/proxyfor.shape"),
    )
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("proxyUserId").keep_accents())
}
