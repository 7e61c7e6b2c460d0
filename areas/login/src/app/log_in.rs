//! Logging in: who is it, and is it them?

use std::sync::OnceLock;

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash};
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};
use serde::Deserialize;
use uuid::Uuid;

use crate::store;

/// A password longer than this is refused unread: hashing it would cost more than it is worth.
const PASSWORD_BYTES_MAX: usize = 1_024;

/// What a client sends to log in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The user's name, or
    pub username: Option<String>,
    /// their id.
    pub user_id: Option<Uuid>,
    /// The password.
    pub password: Option<String>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

/// Somebody who proved who they are.
#[derive(Debug, Clone)]
pub struct LoggedIn {
    /// The user's id.
    pub user_id: Uuid,
    /// The user's name as stored.
    pub username: String,
}

/// Finds the user and verifies the password; nothing when either is wrong, the user has no
/// password, or is not active. All of these take the same time.
///
/// # Errors
/// When the database does not answer.
pub async fn log_in(
    platform: &Platform,
    tenant: &Tenant,
    credentials: &Credentials,
) -> Result<Option<LoggedIn>, StoreError> {
    let database = &platform.store.database;
    let found = match credentials.user_id {
        Some(id) => store::account_by_id(database, tenant, id).await?,
        None => {
            let username = credentials.username.as_deref();
            store::account_by_username(database, tenant, username).await?
        }
    };
    let password = credentials.password.clone().unwrap_or_default();
    let hash = found.as_ref().and_then(|account| account.hash.clone());
    let matches = verify(platform, password, hash).await?;
    Ok(match found {
        Some(account) if account.active && matches => Some(LoggedIn {
            user_id: account.user_id,
            username: account.username,
        }),
        _ => None,
    })
}

/// Verifies off the request path: a storm of log-ins waits here, the others go on.
async fn verify(
    platform: &Platform,
    password: String,
    hash: Option<String>,
) -> Result<bool, StoreError> {
    if password.len() > PASSWORD_BYTES_MAX {
        return Ok(false);
    }
    let failed = |error: &dyn std::fmt::Display| StoreError::Database(error.to_string());
    let permit = platform
        .password_checks
        .acquire()
        .await
        .map_err(|error| failed(&error))?;
    let checked = tokio::task::spawn_blocking(move || {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| decoy().to_owned());
        let parsed = PasswordHash::new(&hash).ok();
        let matches = parsed.is_some_and(|parsed| {
            Argon2::default()
                .verify_password(password.as_bytes(), &parsed)
                .is_ok()
        });
        known && matches
    })
    .await
    .map_err(|error| failed(&error))?;
    drop(permit);
    Ok(checked)
}

/// The hash that unknown users' passwords are compared with, so that they cost the same.
fn decoy() -> &'static str {
    static DECOY: OnceLock<String> = OnceLock::new();
    DECOY.get_or_init(|| hash("nobody has this password").unwrap_or_default())
}

/// Hashes a password with a fresh salt.
///
/// # Errors
/// When it is longer than is accepted.
pub fn hash(password: &str) -> Result<String, String> {
    if password.len() > PASSWORD_BYTES_MAX {
        return Err(format!("a password has at most {PASSWORD_BYTES_MAX} bytes"));
    }
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .map_err(|error| error.to_string())
}
