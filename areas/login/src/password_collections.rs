//! Password history, password reset actions and validation rules. Like the credentials, the first two
//! have no generic routes.

use octavo_records::{Collection, Index};

/// The hashes of earlier passwords, the latest few of each user.
#[must_use]
pub fn auth_credentials_history() -> Collection {
    Collection::new(
        "auth_credentials_history",
        "credentialsHistory",
        include_str!("shapes/auth_credentials_history.shape"),
    )
    .index(by_user())
}

/// Unused password reset actions.
#[must_use]
pub fn auth_password_action() -> Collection {
    Collection::new(
        "auth_password_action",
        "passwordActions",
        include_str!("shapes/auth_password_action.shape"),
    )
    .index(by_user())
}

/// The index that both are found by.
#[must_use]
pub fn by_user() -> Index {
    Index::plain("userId").keep_accents()
}

/// The table of the rules for new passwords.
pub const VALIDATION_RULES: &str = "validationrules";

/// The validation rules for new passwords.
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
