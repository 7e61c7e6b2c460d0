//! The lock that failed log-ins close and time opens: the rules of a tenant, without I/O.

use octavo_platform::token::LoginSettings;

use crate::limits::Limits;

/// The configuration code of a tenant's own minutes.
pub const LOCK: &str = "login.fail.lock";

/// What failed log-ins lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockRules {
    /// How many may fail.
    pub limits: Limits,
    /// For how long too many lock a user out; zero makes the user inactive instead.
    pub lock_minutes: i64,
}

impl LockRules {
    /// The rules of a tenant: its configuration entries (code and value), else the operator's. A value
    /// that is no number is passed over.
    #[must_use]
    pub fn new(settings: &LoginSettings, entries: &[(String, String)]) -> LockRules {
        let mut own = entries
            .iter()
            .filter(|(code, _)| code.eq_ignore_ascii_case(LOCK));
        let own = own
            .next_back()
            .and_then(|(_, value)| value.trim().parse::<i64>().ok());
        LockRules {
            limits: Limits::new(settings, entries),
            lock_minutes: own.unwrap_or(settings.fail_lock_minutes).max(0),
        }
    }

    /// Whether a user is locked out by so many failures, the last of them so many seconds ago.
    #[must_use]
    pub fn lock(&self, failures: i64, seconds_since: f64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "minutes are few")]
        let lasts = self.lock_minutes as f64 * 60.0;
        self.limits.are_reached_by(failures) && seconds_since < lasts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_opens_by_itself() {
        let rules = |attempts, lock_minutes| LockRules {
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
