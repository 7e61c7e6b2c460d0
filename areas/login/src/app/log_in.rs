//! Logging in: who is it, and is it them? Failures are counted, and lock a user out in the end, or make
//! them inactive.

use std::net::IpAddr;

use octavo_boxed::boxed;
use octavo_platform::Platform;
use octavo_records::store::{fetch_locked, replace};
use octavo_records::{Stamp, StoreError, Tenant};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;
use uuid::Uuid;

use super::lock;
pub use super::password::hash;
use super::password::{Check, StoredHash, check_for};
use super::sign::TokenUser;
use crate::store::{self, Account, attempts};

/// What a client sends to log in.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The user's name, or
    pub username: Option<String>,
    pub user_id: Option<Uuid>,
    pub password: Option<String>,
    /// The address that they come from.
    #[serde(skip)]
    pub address: Option<IpAddr>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

/// What came of a log-in.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// Somebody proved who they are.
    Proved(TokenUser),
    /// The name or the password is wrong, the user has no password or is not active.
    Refused {
        /// The user, when the name was somebody's and the password was wrong.
        user_id: Option<Uuid>,
        /// Whether this locked the user out, or made them inactive.
        blocked: bool,
    },
}

/// Failures that are counted at the same time.
static FAILURES: Semaphore = Semaphore::const_new(3);

/// Finds the user and verifies the password. Whoever it is that does not get in, it takes the same
/// time and the same statements.
///
/// # Errors
/// When too many log-ins wait.
#[boxed]
pub async fn log_in(
    platform: &Platform,
    tenant: &Tenant,
    credentials: &Credentials,
) -> Result<Outcome, StoreError> {
    let database = &platform.store.database;
    let found = match credentials.user_id {
        Some(id) => store::account_by_id(database, tenant, id).await?,
        None => {
            let username = credentials.username.as_deref();
            store::account_by_username(database, tenant, username).await?
        }
    };
    let password = credentials.password.clone().unwrap_or_default();
    let stored = found.as_ref().and_then(stored_hash);
    let checked = check_for(platform, credentials.address, password, stored).await?;
    match found {
        Some(account) if account.active && checked != Check::Wrong => {
            // Asked after the check: others may have failed too often meanwhile.
            if lock::is_locked(platform, tenant, account.user_id).await? {
                return Ok(Outcome::Refused {
                    user_id: Some(account.user_id),
                    blocked: false,
                });
            }
            succeeded(platform, tenant, account, checked).await
        }
        Some(account) if account.active && account.hash.is_some() => {
            let blocked = count_failure(platform, tenant, Some(account.user_id)).await?;
            Ok(Outcome::Refused {
                user_id: Some(account.user_id),
                blocked,
            })
        }
        _ => {
            count_failure(platform, tenant, None).await?;
            Ok(Outcome::Refused {
                user_id: None,
                blocked: false,
            })
        }
    }
}

/// The hash that an account's password is compared with.
pub(crate) fn stored_hash(account: &Account) -> Option<StoredHash> {
    account.hash.clone().map(|hash| StoredHash {
        hash,
        salt: account.salt.clone(),
    })
}

async fn succeeded(
    platform: &Platform,
    tenant: &Tenant,
    account: Account,
    checked: Check,
) -> Result<Outcome, StoreError> {
    let database = &platform.store.database;
    if let (Check::RightBut(ours), Some(folios)) = (&checked, &account.hash) {
        store::replace_hash(database, tenant, account.user_id, folios, ours).await?;
    }
    // Others may have failed too often while this password was checked: whoever signs the token looks
    // again whether the user is active, after this.
    attempts::forget(database, tenant, account.user_id).await?;
    let username = match account.username {
        name if name.is_empty() => account.user_id.to_string(),
        name => name,
    };
    Ok(Outcome::Proved(TokenUser {
        user_id: account.user_id,
        username,
    }))
}

/// Counts a failure, and locks the user out or makes them inactive when it is one too many; says whether
/// it did. The failures of one user are counted one after the other, however many come at once; those of
/// a user who is locked out already are not, so that nobody keeps the lock closed by them. Without a user
/// the same is done to nobody and undone.
async fn count_failure(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Option<Uuid>,
) -> Result<bool, StoreError> {
    // A right log-in after these has connections left.
    let _place = FAILURES.acquire().await.ok();
    let database = &platform.store.database;
    let rules = lock::rules(platform, tenant).await?;
    let transaction = database.transaction().await?;
    attempts::wait_for_disk(&transaction, false).await?;
    let counted = user_id.unwrap_or_else(Uuid::new_v4);
    let failures = attempts::count_failure(&transaction, tenant, counted, &rules).await?;
    let Some(user_id) = user_id else {
        transaction.rollback().await?;
        return Ok(false);
    };
    let failures = match failures {
        Some(failures) if rules.limits.are_reached_by(failures) => failures,
        _ => {
            transaction.commit().await?;
            return Ok(false);
        }
    };
    attempts::wait_for_disk(&transaction, true).await?;
    if rules.lock_minutes > 0 {
        transaction.commit().await?;
        tracing::warn!(
            tenant = tenant.id(),
            user = %user_id,
            failures,
            minutes = rules.lock_minutes,
            "a user is locked out after failed log-ins"
        );
        return Ok(true);
    }
    attempts::forget(&transaction, tenant, user_id).await?;
    let collection = platform
        .store
        .catalog
        .get("users")
        .ok_or_else(|| StoreError::fault("the table users is not declared"))?;
    let user = fetch_locked(&transaction, tenant, collection, user_id).await?;
    let blocked = match user {
        Some(Value::Object(mut user)) if user.get("active") != Some(&json!(false)) => {
            user.insert("active".to_owned(), json!(false));
            let stamp = Stamp::now(None);
            replace(&transaction, tenant, collection, user_id, &user, &stamp).await?;
            true
        }
        _ => false,
    };
    transaction.commit().await?;
    if blocked {
        tracing::warn!(
            tenant = tenant.id(),
            user = %user_id,
            failures,
            "a user was made inactive after failed log-ins"
        );
        platform.settle().await;
    }
    Ok(blocked)
}
