//! Begins sessions and signs their tokens.

use jiff::{SignedDuration, Timestamp};
use octavo_boxed::boxed;
use octavo_library::{SessionId, UserId};
use octavo_platform::Platform;
use octavo_platform::token::{Claims, TokenKind};
use octavo_records::{StoreError, Tenant};
use ring::digest::{SHA256, digest};
use uuid::Uuid;

use crate::store::sessions::{self, Session};

/// The user of a token.
#[derive(Debug, Clone)]
pub struct TokenUser {
    /// The user's id.
    pub user_id: UserId,
    /// The user's name as stored.
    pub username: String,
}

/// A session's tokens. It has no `Debug`: they belong in no log.
pub struct Tokens {
    /// For requests.
    pub access: String,
    /// When that ends.
    pub access_ends: Timestamp,
    /// For new tokens.
    pub refresh: String,
    /// When that ends.
    pub refresh_ends: Timestamp,
}

/// The claims of a session's next tokens, before signing.
pub(super) struct Draft {
    pub(super) session: Session,
    secret: Uuid,
    now: Timestamp,
}

impl Draft {
    /// The next tokens of a session.
    pub(super) fn new(
        platform: &Platform,
        tenant: &Tenant,
        id: SessionId,
        user_id: UserId,
    ) -> Draft {
        let lifetimes = &platform.identities.login.lifetimes;
        // Claims have whole seconds.
        let now = Timestamp::from_second(Timestamp::now().as_second()).unwrap_or_default();
        let after = |seconds| now + SignedDuration::from_secs(seconds);
        let secret = Uuid::new_v4();
        let session = Session {
            id,
            user_id,
            refresh_hash: hash_of(secret),
            refresh_ends: after(lifetimes.refresh_seconds(tenant.id())),
            access_ends: after(lifetimes.access_seconds(tenant.id())),
        };
        Draft {
            session,
            secret,
            now,
        }
    }

    /// The tokens, now that the session is stored.
    pub(super) async fn sign(
        self,
        platform: &Platform,
        tenant: &Tenant,
        username: &str,
        generation: i64,
    ) -> Result<Tokens, StoreError> {
        let Session {
            id,
            user_id,
            refresh_ends,
            access_ends,
            ..
        } = self.session;
        let claims = |kind, ends: Timestamp, jti| Claims {
            sub: username.to_owned(),
            user_id: Some(user_id.uuid()),
            tenant: tenant.id().to_owned(),
            kind,
            iat: self.now.as_second(),
            exp: Some(ends.as_second()),
            jti,
            sid: Some(id.uuid()),
            generation,
            ..Claims::default()
        };
        Ok(Tokens {
            access: platform
                .identities
                .sign(
                    tenant,
                    claims(TokenKind::Access, access_ends, Uuid::new_v4()),
                )
                .await?,
            access_ends,
            refresh: platform
                .identities
                .sign(
                    tenant,
                    claims(TokenKind::Refresh, refresh_ends, self.secret),
                )
                .await?,
            refresh_ends,
        })
    }
}

/// The stored hash of a refresh token, computed from its random secret.
pub(super) fn hash_of(secret: Uuid) -> Vec<u8> {
    digest(&SHA256, secret.as_bytes()).as_ref().to_vec()
}

/// Begins a session; `None` when the user is not active.
#[boxed]
pub async fn begin_session(
    platform: &Platform,
    tenant: &Tenant,
    user: &TokenUser,
) -> Result<Option<Tokens>, StoreError> {
    let draft = Draft::new(platform, tenant, Uuid::new_v4().into(), user.user_id);
    let database = &platform.store.database;
    let Some(generation) = sessions::begin(database, tenant, &draft.session).await? else {
        return Ok(None);
    };
    let signing = draft.sign(platform, tenant, &user.username, generation);
    Ok(Some(signing.await?))
}

/// Signs a token without expiration; `None` when the user is not active.
#[boxed]
pub async fn sign_legacy(
    platform: &Platform,
    tenant: &Tenant,
    user: &TokenUser,
) -> Result<Option<String>, StoreError> {
    let database = &platform.store.database;
    let Some(generation) = sessions::generation(database, tenant, user.user_id).await? else {
        return Ok(None);
    };
    let claims = Claims {
        sub: user.username.clone(),
        user_id: Some(user.user_id.uuid()),
        tenant: tenant.id().to_owned(),
        kind: TokenKind::LegacyAccess,
        iat: Timestamp::now().as_second(),
        jti: Uuid::new_v4(),
        generation,
        ..Claims::default()
    };
    platform.identities.sign(tenant, claims).await.map(Some)
}

/// Signs a token without a user, with permissions of its own; it expires unless it is a legacy one.
#[boxed]
pub async fn sign_dummy(
    platform: &Platform,
    tenant: &Tenant,
    sub: &str,
    permissions: Vec<String>,
    is_legacy: bool,
) -> Result<String, StoreError> {
    let now = Timestamp::now().as_second();
    let seconds = platform
        .identities
        .login
        .lifetimes
        .access_seconds(tenant.id());
    let claims = Claims {
        sub: sub.to_owned(),
        tenant: tenant.id().to_owned(),
        kind: if is_legacy {
            TokenKind::Dummy
        } else {
            TokenKind::DummyExpiring
        },
        iat: now,
        exp: (!is_legacy).then_some(now + seconds),
        jti: Uuid::new_v4(),
        extra_permissions: permissions,
        dummy: true,
        ..Claims::default()
    };
    platform.identities.sign(tenant, claims).await
}
