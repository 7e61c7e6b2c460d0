//! Everything that says who calls: keys, sessions, permissions, and what the operator decided about
//! log-ins. Tokens are signed and verified here.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::StatusCode;
use octavo_boxed::boxed;
use octavo_postgres::DatabaseError;
use octavo_records::{StoreError, Tenant};

use crate::caller;
use crate::cpu_pool::SlowWork;
use crate::error::ApiError;
use crate::identity::{Grants, Identity, Judgement, Permissions};
use crate::key_ring::KeyRing;
use crate::tenants::Tenants;
use crate::token::{Claims, KeySource, LoginSettings, ModuleToken, Signer, TokenError, TokenKind};

/// Password checks that wait for their turn; about ten seconds' worth on one thread.
const PASSWORD_CHECKS_WAITING_MAX: usize = 512;
/// How long a module may act on a request: what it does may outlast the answer.
const MODULE_TOKEN_LIFETIME: Duration = Duration::from_secs(600);

/// Who calls, and what they may do.
#[derive(Debug)]
pub struct Identities {
    /// Permissions and ended sessions, by user.
    pub permissions: Arc<Permissions>,
    /// What the operator decided about log-ins.
    pub login: LoginSettings,
    /// Where passwords are hashed and verified: a storm of log-ins must not starve the rest.
    pub password_checks: SlowWork,
    tenants: Arc<Tenants>,
    signer: Arc<Signer>,
    /// Where its keys come from, when they can change.
    keys: OnceLock<Arc<KeyRing>>,
}

impl Identities {
    pub(crate) fn new(
        tenants: Arc<Tenants>,
        permissions: Arc<Permissions>,
        login: LoginSettings,
        signing_key: &[u8],
    ) -> Identities {
        let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
        Identities {
            permissions,
            login,
            password_checks: SlowWork::new(
                cores.div_ceil(4),
                PASSWORD_CHECKS_WAITING_MAX,
                "Too many log-ins are waiting now; try again in a moment",
            ),
            tenants,
            signer: Arc::new(Signer::new(signing_key)),
            keys: OnceLock::new(),
        }
    }

    /// Takes the keys of tokens from there, now and whenever they change.
    ///
    /// # Errors
    /// When they cannot be read.
    #[boxed]
    pub async fn take_keys(&self, source: Arc<dyn KeySource>) -> Result<(), DatabaseError> {
        let database = self.tenants.store.database.clone();
        let ring = KeyRing::new(source, database, Arc::clone(&self.signer));
        ring.reload().await?;
        let _ = self.keys.set(Arc::new(ring));
        Ok(())
    }

    pub(crate) fn keys(&self) -> Option<&KeyRing> {
        self.keys.get().map(AsRef::as_ref)
    }

    /// What a token says, when it is good. One of a key that is not known here may be of a key that
    /// was just made elsewhere: the keys are read again, not more than once in a while.
    pub(crate) async fn claims(&self, token: &str) -> Result<Arc<Claims>, ApiError> {
        let verifying = octavo_trace::span("token");
        let mut verified = self.signer.verify(token);
        drop(verifying);
        if matches!(verified, Err(TokenError::UnknownKey)) {
            // Boxed, so that requests with a known key do not carry room for it.
            Box::pin(self.reload_keys_for_unknown()).await;
            verified = self.signer.verify(token);
        }
        let claims = verified.map_err(|_| caller::invalid())?;
        if claims.kind == TokenKind::LegacyAccess && !self.login.legacy.has(&claims.tenant) {
            return Err(caller::invalid());
        }
        Ok(claims)
    }

