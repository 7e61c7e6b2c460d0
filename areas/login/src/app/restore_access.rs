//! Restores the access of a locked-out user, by the operator of the server.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Stamp, StoreError, Tenant};
use serde_json::{Value, json};

use super::lock;
use super::log_out::end_sessions;
use super::password::hash_in_turn;
use super::password_history::stored_history_length;
use super::reset_password::put_password;
use crate::store::{attempts, reset_actions};

/// What was removed to give a user access again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Restored {
    /// Failed log-ins had locked the user out.
    pub locked: bool,
    /// The user was inactive.
    pub inactive: bool,
}

/// Unlocks a user and makes them active; returns what was changed, `None` when there is no such user.
#[boxed]
pub async fn unlock(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<Option<Restored>, StoreError> {
    let locked = lock::is_locked(platform, tenant, user_id).await?;
    let users = platform
        .store
        .catalog
        .get("users")
        .ok_or_else(|| StoreError::fault("the table users is not declared"))?;
    let transaction = platform.store.database.transaction().await?;
    let Some(Value::Object(mut user)) =
        fetch_locked(&transaction, tenant, users, user_id.uuid()).await?
    else {
        return Ok(None);
    };
    let inactive = user.get("active") == Some(&json!(false));
    if inactive {
        user.insert("active".to_owned(), json!(true));
        let stamp = Stamp::now(None);
        replace(&transaction, tenant, users, user_id.uuid(), &user, &stamp).await?;
    }
    attempts::forget(&transaction, tenant, user_id).await?;
    transaction.commit().await?;
    // Every process must act on the change before the client gets the response.
    platform.settle().await;
    Ok(Some(Restored { locked, inactive }))
}

/// Gives a user a password, a first one or another. The user's sessions end, and so do the lock and all
/// links by which a password could be set.
///
/// # Errors
/// When the password is too long.
#[boxed]
pub async fn give_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: &str,
) -> Result<(), StoreError> {
    let hash = hash_in_turn(platform, password.to_owned()).await?;
    let kept = stored_history_length(platform, tenant).await?;
    let stamp = Stamp::now(None);
    let transaction = platform.store.database.transaction().await?;
    put_password(&transaction, tenant, user_id, &hash, kept, &stamp).await?;
    reset_actions::remove_all(&transaction, tenant, user_id).await?;
    attempts::forget(&transaction, tenant, user_id).await?;
    end_sessions(&transaction, tenant, user_id, None).await?;
    transaction.commit().await?;
    platform.settle().await;
    Ok(())
}
