//! Limits on failed log-ins: the operator's settings, overridden by a tenant's configuration.

use octavo_platform::token::LoginSettings;

const ATTEMPTS: &str = "login.fail.attempts";
const TIMEOUT: &str = "login.fail.timeout";
/// The configuration codes that are read.
pub const CODES: [&str; 2] = [ATTEMPTS, TIMEOUT];

/// The limits of a tenant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of failed log-ins that makes a user inactive; zero for never.
    pub attempts: i64,
    /// After this many minutes without a failure the count starts again.
    pub timeout_minutes: i64,
}

impl Limits {
    /// The operator's limits, overridden by configuration entries (code and value) of which the last of
    /// a code counts. A value that is not a number is ignored, as in FOLIO.
    #[must_use]
    pub fn new(settings: &LoginSettings, entries: &[(String, String)]) -> Limits {
        let configured = |code: &str| {
            let mut values = entries
                .iter()
                .filter(|(known, _)| known.eq_ignore_ascii_case(code));
            let value = values.next_back()?.1.trim().parse::<i64>().ok()?;
            Some(value.max(0))
        };
        Limits {
            attempts: configured(ATTEMPTS).unwrap_or(settings.fail_attempts),
            timeout_minutes: configured(TIMEOUT).unwrap_or(settings.fail_timeout_minutes),
        }
    }

    /// Whether this number of failed log-ins reaches the limit.
    #[must_use]
    pub fn are_reached_by(&self, failures: i64) -> bool {
        self.attempts > 0 && failures >= self.attempts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenants_configuration_goes_before_the_operators_settings() {
        let settings = LoginSettings::default();
        let entry = |code: &str, value: &str| (code.to_owned(), value.to_owned());
        for (entries, attempts, timeout_minutes) in [
            (vec![], 5, 10),
            (vec![entry("login.fail.attempts", "3")], 3, 10),
            (vec![entry("login.fail.timeout", " 60 ")], 5, 60),
            (vec![entry("login.fail.attempts", "three")], 5, 10),
            (vec![entry("login.fail.attempts", "-1")], 0, 10),
            (
                vec![
                    entry("login.fail.attempts", "9"),
                    entry("login.fail.attempts", "2"),
                ],
                2,
                10,
            ),
        ] {
            let limits = Limits::new(&settings, &entries);
            let expected = Limits {
                attempts,
                timeout_minutes,
            };
            assert_eq!(limits, expected, "{entries:?}");
        }
    }

    #[test]
    fn zero_is_for_never() {
        let limits = |attempts| Limits {
            attempts,
            timeout_minutes: 10,
        };
        assert!(limits(5).are_reached_by(5) && limits(5).are_reached_by(6));
        assert!(!limits(5).are_reached_by(4) && !limits(0).are_reached_by(1_000));
    }
}
