//! What is kept of passwords beside the current one: those before it, and the rights to reset it.
//! Like the credentials, none of it leaves through a generic route.

use octavo_records::{Collection, Index};

/// The hashes of earlier passwords, the latest few a user.
#[must_use]
pub fn auth_credentials_history() -> Collection {
    Collection::new(
        "auth_credentials_history",
        "credentialsHistory",
        include_str!("shapes/auth_credentials_history.shape"),
    )
    .index(by_user())
}

/// The rights to reset a password that were given out and not used.
#[must_use]
pub fn auth_password_action() -> Collection {
    Collection::new(
        "auth_password_action",
        "passwordActions",
        include_str!("shapes/auth_password_action.shape"),
    )
    .index(by_user())
}

/// How both are found.
#[must_use]
pub fn by_user() -> Index {
    Index::plain("userId").keep_accents()
}

/// The table of the rules for new passwords.
pub const VALIDATION_RULES: &str = "validationrules";

/// The rules that new passwords are checked by.
#[must_use]
pub fn validation_rules() -> Collection {
    Collection::new(
        VALIDATION_RULES,
        "rules",
        include_str!("shapes/validation_rule.shape"),
    )
    .dropping_unknown()
    .index(Index::unique("name").case_sensitive().keep_accents())
}
