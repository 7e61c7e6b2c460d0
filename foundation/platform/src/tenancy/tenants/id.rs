//! The validation of tenant ids: Okapi's rule, with Okapi's messages.

use octavo_records::Tenant;

/// Okapi's limit.
const ID_CHARS_MAX: usize = 31;
/// How much of an invalid id a message repeats.
const SHOWN_CHARS_MAX: usize = 64;

/// Why an id is invalid for a tenant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TenantIdRefusal {
    /// `a_b`.
    #[error("Tenant id must not contain underscore: {0}")]
    Underscore(String),
    /// `a-b`.
    #[error("Tenant id must not contain minus: {0}")]
    Minus(String),
    /// More than 31 characters.
    #[error("Tenant id must not exceed 31 characters: {0}")]
    TooLong(String),
    /// `1a`.
    #[error("Tenant id must not start with a digit: {0}")]
    StartsWithDigit(String),
    /// Anything else.
    #[error(
        "Invalid tenant id, may only contain a-z and 0-9 and must match '[a-z][a-z0-9]{{0,30}}' \
         but it is {0}"
    )]
    Invalid(String),
}

/// The tenant with this id.
///
/// # Errors
/// Why the id is invalid.
pub fn tenant_of(id: &str) -> Result<Tenant, TenantIdRefusal> {
    Tenant::new(id).map_err(|_| {
        let shown: String = id.chars().take(SHOWN_CHARS_MAX).collect();
        if id.contains('_') {
            TenantIdRefusal::Underscore(shown)
        } else if id.contains('-') {
            TenantIdRefusal::Minus(shown)
        } else if id.chars().count() > ID_CHARS_MAX {
            TenantIdRefusal::TooLong(shown)
        } else if id.starts_with(|first: char| first.is_ascii_digit()) {
            TenantIdRefusal::StartsWithDigit(shown)
        } else {
            TenantIdRefusal::Invalid(shown)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_that_cannot_be_is_refused_in_okapis_words() {
        assert!(tenant_of("d").is_ok() && tenant_of(&"a".repeat(31)).is_ok());
        let long = "a".repeat(32);
        for (id, words) in [
            ("a_b", "Tenant id must not contain underscore: a_b"),
            ("a-b", "Tenant id must not contain minus: a-b"),
            (
                &long,
                &format!("Tenant id must not exceed 31 characters: {long}")[..],
            ),
            ("1st", "Tenant id must not start with a digit: 1st"),
            (
                "Diku",
                "Invalid tenant id, may only contain a-z and 0-9 and must match \
                 '[a-z][a-z0-9]{0,30}' but it is Diku",
            ),
            (
                "",
                "Invalid tenant id, may only contain a-z and 0-9 and must match \
                 '[a-z][a-z0-9]{0,30}' but it is ",
            ),
        ] {
            let refusal = tenant_of(id).expect_err(id);
            assert_eq!(refusal.to_string(), words);
        }
        let endless = tenant_of(&"é".repeat(1_000)).expect_err("too long");
        assert!(endless.to_string().chars().count() < 120);
    }
}
