//! A new password in the place of one that is known.

use std::pin::Pin;

use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_records::{Stamp, StoreError, Tenant};
use uuid::Uuid;

use super::lock;
use super::log_in::{Credentials, log_in, stored_hash};
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
    /// The session of the caller, which continues; the user's others end.
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

/// Whether a password is the user's; one that is not counts as a failed log-in.
#[boxed]
pub async fn is_password(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
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

/// A password that was not the user's.
struct Failed {
    /// Whether it is a failed log-in: that of an active user who has another password.
    counts: bool,
}

impl Failed {
    /// Lets the log-in fail too, which counts it, and makes the user inactive in the end.
    async fn count(
        self,
        platform: &Platform,
        tenant: &Tenant,
        user_id: Uuid,
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
            // Whoever has proved the password once and was too late has not failed to log in.
            Err(_) => break,
        };
        if change.other_than_before && was_used(platform, tenant, user_id, change.new).await? {
            return Ok(Ok(Changed::UsedBefore));
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
        return Ok(Ok(Changed::Yes));
    }
    Ok(Ok(Changed::WrongPassword))
}

/// The hash of the user's password when this is it. Credentials may be there before the user is.
async fn proved(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Uuid,
    password: &str,
) -> Result<Result<StoredHash, Failed>, StoreError> {
    let database = &platform.store.database;
    let (stored, active) = match account_by_id(database, tenant, user_id).await? {
        Some(account) => (stored_hash(&account), account.active),
        None => (credentials::hash_of(database, tenant, user_id).await?, true),
    };
    let mut right = is_right(platform, password.to_owned(), stored.clone()).await?;
    // Who is locked out guesses here no better than at the log-in.
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

/// Made in a frame of its own, so that the callers' frames stay small.
fn boxed<'a, T>(
    future: impl Future<Output = T> + Send + 'a,
) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    Box::pin(future)
}