    /// The identity that follows from a token: the user is active, and nobody has ended the session.
    pub(crate) async fn identify(
        &self,
        tenant: &Tenant,
        claims: Arc<Claims>,
    ) -> Result<Identity, ApiError> {
        let is_nobodys = matches!(claims.kind, TokenKind::Dummy | TokenKind::DummyExpiring);
        let user_id = claims.user_id.filter(|_| !is_nobodys);
        let Some(user_id) = user_id else {
            // Only a module acts for nobody.
            if !is_nobodys && claims.kind != TokenKind::Module {
                return Err(caller::invalid());
            }
            return Ok(Identity {
                user_id: None,
                grants: Arc::new(Grants::of_token(&claims.extra_permissions, None)),
                claims,
            });
        };
        let store = &self.tenants.store;
        let account = self
            .permissions
            .account(store, tenant, user_id)
            .await
            .map_err(caller::shared_error)?;
        let Some(grants) = account.grants else {
            return Err(ApiError::text(
                StatusCode::UNAUTHORIZED,
                format!("Invalid token: user with id {user_id} is not active"),
            ));
        };
        let is_over = match account.revoked.judge(&claims) {
            Judgement::Good => false,
            Judgement::Over => true,
            Judgement::LookUp(session) => {
                let sessions = &self.permissions.sessions;
                sessions
                    .is_revoked(store.clone(), tenant.clone(), session)
                    .await?
            }
        };
        if is_over {
            return Err(caller::invalid());
        }
        let grants = if claims.extra_permissions.is_empty() {
            grants
        } else {
            Arc::new(Grants::of_token(&claims.extra_permissions, Some(grants)))
        };
        Ok(Identity {
            user_id: Some(user_id),
            claims,
            grants,
        })
    }

    /// Signs a token for a tenant as it is now: one that is made later with its id does not take it.
    #[boxed]
    pub async fn sign(&self, tenant: &Tenant, mut claims: Claims) -> Result<String, StoreError> {
        let incarnation = self.tenants.incarnation(tenant).await?;
        claims.incarnation = incarnation.map(|one| one.id);
        let signed = self.signer.sign(&claims);
        signed.map_err(|error| StoreError::fault(error))
    }

    /// Whether a token was signed for a tenant as it is now.
    #[boxed]
    pub async fn is_of_tenant(&self, tenant: &Tenant, claims: &Claims) -> Result<bool, StoreError> {
        let incarnation = self.tenants.incarnation(tenant).await?;
        let same = incarnation.is_some_and(|one| claims.is_of(one));
        Ok(same && claims.tenant == tenant.id())
    }

    /// Verifies a refresh token, be its key known here yet or not.
    ///
    /// # Errors
    /// When it is forged, malformed, past its end, or a token of another kind.
    #[boxed]
    pub async fn verify_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        match self.signer.verify_refresh(token) {
            Err(TokenError::UnknownKey) => {
                self.reload_keys_for_unknown().await;
                self.signer.verify_refresh(token)
            }
            verified => verified,
        }
    }

    /// The same for one that may have ended: its session can be logged out all the same.
    ///
    /// # Errors
    /// As [`Identities::verify_refresh`], but for its end.
    #[boxed]
    pub async fn verify_ended_refresh(&self, token: &str) -> Result<Claims, TokenError> {
        match self.signer.verify_ended_refresh(token) {
            Err(TokenError::UnknownKey) => {
                self.reload_keys_for_unknown().await;
                self.signer.verify_ended_refresh(token)
            }
            verified => verified,
        }
    }

    /// Reads the keys again unless that was just done.
    pub(crate) async fn reload_keys_for_unknown(&self) {
        if let Some(ring) = self.keys.get() {
            ring.reload_for_unknown().await;
        }
    }

    /// The token that a remote module is called with: the caller's rights and those of the route.
    pub(crate) async fn module_token(
        &self,
        tenant: &Tenant,
        identity: Option<&Identity>,
        module: &str,
        permissions: &[String],
    ) -> Result<String, ApiError> {
        let store = self.tenants.store.clone();
        let expanding = self
            .permissions
            .expanded(store, tenant.clone(), permissions);
        let granted = expanding.await.map_err(caller::shared_error)?;
        let token = ModuleToken {
            tenant: tenant.id(),
            incarnation: self.tenants.incarnation(tenant).await?.map(|one| one.id),
            caller: identity.map(|identity| &*identity.claims),
            module,
            extra_permissions: granted,
            lifetime: MODULE_TOKEN_LIFETIME,
        };
        let signed = self.signer.sign_module(token);
        signed.map_err(|error| ApiError::fault(error))
    }
}
