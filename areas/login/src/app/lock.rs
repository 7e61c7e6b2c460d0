//! Locking users out after failed log-ins for some time. The lock is not stored: it is computed from the
//! number of failures and the time of the last one, so that nothing has to release it.

use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};
use uuid::Uuid;

use crate::limits::{CODES, Limits};
use crate::store::attempts;

/// The configuration code of a tenant's own lock time.
const LOCK: &str = "login.fail.lock";

/// The consequences of failed log-ins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// How many failures are allowed.
    pub limits: Limits,
    /// How long a user is locked out; zero makes the user inactive instead.
    pub lock_minutes: i64,
}

impl Rules {
    /// The rules of a tenant: its configuration entries (code and value), else the operator's. A value
    /// that is not a number is ignored.
    fn new(platform: &Platform, entries: &[(String, String)]) -> Rules {
        let mut own = entries
            .iter()
            .filter(|(code, _)| code.eq_ignore_ascii_case(LOCK));
        let own = own
            .next_back()
            .and_then(|(_, value)| value.trim().parse::<i64>().ok());
        Rules {
            limits: Limits::new(&platform.identities.login, entries),
            lock_minutes: own
                .unwrap_or(platform.identities.login.fail_lock_minutes)
                .max(0),
        }
    }

    /// Whether a user is locked out after this number of failures, the last of them this many seconds
    /// ago.
    #[must_use]
    pub fn lock(&self, failures: i64, seconds_since: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "minutes are few")]
        let lasts = self.lock_minutes as f64 * 60.0;
        self.limits.are_reached_by(failures) && seconds_since < lasts
    }
}

#[boxed]
pub async fn rules(platform: &Platform, tenant: &Tenant) -> Result<Rules, StoreError> {
    let codes = [CODES[0], CODES[1], LOCK];
    let entries = attempts::limits(&platform.store.database, tenant, &codes).await?;
    Ok(Rules::new(platform, &entries))
}

/// Whether a user is locked out now. Most users have no recent failure, so that is looked up before the
/// tenant's rules.
#[boxed]
pub async fn is_locked(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
) -> Result<bool, StoreError> {
    let failures = attempts::failures(&platform.store.database, tenant, user_id).await?;
    match failures {
        Some((failures, seconds)) if failures > 0 => {
            Ok(rules(platform, tenant).await?.lock(failures, seconds))
        }
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_opens_by_itself() {
        let rules = |attempts, lock_minutes| Rules {
            limits: Limits {
                attempts,
                timeout_minutes: 10,
            },
            lock_minutes,
        };
        for (rules, failures, seconds, locked) in [
            (rules(5, 10), 4, 0.0, false),
            (rules(5, 10), 5, 0.0, true),
            (rules(5, 10), 7, 599.0, true),
            (rules(5, 10), 5, 600.0, false),
            (rules(0, 10), 50, 0.0, false),
            (rules(5, 0), 5, 0.0, false),
        ] {
            assert_eq!(
                rules.lock(failures, seconds),
                locked,
                "{rules:?} {failures}"
            );
        }
    }
}
