//! Changes a password; the caller proves the old one.

use std::pin::Pin;

use octavo_boxed::boxed;
use octavo_library::{SessionId, UserId};
use octavo_platform::Platform;
use octavo_records::{Stamp, StoreError, Tenant};

use super::lock;
use super::log_in::{Credentials, log_in, stored_hash};
use super::log_out::end_sessions;
use super::password::{StoredHash, hash_in_turn, is_right};
use super::password_history::{stored_history_length, was_used};
use crate::store::{account_by_id, attempts, credentials};

/// Two attempts, because the first correct check of a FOLIO hash replaces it by one of ours, possibly
/// between our read of the hash and the change.
const ATTEMPTS: u32 = 2;

/// A requested change. It has no `Debug`: passwords belong in no log.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub user_id: UserId,
    /// The current password.
    pub old: &'a str,
    /// The new password.
    pub new: &'a str,
    /// Whether recent passwords are refused.
    pub other_than_before: bool,
    /// The session of the caller, which continues; the user's others end.
    pub spared: Option<SessionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// The user has the new password.
    Yes,
    /// The old password is wrong, or the user has none or is inactive.
    WrongPassword,
    /// The new password is the current one or a recent one.
    UsedBefore,
}

/// Changes a user's password. Of two concurrent changes one wins; for the other the old password is
/// wrong by then. A wrong old password counts as a failed log-in.
///
/// # Errors
/// When the new password is too long.
#[boxed]
pub async fn change_password(
    platform: &Platform,
    tenant: &Tenant,
    change: Change<'_>,
    stamp: &Stamp,
) -> Result<Changed, StoreError> {
    match boxed(changed(platform, tenant, change, stamp)).await? {
        Ok(changed) => Ok(changed),
        Err(failed) => {
            failed
                .count(platform, tenant, change.user_id, change.old)
                .await?;
            Ok(Changed::WrongPassword)
        }
    }
}

/// Checks a user's password; a wrong one counts as a failed log-in.
#[boxed]
pub async fn is_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: &str,
) -> Result<bool, StoreError> {
    match boxed(proved(platform, tenant, user_id, password)).await? {
        Ok(_) => Ok(true),
        Err(failed) => {
            failed.count(platform, tenant, user_id, password).await?;
            Ok(false)
        }
    }
}

/// A failed check of a password.
struct Failed {
    /// Whether it is a failed log-in: that of an active user who has another password.
    counts: bool,
}

impl Failed {
    /// Counts a failed log-in, which may lock the user or make them inactive.
    async fn count(
        self,
        platform: &Platform,
        tenant: &Tenant,
        user_id: UserId,
        password: &str,
    ) -> Result<(), StoreError> {
        if self.counts {
            let wrong = Credentials {
                username: None,
                user_id: Some(user_id),
                password: Some(password.to_owned()),
                address: None,
            };
            boxed(log_in(platform, tenant, &wrong)).await?;
        }
        Ok(())
    }
}

async fn changed(
    platform: &Platform,
    tenant: &Tenant,
    change: Change<'_>,
    stamp: &Stamp,
) -> Result<Result<Changed, Failed>, StoreError> {
    let user_id = change.user_id;
    for attempt in 0..ATTEMPTS {
        let expected = match proved(platform, tenant, user_id, change.old).await? {
            Ok(expected) => expected,
            Err(failed) if attempt == 0 => return Ok(Err(failed)),
            // The password was right once and then changed concurrently: that is not a failed log-in.
            Err(_) => break,
        };
        if change.other_than_before && was_used(platform, tenant, user_id, change.new).await? {
            return Ok(Ok(Changed::UsedBefore));
        }
        let hash = hash_in_turn(platform, change.new.to_owned()).await?;
        let kept = stored_history_length(platform, tenant).await?;
        let transaction = platform.store.database.transaction().await?;
        let hashes = (&expected, hash.as_str());
        if !credentials::exchange(&transaction, tenant, user_id, hashes, kept, stamp).await? {
            continue;
        }
        attempts::forget(&transaction, tenant, user_id).await?;
        end_sessions(&transaction, tenant, user_id, change.spared).await?;
        transaction.commit().await?;
        // Every process must act on the change before the client gets the response.
        platform.settle().await;
        return Ok(Ok(Changed::Yes));
    }
    Ok(Ok(Changed::WrongPassword))
}

/// The hash of the user's password if this password matches. Credentials may exist before the user does.
async fn proved(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
    password: &str,
) -> Result<Result<StoredHash, Failed>, StoreError> {
    let database = &platform.store.database;
    let (stored, active) = match account_by_id(database, tenant, user_id).await? {
        Some(account) => (stored_hash(&account), account.active),
        None => (credentials::hash_of(database, tenant, user_id).await?, true),
    };
    let mut right = is_right(platform, password.to_owned(), stored.clone()).await?;
    // A locked user must not learn here whether a guess was right.
    if right && lock::is_locked(platform, tenant, user_id).await? {
        right = false;
    }
    Ok(match stored {
        Some(stored) if right && active => Ok(stored),
        other => Err(Failed {
            counts: active && other.is_some(),
        }),
    })
}

/// Boxed in a function of its own, so that the callers' futures stay small.
fn boxed<'a, T>(
    future: impl Future<Output = T> + Send + 'a,
) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    Box::pin(future)
}
