//! The command line's options of log-ins and tokens, with FOLIO's environment variables where it
//! has one.

use clap::Args;
use octavo_platform::token::{LegacyTenants, Lifetimes, LoginSettings, SameSite};

/// Log-ins and tokens.
#[derive(Debug, Clone, Args)]
pub struct LoginArgs {
    /// The lifetime of tokens in seconds, as in
    /// tenantId:diku,accessToken:600,refreshToken:604800;accessToken:300
    #[arg(
        long,
        env = "TOKEN_EXPIRATION_SECONDS",
        value_name = "ENTRIES",
        default_value = "",
        hide_default_value = true
    )]
    pub token_lifetimes: Lifetimes,
    /// The tenants whose users may have tokens that do not expire (POST /authn/login): ids
    /// separated by commas, * for all
    #[arg(
        long,
        env = "LEGACY_TOKEN_TENANTS",
        value_name = "IDS",
        default_value = "*"
    )]
    pub legacy_tokens: LegacyTenants,
    /// No tenant has tokens that do not expire; existing ones are rejected
    #[arg(long, env = "OCTAVO_NO_LEGACY_TOKENS")]
    pub no_legacy_tokens: bool,
    /// The SameSite attribute of the tokens' cookies: Strict, Lax or None
    #[arg(
        long,
        env = "LOGIN_COOKIE_SAMESITE",
        value_name = "WORD",
        default_value = "Lax"
    )]
    pub cookie_samesite: SameSite,
    /// Lock a user after so many failed log-ins, 0 for never; overridden by a tenant's
    /// configuration entry login.fail.attempts
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_ATTEMPTS",
        value_name = "N",
        default_value_t = 5
    )]
    pub login_fail_attempts: u32,
    /// Reset the count of failed log-ins after this time without one; overridden by a tenant's
    /// configuration entry login.fail.timeout
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_TIMEOUT",
        value_name = "MINUTES",
        default_value_t = 10
    )]
    pub login_fail_timeout: u32,
    /// How long a user is locked; 0 makes the user inactive until reactivated, as in FOLIO.
    /// Overridden by a tenant's configuration entry login.fail.lock
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_LOCK",
        value_name = "MINUTES",
        default_value_t = 10
    )]
    pub login_fail_lock: u32,
}

impl LoginArgs {
    /// The settings for the platform.
    #[must_use]
    pub fn settings(&self) -> LoginSettings {
        LoginSettings {
            lifetimes: self.token_lifetimes.clone(),
            legacy: if self.no_legacy_tokens {
                LegacyTenants::Only(Vec::new())
            } else {
                self.legacy_tokens.clone()
            },
            same_site: self.cookie_samesite,
            fail_attempts: i64::from(self.login_fail_attempts),
            fail_timeout_minutes: i64::from(self.login_fail_timeout),
            fail_lock_minutes: i64::from(self.login_fail_lock),
        }
    }
}
