//! Hashing and comparing passwords on the few threads that are lent for it: a storm of them waits
//! there, and the other requests go on.

use argon2::Argon2;
use argon2::password_hash::PasswordVerifier;
use argon2::password_hash::phc::PasswordHash;
use octavo_platform::Platform;
use octavo_records::StoreError;

use super::log_in::hash;

/// The hash of a password with a fresh salt.
///
/// # Errors
/// [`StoreError::Query`] when it is longer than is accepted.
pub async fn hashed(platform: &Platform, password: &str) -> Result<String, StoreError> {
    let password = password.to_owned();
    off_the_path(platform, move || hash(&password))
        .await?
        .map_err(StoreError::Query)
}

/// Whether a password is the one of any of these hashes. Each costs a hashing.
///
/// # Errors
/// When the work could not be done.
pub async fn matches_any(
    platform: &Platform,
    password: &str,
    hashes: Vec<String>,
) -> Result<bool, StoreError> {
    // What cannot be hashed was never anybody's password.
    if hashes.is_empty() || password.len() > super::log_in::PASSWORD_BYTES_MAX {
        return Ok(false);
    }
    let password = password.to_owned();
    off_the_path(platform, move || {
        hashes.iter().any(|hash| {
            PasswordHash::new(hash).is_ok_and(|parsed| {
                Argon2::default()
                    .verify_password(password.as_bytes(), &parsed)
                    .is_ok()
            })
        })
    })
    .await
}

async fn off_the_path<T: Send + 'static>(
    platform: &Platform,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let failed = |error: &dyn std::fmt::Display| StoreError::Database(error.to_string());
    let _permit = platform
        .password_checks
        .acquire()
        .await
        .map_err(|error| failed(&error))?;
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| failed(&error))
}
