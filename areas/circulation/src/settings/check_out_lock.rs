//! The lock of a borrower around a check-out, so that of two desks the second sees the loan that the
//! first one makes.

use std::time::Duration;

use serde_json::{Map, Value};

/// How the lock is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOutLock {
    /// How often it is tried again while somebody else has it.
    pub retries: u64,
    /// What is waited before each try.
    pub interval: Duration,
    /// After how many milliseconds a lock counts as left behind.
    pub ttl_milliseconds: i64,
}

impl CheckOutLock {
    /// The setting; `None` if the feature is off, or what is set cannot be read, as in FOLIO.
    #[must_use]
    pub fn from_value(value: &Map<String, Value>) -> Option<CheckOutLock> {
        let number = |name: &str, default: i64| match value.get(name) {
            None | Some(Value::Null) => Some(default),
            // FOLIO cuts off decimals.
            #[allow(clippy::cast_possible_truncation)]
            Some(Value::Number(one)) => one.as_i64().or_else(|| one.as_f64().map(|one| one as i64)),
            Some(_) => None,
        };
        if value.get("checkOutLockFeatureEnabled") != Some(&Value::Bool(true)) {
            return None;
        }
        let retries = number("noOfRetryAttempts", 30)?;
        let interval = number("retryInterval", 250)?;
        let ttl = number("lockTtl", 2000)?;
        Some(CheckOutLock {
            // FOLIO counts from nought.
            retries: u64::try_from(retries.saturating_add(1)).unwrap_or(0),
            interval: Duration::from_millis(u64::try_from(interval).unwrap_or(0)),
            ttl_milliseconds: ttl.clamp(0, i64::from(i32::MAX)),
        })
    }
}
