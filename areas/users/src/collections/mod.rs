//! Users and what describes them: patron groups, address types, proxies and departments.

mod others;

use octavo_records::{Collection, Index, QueryRefusal, SearchRows};

pub use others::{CUSTOM_FIELDS, patron_pins, settings, staging_users, user_tenants};

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
    Collection::new(
        "groups",
        "usergroups",
        include_str!("../shapes/groups.shape"),
    )
    .reads_cached()
    .keeping_unknown()
    .path_id_wins()
    .events("users.userGroup")
    .index(Index::unique("group"))
}

/// The types of addresses.
#[must_use]
pub fn address_types() -> Collection {
    Collection::new(
        "addresstype",
        "addressTypes",
        include_str!("../shapes/addresstype.shape"),
    )
    .reads_cached()
    .path_id_wins()
    .index(Index::unique("addressType"))
}

/// The departments that users belong to.
#[must_use]
pub fn departments() -> Collection {
    Collection::new(
        "departments",
        "departments",
        include_str!("../shapes/departments.shape"),
    )
    .reads_cached()
    .listed_conflicts()
    .index(Index::unique("name").refusing("Department with this name already exists"))
    .index(Index::unique("code").refusing("Department with this code already exists"))
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
    let mut users = Collection::new("users", "users", include_str!("../shapes/users.shape"))
        .with_result_info()
        .refusing_queries(QueryRefusal::Quoting)
        .events("users.users")
        .crossing("patronGroup", "groups", "users", "patronGroup")
        .index(Index::unique("username").refusing("User with this username already exists"))
        .index(Index::unique("barcode").refusing("This barcode has already been taken"))
        .index(Index::unique("externalSystemId"))
        .index(Index::plain("personal.firstName"))
        .index(Index::plain("personal.lastName"))
        .index(Index::plain("personal.middleName"))
        .index(Index::plain("personal.email"))
        .index(Index::plain("personal.phone"))
        .index(Index::plain("personal.mobilePhone"))
        .index(Index::plain("type"))
        .index(
            Index::plain("expirationDate")
                .case_sensitive()
                .keep_accents(),
        )
        .index(expiring())
        .index(
            Index::plain("personal.profilePictureLink")
                .case_sensitive()
                .keep_accents()
                .when("jsonb->'personal'->>'profilePictureLink' IS NOT NULL"),
        )
        .index(Index::full_text("departments"))
        .index(Index::full_text("addressTypes").over(&["personal.addresses[*].addressTypeId"]));
    users.indexes.extend(inner.into_iter().map(Index::gin));
    users
        .indexes
        .extend(words.into_iter().map(Index::full_text));
    // As Stripes asks for what is typed into its form: each word with a star behind it, by name.
    let rows = SearchRows::of("keywords", &["personal.lastName", "personal.firstName"]);
    users
        .index(Index::full_text("keywords").over(&KEYWORDS))
        .search_rows(rows)
}

/// Active users by the end of their membership: read by the timer that makes users inactive. Partial, so
/// that it stays small however many inactive users there are.
#[must_use]
pub fn expiring() -> Index {
    Index::plain("expiring")
        .case_sensitive()
        .keep_accents()
        .expression("jsonb->>'expirationDate'")
        .when("jsonb->>'active' = 'true'")
}

/// Proxies and their sponsors.
#[must_use]
pub fn proxies() -> Collection {
    Collection::new(
        "proxyfor",
        "proxiesFor",
        include_str!("../shapes/proxyfor.shape"),
    )
    .path_id_wins()
    .index(Index::plain("userId").keep_accents())
    .index(Index::plain("proxyUserId").keep_accents())
    .index(
        Index::unique("userId")
            .keep_accents()
            .with(&["proxyUserId"])
            .refusing("Proxy relationship already exists"),
    )
}
