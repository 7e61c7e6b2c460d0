//! Ending sessions: one, or all of a user. Every process refuses their tokens before the response is
//! sent.

use jiff::Timestamp;
use octavo_boxed::boxed;
use octavo_library::{SessionId, UserId};
use octavo_platform::Platform;
use octavo_platform::token::{Claims, TokenKind};
use octavo_records::{Executor, StoreError, Tenant};

use crate::store::sessions;

/// Ends the session of a token; returns whether there was one. Modules' tokens have no session. A user
/// who has revoked too many tokens without expiration has to end all sessions instead.
#[boxed]
pub async fn log_out(
    platform: &Platform,
    tenant: &Tenant,
    claims: &Claims,
) -> Result<bool, StoreError> {
    let Some(user_id) = claims.user_id.map(UserId::from) else {
        return Ok(false);
    };
    let database = &platform.store.database;
    let session = SessionId::from(claims.session());
    let ended = match claims.kind {
        TokenKind::LegacyAccess => {
            sessions::end_endless(database, tenant, user_id, session).await?
        }
        TokenKind::Access | TokenKind::Refresh => {
            // The expiration of the access tokens is in the stored session, not in the refresh token.
            let ends = match claims.kind {
                TokenKind::Access => claims.exp.and_then(|end| Timestamp::from_second(end).ok()),
                _ => None,
            };
            let ends = ends.unwrap_or_else(Timestamp::now);
            sessions::end(database, tenant, user_id, session, ends).await?;
            true
        }
        TokenKind::Module | TokenKind::Dummy | TokenKind::DummyExpiring => false,
    };
    if ended {
        // Every process must act on the change before the client gets the response.
        platform.settle().await;
    }
    Ok(ended)
}

/// Ends all sessions of a user, also those of tokens without expiration, except one to keep. A caller in
/// a transaction must await [`Platform::settle`] after its commit.
#[boxed]
pub async fn end_sessions(
    executor: &dyn Executor,
    tenant: &Tenant,
    user_id: UserId,
    spared: Option<SessionId>,
) -> Result<(), StoreError> {
    sessions::end_all(executor, tenant, user_id, spared).await
}

/// Ends all sessions of a user.
#[boxed]
pub async fn log_out_everywhere(
    platform: &Platform,
    tenant: &Tenant,
    user_id: UserId,
) -> Result<(), StoreError> {
    end_sessions(&platform.store.database, tenant, user_id, None).await?;
    platform.settle().await;
    Ok(())
}
