//! Exchanges a refresh token for new tokens. Each token is valid once: a second use means that it
//! was copied, and ends all sessions of its user, because the holder of the newer tokens is unknown.

use octavo_boxed::boxed;
use octavo_library::UserId;
use octavo_platform::Platform;
use octavo_platform::token::Claims;
use octavo_records::{StoreError, Tenant};

use super::sign::{Draft, Tokens, hash_of};
use crate::store::sessions::{self, Carried};

/// The next tokens of a session; nothing for a token that is not the session's latest. When it was
/// good once, all sessions of its user that have refresh tokens are ended, as in FOLIO.
#[boxed]
pub async fn refresh(
    platform: &Platform,
    tenant: &Tenant,
    token: &str,
) -> Result<Option<Tokens>, StoreError> {
    let Some(claims) = verified(platform, tenant, token).await? else {
        return Ok(None);
    };
    let (Some(user_id), Some(id)) = (claims.user_id, claims.sid) else {
        return Ok(None);
    };
    let user_id = UserId::from(user_id);
    let draft = Draft::new(platform, tenant, id.into(), user_id);
    let database = &platform.store.database;
    let used = hash_of(claims.jti);
    let generation = claims.generation;
    match sessions::carry_on(database, tenant, &draft.session, &used, generation).await? {
        Carried::On(generation, username) => {
            let signing = draft.sign(platform, tenant, &username, generation);
            Ok(Some(signing.await?))
        }
        Carried::Spent => {
            tracing::warn!(
                tenant = tenant.id(),
                user = %user_id,
                "a refresh token was used again; the user's sessions are ended"
            );
            sessions::end_refreshable(database, tenant, user_id).await?;
            // Every process must act on the change before the client gets the response.
            platform.settle().await;
            Ok(None)
        }
        Carried::Gone => Ok(None),
    }
}

async fn verified(
    platform: &Platform,
    tenant: &Tenant,
    token: &str,
) -> Result<Option<Claims>, StoreError> {
    let Ok(claims) = platform.identities.verify_refresh(token).await else {
        return Ok(None);
    };
    let is_ours = platform.identities.is_of_tenant(tenant, &claims).await?;
    Ok(is_ours.then_some(claims))
}
