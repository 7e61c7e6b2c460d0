//! The record types of permissions. They have no generic routes for changes.

use octavo_records::{Collection, Index, QueryRefusal};

/// The permissions that modules and libraries defined. Their names differ by case.
#[must_use]
pub fn permissions() -> Collection {
    Collection::new(
        "permissions",
        "permissions",
        include_str!("shapes/permissions.shape"),
    )
    .plain_conflicts()
    .index(
        Index::unique("permissionName")
            .case_sensitive()
            .keep_accents(),
    )
    .index(Index::gin("permissionName"))
}

/// Permission users: the permissions assigned to each user.
#[must_use]
pub fn permissions_users() -> Collection {
    Collection::new(
        "permissions_users",
        "permissionUsers",
        include_str!("shapes/permissions_users.shape"),
    )
    .plain_conflicts()
    .refusing_queries(QueryRefusal::Quoting)
    .index(Index::unique("userId").case_sensitive().keep_accents())
}
