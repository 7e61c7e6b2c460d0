//! The check-out lock of a borrower, so that of two desks the second sees the loan of the first one.

use std::time::Duration;

use serde_json::{Map, Value};

/// The settings of the lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CheckOutLock {
    /// The number of retries while another client has it.
    pub retries: u64,
    /// The pause before each retry.
    pub interval: Duration,
    /// The age in milliseconds after which a lock counts as abandoned.
    pub ttl_milliseconds: i64,
}

impl CheckOutLock {
    /// The setting; `None` if the feature is disabled or the setting invalid, as in FOLIO.
    #[must_use]
    pub fn from_value(value: &Map<String, Value>) -> Option<CheckOutLock> {
        let number = |name: &str, default: i64| match value.get(name) {
            None | Some(Value::Null) => Some(default),
            // FOLIO truncates decimals.
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
            // FOLIO counts retries from zero.
            retries: u64::try_from(retries.saturating_add(1)).unwrap_or(0),
            interval: Duration::from_millis(u64::try_from(interval).unwrap_or(0)),
            ttl_milliseconds: ttl.clamp(0, i64::from(i32::MAX)),
        })
    }
}
