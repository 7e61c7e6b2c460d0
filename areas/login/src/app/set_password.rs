//! Sets or replaces a user's password.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_records::{StoreError, Tenant};

use super::password::hash_in_turn;
use crate::store;

/// Stores the hash of a user's new password.
///
/// # Errors
/// When the password is too long.
#[boxed]
pub async fn set_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: String,
) -> Result<(), StoreError> {
    let hash = hash_in_turn(platform, password).await?;
    let transaction = platform.store.database.transaction().await?;
    store::remove_credentials(&transaction, tenant, user_id).await?;
    store::add_credentials(&transaction, tenant, user_id, &hash).await?;
    transaction.commit().await?;
    Ok(())
}
