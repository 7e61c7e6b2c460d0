//! Settings: the lifetimes of tokens, tenants with legacy tokens, and how failed log-ins count.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// FOLIO's default lifetime of access tokens.
const ACCESS_SECONDS: i64 = 600;
/// FOLIO's default lifetime of refresh tokens.
const REFRESH_SECONDS: i64 = 604_800;
/// Longer lifetimes are rejected as mistakes: ten years.
const SECONDS_MAX: i64 = 10 * 366 * 24 * 3600;

/// The operator's settings of log-ins.
#[derive(Debug, Clone)]
pub struct LoginSettings {
    pub lifetimes: Lifetimes,
    /// Which tenants issue and accept tokens that do not expire.
    pub legacy: LegacyTenants,
    pub same_site: SameSite,
    /// So many failed log-ins lock a user; zero for never. A tenant's configuration entries
    /// override it.
    pub fail_attempts: i64,
    /// Failed log-ins are no longer counted after so many minutes without one.
    pub fail_timeout_minutes: i64,
    /// How many minutes a user is locked; with zero the user becomes inactive until reactivated, as
    /// in FOLIO.
    pub fail_lock_minutes: i64,
}

impl Default for LoginSettings {
    fn default() -> LoginSettings {
        LoginSettings {
            lifetimes: Lifetimes::default(),
            legacy: LegacyTenants::default(),
            same_site: SameSite::default(),
            fail_attempts: 5,
            fail_timeout_minutes: 10,
            fail_lock_minutes: 10,
        }
    }
}

/// Lifetimes of tokens in seconds, by tenant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lifetimes {
    default: Pair,
    tenants: HashMap<String, Pair>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    access: i64,
    refresh: i64,
}

impl Default for Pair {
    fn default() -> Pair {
        Pair {
            access: ACCESS_SECONDS,
            refresh: REFRESH_SECONDS,
        }
    }
}

impl Lifetimes {
    /// The lifetime of a tenant's access tokens.
    #[must_use]
    pub fn access_seconds(&self, tenant: &str) -> i64 {
        self.of(tenant).access
    }

    /// The lifetime of a tenant's refresh tokens.
    #[must_use]
    pub fn refresh_seconds(&self, tenant: &str) -> i64 {
        self.of(tenant).refresh
    }

    /// The longest lifetime of any expiring token of any tenant.
    #[must_use]
    pub fn longest_seconds(&self) -> i64 {
        let pairs = self.tenants.values().chain([&self.default]);
        pairs
            .map(|pair| pair.access.max(pair.refresh))
            .max()
            .unwrap_or(REFRESH_SECONDS)
    }

    fn of(&self, tenant: &str) -> Pair {
        *self.tenants.get(tenant).unwrap_or(&self.default)
    }
}

/// FOLIO's form of `TOKEN_EXPIRATION_SECONDS`: entries separated by `;`, each
/// `tenantId:…,accessToken:…,refreshToken:…`. The entry without a tenant applies to all others, and
/// values left out have FOLIO's defaults.
impl FromStr for Lifetimes {
    type Err = String;

    fn from_str(text: &str) -> Result<Lifetimes, String> {
        let mut lifetimes = Lifetimes::default();
        let text: String = text.chars().filter(|one| *one != ' ').collect();
        if text.is_empty() {
            return Ok(lifetimes);
        }
        for entry in text.split(';').filter(|entry| !entry.is_empty()) {
            let (mut tenant, mut pair) = (None, Pair::default());
            for part in entry.split(',') {
                let (key, value) = match part.split_once(':') {
                    Some((key, value)) if !value.contains(':') => (key, value),
                    _ => {
                        return Err(format!(
                            "`{part}` is no pair of a key and a value; write it as \
                             tenantId:diku,accessToken:600,refreshToken:604800"
                        ));
                    }
                };
                match key {
                    "tenantId" => tenant = Some(value.to_owned()),
                    "accessToken" => pair.access = seconds(key, value)?,
                    "refreshToken" => pair.refresh = seconds(key, value)?,
                    _ => {
                        return Err(format!(
                            "`{key}` is not known; there are tenantId, accessToken and refreshToken"
                        ));
                    }
                }
            }
            match tenant {
                Some(tenant) => {
                    lifetimes.tenants.insert(tenant, pair);
                }
                None => lifetimes.default = pair,
            }
        }
        Ok(lifetimes)
    }
}

