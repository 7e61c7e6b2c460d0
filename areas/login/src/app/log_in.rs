//! Log-in: finds the user and checks the password. Too many failures lock a user out or make them
//! inactive.

use std::net::IpAddr;

use octavo_boxed::boxed;
use octavo_library::UserId;
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

/// The body of a log-in request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    /// The username, or
    pub username: Option<String>,
    pub user_id: Option<UserId>,
    pub password: Option<String>,
    /// The client's address.
    #[serde(skip)]
    pub address: Option<IpAddr>,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Credentials")
    }
}

/// The result of a log-in.
#[derive(Debug, Clone)]
pub enum Outcome {
    /// The user is authenticated.
    Proved(TokenUser),
    /// The name or the password is wrong, the user has no password or is not active.
    Refused {
        /// The user, when the name exists and the password was wrong.
        user_id: Option<UserId>,
        /// Whether this locked the user out, or made them inactive.
        blocked: bool,
    },
}

/// Failures that are counted concurrently: each takes a connection, and successful log-ins must find
/// some left.
static FAILURES: Semaphore = Semaphore::const_new(3);

/// Finds the user and verifies the password. Every failed log-in takes the same time and statements, so
/// that timing does not reveal which names exist.
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
            // Checked after the password: concurrent failures may have locked the user meanwhile.
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
    // Concurrent failures may have made the user inactive while this password was checked: signing the
    // token checks that again, after this.
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

/// Counts a failure; returns whether it locked the user or made them inactive. Failures of one user are
/// serialised. Those of a locked user are not counted, so that nobody can prolong a lock. Without a user
/// the same statements run and are rolled back, for the same timing.
async fn count_failure(
    platform: &Platform,
    tenant: &Tenant,
    user_id: Option<UserId>,
) -> Result<bool, StoreError> {
    // Leaves connections for successful log-ins.
    let _place = FAILURES.acquire().await.ok();
    let database = &platform.store.database;
    let rules = lock::rules(platform, tenant).await?;
    let transaction = database.transaction().await?;
    attempts::wait_for_disk(&transaction, false).await?;
    let counted = user_id.unwrap_or_else(|| Uuid::new_v4().into());
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
    let user = fetch_locked(&transaction, tenant, collection, user_id.uuid()).await?;
    let blocked = match user {
        Some(Value::Object(mut user)) if user.get("active") != Some(&json!(false)) => {
            user.insert("active".to_owned(), json!(false));
            let stamp = Stamp::now(None);
            replace(
                &transaction,
                tenant,
                collection,
                user_id.uuid(),
                &user,
                &stamp,
            )
            .await?;
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
        // Every process must act on the change before the client gets the response.
        platform.settle().await;
    }
    Ok(blocked)
}
