//! What a user may do and how they prove who they are. The records here never leave through a
//! generic route: hashes must not be listed, and permissions are changed by rules of their own.

use octavo_records::{Collection, Index};

/// The hashed passwords, one a user.
#[must_use]
pub fn auth_credentials() -> Collection {
    Collection::new(
        "auth_credentials",
        "credentials",
        include_str!("../shapes/auth_credentials.shape"),
    )
    .index(Index::unique("userId").keep_accents())
}

/// The failed logins, one record a user.
#[must_use]
pub fn auth_attempts() -> Collection {
    Collection::new(
        "auth_attempts",
        "loginAttempts",
        include_str!("../shapes/auth_attempts.shape"),
    )
    .index(Index::unique("userId").keep_accents())
}

/// The permissions that modules and libraries defined. Their names differ by case.
#[must_use]
pub fn permissions() -> Collection {
    Collection::new(
        "permissions",
        "permissions",
        include_str!("../shapes/permissions.shape"),
    )
    .plain_conflicts()
    .index(
        Index::unique("permissionName")
            .case_sensitive()
            .keep_accents(),
    )
    .index(Index::gin("permissionName"))
}

/// Which permissions each user was given.
#[must_use]
pub fn permissions_users() -> Collection {
    Collection::new(
        "permissions_users",
        "permissionUsers",
        include_str!("../shapes/permissions_users.shape"),
    )
    .plain_conflicts()
    .index(Index::unique("userId").case_sensitive().keep_accents())
}
