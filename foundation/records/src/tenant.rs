//! A tenant and its schema.

use crate::ddl::schema_of;

/// A tenant: FOLIO's id and the schema of its tables.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Tenant {
    id: String,
    schema: String,
}

/// An id that violates Okapi's rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("tenant id {0:?} must match [a-z][a-z0-9]{{0,30}}")]
pub struct TenantIdError(String);

impl Tenant {
    /// The tenant with this id.
    ///
    /// # Errors
    /// When the id violates Okapi's rule; a valid id is always safe inside a schema's name.
    pub fn new(id: &str) -> Result<Tenant, TenantIdError> {
        let mut bytes = id.bytes();
        let first = bytes.next().is_some_and(|byte| byte.is_ascii_lowercase());
        let rest = bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
        if first && rest && id.len() <= 31 {
            Ok(Tenant {
                id: id.to_owned(),
                schema: schema_of(id),
            })
        } else {
            Err(TenantIdError(id.chars().take(64).collect()))
        }
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The schema of its tables; it needs no quoting.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_okapis_ids_and_no_others() {
        for good in [
            "d",
            "diku",
            "t01234567890123456789012345678 9".trim_end_matches(" 9"),
        ] {
            assert!(Tenant::new(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "1d",
            "Diku",
            "di-ku",
            "di ku",
            "d;drop",
            &"a".repeat(32),
            "é",
        ] {
            assert!(Tenant::new(bad).is_err(), "{bad}");
        }
    }
}
