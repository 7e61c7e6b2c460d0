//! Credentials. They have no generic routes: hashes must not be listed.

use octavo_records::{Collection, Index};

/// The hashed passwords, one a user.
#[must_use]
pub fn auth_credentials() -> Collection {
    Collection::new(
        "auth_credentials",
        "credentials",
        include_str!("shapes/auth_credentials.shape"),
    )
    .index(Index::unique("userId").keep_accents())
}

/// The failed logins, one record a user.
#[must_use]
pub fn auth_attempts() -> Collection {
    Collection::new(
        "auth_attempts",
        "loginAttempts",
        include_str!("shapes/auth_attempts.shape"),
    )
    .index(Index::unique("userId").keep_accents())
}
