//! A new password in the place of one that is known.

use octavo_platform::Platform;
use octavo_records::{Stamp, StoreError, Tenant};
use uuid::Uuid;

use super::password_hash::{hashed, matches_any};
use super::password_history::{earlier_kept, was_used};
use crate::store::credentials;

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// The user has the new password.
    Yes,
    /// The old password is not the user's.
    WrongPassword,
    /// The user has none.
    NoCredentials,
    /// The new password is the user's already, or was of late.
    UsedBefore,
}

/// Changes a user's password, to one that was not used of late if `other_than_before` says so. Of two who do so at once one wins: the other's old password is not
/// the user's any more.
///
/// # Errors
/// When the new password is too long or the database does not answer.
pub async fn change_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    passwords: (&str, &str),
    other_than_before: bool,
    stamp: &Stamp,
) -> Result<Changed, StoreError> {
    let (old, new) = passwords;
    let database = &platform.store.database;
    let Some(expected) = credentials::hash_of(database, tenant, user_id).await? else {
        return Ok(Changed::NoCredentials);
    };
    if !matches_any(platform, old, vec![expected.clone()]).await? {
        return Ok(Changed::WrongPassword);
    }
    if other_than_before && was_used(platform, tenant, user_id, new).await? {
        return Ok(Changed::UsedBefore);
    }
    let hash = hashed(platform, new).await?;
    let kept = earlier_kept(platform, tenant).await?;
    let hashes = (expected.as_str(), hash.as_str());
    if !credentials::exchange(database, tenant, user_id, hashes, kept, stamp).await? {
        return Ok(Changed::WrongPassword);
    }
    credentials::forget_attempts(database, tenant, user_id).await?;
    Ok(Changed::Yes)
}

/// Whether a password is the user's.
///
/// # Errors
/// When the database does not answer.
pub async fn is_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: &str,
) -> Result<bool, StoreError> {
    let database = &platform.store.database;
    let current = credentials::hash_of(database, tenant, user_id).await?;
    matches_any(platform, password, current.into_iter().collect()).await
}
