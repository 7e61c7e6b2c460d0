//! Authentication and authorization: keys, sessions, permissions, and the operator's settings of
//! log-ins. Tokens are signed and verified here.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use http::StatusCode;
use octavo_boxed::boxed;
use octavo_postgres::DatabaseError;
use octavo_records::{StoreError, Tenant};

use crate::caller;
use crate::cpu_pool::CpuPool;
use crate::error::ApiError;
use crate::identity::{Grants, Identity, Judgement, Permissions};
use crate::key_ring::KeyRing;
use crate::tenants::Tenants;
use crate::token::{Claims, KeySource, LoginSettings, ModuleToken, Signer, TokenError, TokenKind};

/// The most password checks that wait for a thread; about ten seconds' worth on one.
const PASSWORD_CHECKS_WAITING_MAX: usize = 512;
/// The lifetime of a module's token: its work may outlast the response.
const MODULE_TOKEN_LIFETIME: Duration = Duration::from_secs(600);

#[derive(Debug)]
pub struct Identities {
    /// Permissions and revoked sessions, by user.
    pub permissions: Arc<Permissions>,
    /// The operator's settings of log-ins.
    pub login: LoginSettings,
    /// The pool that hashes and verifies passwords, so that many log-ins at once do not starve
    /// other requests.
    pub password_checks: CpuPool,
    tenants: Arc<Tenants>,
    signer: Arc<Signer>,
    /// The source of its keys, if they can change.
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
            password_checks: CpuPool::new(
                cores.div_ceil(4),
                PASSWORD_CHECKS_WAITING_MAX,
                "Too many log-ins are waiting now; try again in a moment",
            ),
            tenants,
            signer: Arc::new(Signer::new(signing_key)),
            keys: OnceLock::new(),
        }
    }

    /// Loads the keys of tokens from `source`, now and whenever they change.
    ///
    /// # Errors
    /// When they cannot be loaded.
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

    /// The claims of a valid token. An unknown key may just have been created by another process,
    /// so the keys are loaded again, at a limited rate.
    pub(crate) async fn claims(&self, token: &str) -> Result<Arc<Claims>, ApiError> {
        let verifying = octavo_trace::span("token");
        let mut verified = self.signer.verify(token);
        drop(verifying);
        if matches!(verified, Err(TokenError::UnknownKey)) {
            // Boxed, so that requests with a known key do not reserve memory for it.
            Box::pin(self.reload_keys_for_unknown()).await;
            verified = self.signer.verify(token);
        }
        let claims = verified.map_err(|_| caller::invalid())?;
        if claims.kind == TokenKind::LegacyAccess && !self.login.legacy.has(&claims.tenant) {
            return Err(caller::invalid());
        }
        Ok(claims)
    }

    /// The identity that follows from a token: its user has to be active, and its session not
    /// revoked.
    pub(crate) async fn identify(
        &self,
        tenant: &Tenant,
        claims: Arc<Claims>,
    ) -> Result<Identity, ApiError> {
        let is_nobodys = matches!(claims.kind, TokenKind::Dummy | TokenKind::DummyExpiring);
        let user_id = claims.user_id.filter(|_| !is_nobodys);
        let Some(user_id) = user_id else {
            // Only modules act without a user.
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

    /// Signs a token for the present tenant; a later tenant with the same id does not accept it.
    #[boxed]
    pub async fn sign(&self, tenant: &Tenant, mut claims: Claims) -> Result<String, StoreError> {
        let incarnation = self.tenants.incarnation(tenant).await?;
        claims.incarnation = incarnation.map(|one| one.id);
        let signed = self.signer.sign(&claims);
        signed.map_err(|error| StoreError::fault(error))
    }

    /// Whether a token was signed for the present tenant, not an earlier one with the same id.
    #[boxed]
    pub async fn is_of_tenant(&self, tenant: &Tenant, claims: &Claims) -> Result<bool, StoreError> {
        let incarnation = self.tenants.incarnation(tenant).await?;
        let same = incarnation.is_some_and(|one| claims.is_of(one));
        Ok(same && claims.tenant == tenant.id())
    }

    /// Verifies a refresh token, loading the keys again if its key is unknown.
    ///
    /// # Errors
    /// When it is forged, malformed, expired, or a token of another kind.
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

    /// The same for one that may have expired, whose session can still be logged out.
    ///
    /// # Errors
    /// As [`Identities::verify_refresh`], but not for expiry.
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

    /// Loads the keys again, unless that was just done.
    pub(crate) async fn reload_keys_for_unknown(&self) {
        if let Some(ring) = self.keys.get() {
            ring.reload_for_unknown().await;
        }
    }

    /// The token for a call of a remote module: the caller's permissions and those of the route.
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