fn seconds(key: &str, value: &str) -> Result<i64, String> {
    match value.parse() {
        Ok(seconds) if (1..=SECONDS_MAX).contains(&seconds) => Ok(seconds),
        _ => Err(format!(
            "{key} is `{value}`; it has to be a number of seconds from 1 to {SECONDS_MAX}"
        )),
    }
}

/// Which tenants have legacy tokens, which do not expire.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum LegacyTenants {
    /// All, which is FOLIO's default.
    #[default]
    All,
    /// These; none when the list is empty.
    Only(Vec<String>),
}

impl LegacyTenants {
    #[must_use]
    pub fn has(&self, tenant: &str) -> bool {
        match self {
            LegacyTenants::All => true,
            LegacyTenants::Only(tenants) => tenants.iter().any(|one| one == tenant),
        }
    }
}

/// FOLIO's form of `LEGACY_TOKEN_TENANTS`: `*`, or ids separated by commas, or empty for none.
impl FromStr for LegacyTenants {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<LegacyTenants, Self::Err> {
        if text.trim() == "*" {
            return Ok(LegacyTenants::All);
        }
        let ids = text.split(',').map(str::trim).filter(|id| !id.is_empty());
        Ok(LegacyTenants::Only(ids.map(str::to_owned).collect()))
    }
}

/// The `SameSite` attribute of cookies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SameSite {
    /// Only for requests from the same site.
    Strict,
    /// Also when a user follows a link from another site.
    #[default]
    Lax,
    /// For requests from any site.
    None,
}

impl fmt::Display for SameSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SameSite::Strict => "Strict",
            SameSite::Lax => "Lax",
            SameSite::None => "None",
        })
    }
}

impl FromStr for SameSite {
    type Err = String;

    fn from_str(text: &str) -> Result<SameSite, String> {
        match text {
            "Strict" => Ok(SameSite::Strict),
            "Lax" => Ok(SameSite::Lax),
            "None" => Ok(SameSite::None),
            other => Err(format!("`{other}` is none of Strict, Lax and None")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn life_times_are_read_as_folio_writes_them() {
        let read: Lifetimes = "tenantId:diku, accessToken:60 ,refreshToken:120; accessToken:300"
            .parse()
            .expect("well formed");
        assert_eq!(read.access_seconds("diku"), 60);
        assert_eq!(read.refresh_seconds("diku"), 120);
        assert_eq!(read.access_seconds("other"), 300);
        assert_eq!(read.refresh_seconds("other"), REFRESH_SECONDS);
        assert_eq!(read.longest_seconds(), REFRESH_SECONDS);
        assert_eq!("".parse(), Ok(Lifetimes::default()));
        for (wrong, part) in [
            ("600", "no pair"),
            ("accessToken:600,", "no pair"),
            ("accessToken:6:7", "no pair"),
            ("access:600", "`access` is not known"),
            ("accessToken:ten", "accessToken is `ten`"),
            ("refreshToken:0", "from 1 to"),
            ("refreshToken:-1", "from 1 to"),
            ("refreshToken:99999999999", "from 1 to"),
        ] {
            let message = wrong.parse::<Lifetimes>().expect_err(wrong);
            assert!(message.contains(part), "{wrong}: {message}");
        }
    }

    #[test]
    fn legacy_tenants_are_all_some_or_none() {
        let read = |text: &str| text.parse::<LegacyTenants>().expect("never fails");
        assert!(read("*").has("diku") && LegacyTenants::default().has("diku"));
        assert!(read("diku, other").has("other") && !read("diku").has("other"));
        assert!(!read("").has("diku"));
    }
}
