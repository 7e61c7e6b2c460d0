//! A first password for a user.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_records::{Executor, Stamp, StoreError, Tenant};

use super::log_out::end_sessions;
use super::password::hash_in_turn;
use crate::store::credentials;

/// Sets the first password of a user; returns false when there is one already. The user need not exist
/// yet.
///
/// # Errors
/// When the password is too long.
#[boxed]
pub async fn create_credentials(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: &str,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    let database = &platform.store.database;
    if credentials::hash_of(database, tenant, user_id)
        .await?
        .is_some()
    {
        return Ok(false);
    }
    let hash = hash_in_turn(platform, password.to_owned()).await?;
    credentials::insert(database, tenant, user_id, &hash, stamp).await
}

/// The same with a computed hash, inside the caller's transaction.
#[boxed]
pub async fn add_credentials(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    hash: &str,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    credentials::insert(executor, tenant, user_id, hash, stamp).await
}

/// The id of the user with this username.
#[boxed]
pub async fn user_named(
    platform: &Platform,
    tenant: &Tenant,
    username: &str,
) -> Result<Option<UserId>, StoreError> {
    credentials::user_id_by_name(&platform.store.database, tenant, username).await
}

/// Whether a user has a password.
#[boxed]
pub async fn has_credentials(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let found = credentials::hash_of(&platform.store.database, tenant, user_id).await?;
    Ok(found.is_some())
}

/// Removes a user's password and ends all sessions; returns whether there was one. The password history
/// stays.
#[boxed]
pub async fn remove_credentials(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<bool, StoreError> {
    let transaction = platform.store.database.transaction().await?;
    if !credentials::remove(&transaction, tenant, user_id).await? {
        return Ok(false);
    }
    end_sessions(&transaction, tenant, user_id, None).await?;
    transaction.commit().await?;
    // Every process must act on the change before the client gets the response.
    platform.settle().await;
    Ok(true)
}
