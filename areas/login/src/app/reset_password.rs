//! Sets a password by a reset link, which works once and needs no old password.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_postgres::Transaction;
use octavo_records::{Stamp, StoreError, Tenant, instant};
use serde_json::{Value, json};
use uuid::Uuid;

use super::log_out::end_sessions;
use super::password::hash_in_turn;
use super::password_history::stored_history_length;
use crate::store::{attempts, credentials, reset_actions};

/// The right to set a user's password once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResetAction {
    pub id: Uuid,
    /// Whose password.
    pub user_id: UserId,
    /// Until when.
    pub ends: Timestamp,
}

impl ResetAction {
    /// As it is stored and shown.
    #[must_use]
    pub fn document(&self) -> Value {
        json!({"id": self.id, "userId": self.user_id, "expirationTime": instant::format(self.ends)})
    }

    fn read(document: &Value) -> Option<ResetAction> {
        let text = |name: &str| document[name].as_str();
        Some(ResetAction {
            id: Uuid::try_parse(text("id")?).ok()?,
            user_id: UserId::parse(text("userId")?)?,
            ends: instant::parse(text("expirationTime")?)?,
        })
    }
}

/// Stores a right; returns whether the user has a password now, and nothing when the id is taken.
#[boxed]
pub async fn create_action(
    platform: &Platform,
    tenant: &Tenant,
    action: &ResetAction,
    stamp: &Stamp,
) -> Result<Option<bool>, StoreError> {
    let database = &platform.store.database;
    let ids = (action.id, action.user_id);
    let document = action.document();
    if !reset_actions::insert(database, tenant, &document, ids, stamp).await? {
        return Ok(None);
    }
    let hash = credentials::hash_of(database, tenant, action.user_id).await?;
    Ok(Some(hash.is_some()))
}

/// A right by its id; it may have expired.
#[boxed]
pub async fn find_action(
    platform: &Platform,
    tenant: &Tenant,
    id: Uuid,
) -> Result<Option<ResetAction>, StoreError> {
    let found = reset_actions::find(&platform.store.database, tenant, id).await?;
    Ok(found.as_ref().and_then(ResetAction::read))
}

/// Uses a right: sets the password, keeps the one before in the history, and ends all rights and
/// sessions of the user. Says whether it is the user's first password; `None` when there is no such
/// right. Of two who use a right at once, one does.
///
/// # Errors
/// When the password is too long.
#[boxed]
pub async fn reset_password(
    platform: &Platform,
    tenant: &Tenant,
    action_id: Uuid,
    password: &str,
    stamp: &Stamp,
) -> Result<Option<bool>, StoreError> {
    // The costly part before anything is held, and not at all for a right that is gone or over.
    let found = find_action(platform, tenant, action_id).await?;
    if found.is_none_or(|action| action.ends <= stamp.at) {
        return Ok(None);
    }
    let hash = hash_in_turn(platform, password.to_owned()).await?;
    let kept = stored_history_length(platform, tenant).await?;
    let transaction = platform.store.database.transaction().await?;
    let taken = reset_actions::take(&transaction, tenant, action_id).await?;
    let Some(user_id) = taken.and_then(|id| UserId::parse(&id)) else {
        return Ok(None);
    };
    let is_first = put_password(&transaction, tenant, user_id, &hash, kept, stamp).await?;
    reset_actions::remove_all(&transaction, tenant, user_id).await?;
    attempts::forget(&transaction, tenant, user_id).await?;
    // Whoever knew the old password is out.
    end_sessions(&transaction, tenant, user_id, None).await?;
    transaction.commit().await?;
    // Every process must act on the change before the client gets the response.
    platform.settle().await;
    Ok(Some(is_first))
}

/// Stores the hash of a password; the old one is added to the history, which is cut to `kept` entries.
/// Says whether it is the user's first.
pub(super) async fn put_password(
    transaction: &Transaction,
    tenant: &Tenant,
    user_id: UserId,
    hash: &str,
    kept: i64,
    stamp: &Stamp,
) -> Result<bool, StoreError> {
    credentials::hold(transaction, tenant, user_id).await?;
    let before = credentials::hash_of(transaction, tenant, user_id).await?;
    let stored = match &before {
        None => credentials::insert(transaction, tenant, user_id, hash, stamp).await?,
        Some(before) => {
            let hashes = (before, hash);
            credentials::exchange(transaction, tenant, user_id, hashes, kept, stamp).await?
        }
    };
    match stored {
        true => Ok(before.is_none()),
        // Changed by its owner at the same moment: nothing of this is kept, and it can be retried.
        false => Err(StoreError::Contended),
    }
}
