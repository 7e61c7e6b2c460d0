//! A new password in the place of one that is known.

use std::pin::Pin;

use octavo_platform::Platform;
use octavo_records::{Stamp, StoreError, Tenant};
use uuid::Uuid;

use super::log_in::{Credentials, Outcome, log_in, stored_hash};
use super::log_out::end_sessions;
use super::password::{StoredHash, hash_in_turn, is_right};
use super::password_history::{earlier_kept, was_used};
use crate::store::{account_by_id, attempts, credentials};

/// A hash that FOLIO made is replaced by one of ours when its password is first proved, which may
/// happen between a look at it and its change.
const ATTEMPTS: u32 = 2;

/// A change that is asked for. It has no `Debug`: passwords belong in no log.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    /// Whose password.
    pub user_id: Uuid,
    /// The one that is known.
    pub old: &'a str,
    /// The one that is wanted.
    pub new: &'a str,
    /// Whether it must not be one that the user had of late.
    pub other_than_before: bool,
    /// The session of the caller, which goes on; the user's others end.
    pub spared: Option<Uuid>,
}

/// What came of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// The user has the new password.
    Yes,
    /// The old password is not the user's, who may have none or not be active.
    WrongPassword,
    /// The new password is the user's already, or was of late.
    UsedBefore,
}

/// Changes a user's password. Of two who do so at once one wins: the other's old password is not
/// the user's any more. A wrong old password counts as a failed log-in.
///
/// # Errors
/// When the new password is too long or the database does not answer.
pub async fn change_password(
    platform: &Platform,
    tenant: &Tenant,
    change: Change<'_>,
    stamp: &Stamp,
) -> Result<Changed, StoreError> {
    let user_id = change.user_id;
    for attempt in 0..ATTEMPTS {
        // Whoever has proved the password once and was too late has not failed to log in.
        let counted = attempt == 0;
        let proved = boxed(proved(platform, tenant, user_id, change.old, counted)).await?;
        let Some(expected) = proved else {
            return Ok(Changed::WrongPassword);
        };
        if change.other_than_before && was_used(platform, tenant, user_id, change.new).await? {
            return Ok(Changed::UsedBefore);
        }
        let hash = hash_in_turn(platform, change.new.to_owned()).await?;
        let kept = earlier_kept(platform, tenant).await?;
        let transaction = platform.store.database.transaction().await?;
        let hashes = (&expected, hash.as_str());
        if !credentials::exchange(&transaction, tenant, user_id, hashes, kept, stamp).await? {
            continue;
        }
        attempts::forget(&transaction, tenant, user_id).await?;
        end_sessions(&transaction, tenant, user_id, change.spared).await?;
        transaction.commit().await?;
        platform.settle().await;
        return Ok(Changed::Yes);
    }
    Ok(Changed::WrongPassword)
}

/// Whether a password is the user's; one that is not counts as a failed log-in.
///
/// # Errors
/// When the database does not answer.
pub async fn is_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: &str,
) -> Result<bool, StoreError> {
    let hash = boxed(proved(platform, tenant, user_id, password, true)).await?;
    Ok(hash.is_some())
}

/// The hash of the user's password when this is it. Credentials may be there before the user is.
async fn proved(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: &str,
    counted: bool,
) -> Result<Option<StoredHash>, StoreError> {
    let database = &platform.store.database;
    let (stored, active) = match account_by_id(database, tenant, user_id).await? {
        Some(account) => (stored_hash(&account), account.active),
        None => (credentials::hash_of(database, tenant, user_id).await?, true),
    };
    let right = is_right(platform, password.to_owned(), stored.clone()).await?;
    if right && active {
        return Ok(stored);
    }
    if counted && active && stored.is_some() {
        // It fails like the check above, is counted, and makes the user inactive in the end.
        let wrong = Credentials {
            username: None,
            user_id: Some(user_id),
            password: Some(password.to_owned()),
        };
        counted_log_in(platform, tenant, &wrong).await?;
    }
    Ok(None)
}

/// Made in a frame of its own, so that changes that succeed carry no room for it.
fn counted_log_in<'a>(
    platform: &'a Platform,
    tenant: &'a Tenant,
    wrong: &'a Credentials,
) -> Boxed<'a, Result<Outcome, StoreError>> {
    Box::pin(log_in(platform, tenant, wrong))
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

fn boxed<'a, T>(future: impl Future<Output = T> + Send + 'a) -> Boxed<'a, T> {
    Box::pin(future)
}
