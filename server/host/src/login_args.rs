//! What an operator says about log-ins and tokens, in FOLIO's variables where FOLIO has one.

use clap::Args;
use octavo_platform::token::{LegacyTenants, Lifetimes, LoginSettings, SameSite};

/// Log-ins and tokens.
#[derive(Debug, Clone, Args)]
pub struct LoginArgs {
    /// How long tokens last, in seconds, as in
    /// tenantId:diku,accessToken:600,refreshToken:604800;accessToken:300
    #[arg(
        long,
        env = "TOKEN_EXPIRATION_SECONDS",
        value_name = "ENTRIES",
        default_value = "",
        hide_default_value = true
    )]
    pub token_lifetimes: Lifetimes,
    /// The tenants whose users may have tokens that do not end (POST /authn/login): ids separated by
    /// commas, * for all
    #[arg(
        long,
        env = "LEGACY_TOKEN_TENANTS",
        value_name = "IDS",
        default_value = "*"
    )]
    pub legacy_tokens: LegacyTenants,
    /// No tenant has tokens that do not end; those that were given are refused
    #[arg(long, env = "OCTAVO_NO_LEGACY_TOKENS")]
    pub no_legacy_tokens: bool,
    /// From where browsers send the cookies of tokens: Strict, Lax or None
    #[arg(
        long,
        env = "LOGIN_COOKIE_SAMESITE",
        value_name = "WORD",
        default_value = "Lax"
    )]
    pub cookie_samesite: SameSite,
    /// So many failed log-ins lock a user out, 0 for never; a tenant's configuration entry
    /// login.fail.attempts goes before it
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_ATTEMPTS",
        value_name = "N",
        default_value_t = 5
    )]
    pub login_fail_attempts: u32,
    /// Failed log-ins are forgotten after so long without one; a tenant's configuration entry
    /// login.fail.timeout goes before it
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_TIMEOUT",
        value_name = "MINUTES",
        default_value_t = 10
    )]
    pub login_fail_timeout: u32,
    /// Who failed to log in too often is locked out for so long; 0 makes the user inactive until
    /// somebody makes them active again, as in FOLIO. A tenant's configuration entry login.fail.lock
    /// goes before it
    #[arg(
        long,
        env = "OCTAVO_LOGIN_FAIL_LOCK",
        value_name = "MINUTES",
        default_value_t = 10
    )]
    pub login_fail_lock: u32,
}

impl LoginArgs {
    /// What was said, for the platform.
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
