//! Who calls, and what they may do. Areas supply the facts through [`Directory`]; the platform
//! caches them until the database says that they changed.

pub mod caller;
pub mod identities;
pub mod key_ring;
pub mod token;

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use moka::future::Cache;
use octavo_boxed::boxed;
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use crate::background::heard::Heard;
use crate::permission_set::PermissionSet;
use crate::token::{Claims, TokenKind};

/// The channel on which the database tells of changed users and permissions, payload
/// `tenant:user` or `tenant:*`.
pub const CHANNEL: &str = "octavo_identity";

/// Whoever has a valid token: a user, or a module that does something by itself.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The user's id, when it is a user.
    pub user_id: Option<Uuid>,
    /// What the token says of them.
    pub claims: Arc<Claims>,
    /// What they may do, the token's own permissions included.
    pub grants: Arc<Grants>,
}

/// A user's permissions, with those of all sets they hold.
#[derive(Debug, Default)]
pub struct Grants {
    names: HashSet<String>,
    everything: bool,
    /// Those that count beside these.
    also: Option<Arc<Grants>>,
}

/// The set that holds every permission of every route; the demo's administrator has it.
pub const ALL_PERMISSIONS: &str = "octavo.all";

impl Grants {
    /// These permissions, sets already expanded.
    #[must_use]
    pub fn new(names: HashSet<String>) -> Grants {
        let everything = names.contains(ALL_PERMISSIONS);
        Grants {
            names,
            everything,
            also: None,
        }
    }

    /// A token's own permissions on top of its user's, if it has a user.
    #[must_use]
    pub fn of_token(extra: &[String], user: Option<Arc<Grants>>) -> Grants {
        Grants {
            names: extra.iter().cloned().collect(),
            everything: false,
            also: user,
        }
    }

    /// Whether a permission is among them.
    #[must_use]
    pub fn has(&self, permission: &str) -> bool {
        self.everything
            || self.names.contains(permission)
            || self.also.as_ref().is_some_and(|also| also.has(permission))
    }

    /// Whether every permission is among them, whatever its name.
    #[must_use]
    pub fn has_everything(&self) -> bool {
        self.everything || self.also.as_ref().is_some_and(|also| also.has_everything())
    }

    /// Those whose names begin so, for interfaces that put a value of the tenant's into names
    /// (`mod-settings.global.read.` and a scope).
    #[must_use]
    pub fn beginning_with<'a>(&'a self, start: &str) -> Vec<&'a str> {
        let names = self.names.iter().map(String::as_str);
        let mut found: Vec<&str> = names.filter(|name| name.starts_with(start)).collect();
        if let Some(also) = &self.also {
            found.extend(also.beginning_with(start));
        }
        found
    }
}

/// Revoked sessions of a user that are remembered one by one; of more, each is looked up.
pub const REVOKED_LISTED_MAX: usize = 200;

/// Which of a user's tokens are worth nothing any more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revoked {
    /// How often all of the user's sessions were ended: tokens signed before the last time are over.
    pub generation: i64,
    /// The one session that the last time left alone.
    pub spared: Option<Uuid>,
    /// The single sessions that were ended.
    pub sessions: RevokedSessions,
}

/// The single sessions of a user that were ended while tokens of theirs may still last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevokedSessions {
    /// These, [`REVOKED_LISTED_MAX`] at most.
    These(Vec<Uuid>),
    /// More than are worth keeping: each is looked up.
    Many,
}

impl Default for RevokedSessions {
    fn default() -> RevokedSessions {
        RevokedSessions::These(Vec::new())
    }
}

/// What [`Revoked::judge`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// The token is good.
    Good,
    /// It was revoked.
    Over,
    /// The session has to be looked up.
    LookUp(Uuid),
}

impl Revoked {
    /// Whether a token of the user was revoked.
    #[must_use]
    pub fn judge(&self, claims: &Claims) -> Judgement {
        let session = claims.session();
        if claims.generation < self.generation && self.spared != Some(session) {
            return Judgement::Over;
        }
        match &self.sessions {
            // A module's token is no session's: what was begun may outlast that.
            _ if claims.kind == TokenKind::Module => Judgement::Good,
            RevokedSessions::These(sessions) if sessions.contains(&session) => Judgement::Over,
            RevokedSessions::These(_) => Judgement::Good,
            RevokedSessions::Many => Judgement::LookUp(session),
        }
    }
}

/// The future of a look-up.
pub type LookUp = Pin<Box<dyn Future<Output = Result<Option<Grants>, StoreError>> + Send>>;

/// The future of a change.
pub type ChangeFuture = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// The permissions that one module brings to a tenant (FOLIO's `_tenantPermissions`).
#[derive(Debug, Clone)]
pub struct ModulePermissions {
    /// The module, `mod-users-19.5.0`.
    pub module_id: String,
    /// All permissions it defines; none when the module is disabled.
    pub permissions: Vec<PermissionSet>,
    /// The module that it takes the place of, when it is an upgrade.
    pub replaces: Option<String>,
}

/// Where users' permissions are kept; implemented by the permissions area.
pub trait Directory: Send + Sync {
    /// The permissions of an active user; nothing for one who is unknown or inactive.
    fn grants(&self, store: Store, tenant: Tenant, user_id: Uuid) -> LookUp;

    /// Makes the definitions of a tenant agree with what modules bring. One that an earlier version
    /// brought and this one does not is deprecated; those of other modules stay as they are.
    fn announce(
        &self,
        store: Store,
        tenant: Tenant,
        modules: Vec<ModulePermissions>,
    ) -> ChangeFuture;

    /// The permissions of these names and of all sets among them.
    fn expand(&self, store: Store, tenant: Tenant, names: Vec<String>) -> Expanding;
}

/// The future of an expansion.
pub type Expanding = Pin<Box<dyn Future<Output = Result<Vec<String>, StoreError>> + Send>>;

/// The future of what was revoked.
pub type RevokedLookUp = Pin<Box<dyn Future<Output = Result<Revoked, StoreError>> + Send>>;

/// The future of whether one session was.
pub type SessionLookUp = Pin<Box<dyn Future<Output = Result<bool, StoreError>> + Send>>;

/// Where sessions are kept; implemented by the log-in area.
pub trait Sessions: Send + Sync {
    /// What of a user's was revoked.
    fn revoked(&self, store: Store, tenant: Tenant, user_id: Uuid) -> RevokedLookUp;

    /// Whether one session was.
    fn is_revoked(&self, store: Store, tenant: Tenant, session: Uuid) -> SessionLookUp;
}

/// What is known of a user with every request.
#[derive(Debug, Clone)]
pub struct Account {
    /// What they may do; nothing for one who is unknown or inactive.
    pub grants: Option<Arc<Grants>>,
    /// Which of their tokens are over.
    pub revoked: Arc<Revoked>,
}

/// Permissions and revoked sessions by user, kept while the database's notifications arrive.
pub struct Permissions {
    /// Where permissions are kept.
    pub directory: Arc<dyn Directory>,
    /// Where sessions are.
    pub sessions: Arc<dyn Sessions>,
    cache: Cache<(String, Uuid), Account>,
    /// Sets that modules were given, expanded.
    expanded: Cache<(String, Vec<String>), Arc<Vec<String>>>,
    listening: AtomicBool,
    /// Counts what was heard, so that a look-up that began before is not kept after.
    heard: AtomicU64,
}

impl std::fmt::Debug for Permissions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permissions")
            .field("cached", &self.cache.entry_count())
            .finish()
    }
}

impl Permissions {
    /// Names of permissions remembered at most, each user's counted: some ten thousand patrons, or
    /// some hundred users who may do everything.
    const USERS_NAMES_MAX: u64 = 400_000;
    /// What a user without permissions counts.
    const USER_NAMES: usize = 16;
    /// Names in expanded sets of modules' routes remembered at most.
    const SETS_NAMES_MAX: u64 = 100_000;

    /// A cache over a directory. Nothing is kept until [`Permissions::begin`].
    #[must_use]
    pub fn new(directory: Arc<dyn Directory>, sessions: Arc<dyn Sessions>) -> Permissions {
        let weight = |_: &(String, Uuid), account: &Account| {
            let names = account
                .grants
                .as_ref()
                .map_or(0, |grants| grants.names.len());
            u32::try_from(names + Permissions::USER_NAMES).unwrap_or(u32::MAX)
        };
        let cache = Cache::builder()
            .weigher(weight)
            .max_capacity(Permissions::USERS_NAMES_MAX)
            .build();
        let weight = |key: &(String, Vec<String>), names: &Arc<Vec<String>>| {
            u32::try_from(key.1.len() + names.len() + 1).unwrap_or(u32::MAX)
        };
        let expanded = Cache::builder()
            .weigher(weight)
            .max_capacity(Permissions::SETS_NAMES_MAX)
            .build();
        Permissions {
            directory,
            sessions,
            cache,
            expanded,
            listening: AtomicBool::new(false),
            heard: AtomicU64::new(0),
        }
    }

    /// What a user may do; nothing for one who is unknown or inactive.
    #[boxed]
    pub async fn of(
        &self,
        store: &Store,
        tenant: &Tenant,
        user_id: Uuid,
    ) -> Result<Option<Arc<Grants>>, Arc<StoreError>> {
        let account = self.account(store, tenant, user_id).await?;
        Ok(account.grants)
    }

    /// What a user may do, and which of their tokens are over.
    #[boxed]
    pub async fn account(
        &self,
        store: &Store,
        tenant: &Tenant,
        user_id: Uuid,
    ) -> Result<Account, Arc<StoreError>> {
        // One round trip: the two are polled together.
        let look_up = || async {
            let (grants, revoked) = tokio::try_join!(
                self.directory
                    .grants(store.clone(), tenant.clone(), user_id),
                self.sessions
                    .revoked(store.clone(), tenant.clone(), user_id),
            )?;
            Ok(Account {
                grants: grants.map(Arc::new),
                revoked: Arc::new(revoked),
            })
        };
        if !self.listening.load(Ordering::Acquire) {
            return look_up().await.map_err(Arc::new);
        }
        let key = (tenant.id().to_owned(), user_id);
        let heard = self.heard.load(Ordering::Acquire);
        let found = self.cache.try_get_with(key.clone(), look_up()).await;
        if self.heard.load(Ordering::Acquire) != heard {
            self.cache.invalidate(&key).await;
        }
        found
    }

    /// The permissions of these names and of all sets among them.
    #[boxed]
    pub async fn expanded(
        &self,
        store: Store,
        tenant: Tenant,
        names: &[String],
    ) -> Result<Vec<String>, Arc<StoreError>> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let key = (tenant.id().to_owned(), names.to_vec());
        let look_up = self.directory.expand(store, tenant, names.to_vec());
        if !self.listening.load(Ordering::Acquire) {
            return look_up.await.map_err(Arc::new);
        }
        let heard = self.heard.load(Ordering::Acquire);
        let looked_up = async { look_up.await.map(Arc::new) };
        let found = self.expanded.try_get_with(key.clone(), looked_up).await?;
        if self.heard.load(Ordering::Acquire) != heard {
            self.expanded.invalidate(&key).await;
        }
        Ok(found.to_vec())
    }

    fn forget_all(&self) {
        self.cache.invalidate_all();
        self.expanded.invalidate_all();
    }

    /// Begins to keep what was looked up: from now on notices of changes are heard.
    #[boxed]
    pub async fn begin(&self) {
        self.forget_all();
        self.listening.store(true, Ordering::Release);
    }

    /// Drops what the database says has changed; everything, when notices may have been missed.
    #[boxed]
    pub async fn hear(&self, event: &Heard) {
        self.heard.fetch_add(1, Ordering::AcqRel);
        match event {
            Heard::Notice { channel, payload } => {
                if *channel == CHANNEL {
                    self.forget(payload).await;
                }
            }
            Heard::Lost | Heard::Closed => {
                self.listening.store(false, Ordering::Release);
                self.forget_all();
            }
            Heard::Restored => {
                self.forget_all();
                self.listening.store(true, Ordering::Release);
            }
            Heard::Missed => self.forget_all(),
        }
    }

    /// Drops what is kept, because a tenant went: another one of its id may have the same users.
    pub(crate) async fn forget_tenant(&self) {
        self.heard.fetch_add(1, Ordering::AcqRel);
        self.forget_all();
    }

    async fn forget(&self, payload: &str) {
        match payload.split_once(':') {
            Some((tenant, user)) if user != "*" => {
                if let Ok(user) = Uuid::try_parse(user) {
                    self.cache.invalidate(&(tenant.to_owned(), user)).await;
                }
            }
            _ => self.forget_all(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(generation: i64, session: u128) -> Claims {
        Claims {
            generation,
            sid: Some(Uuid::from_u128(session)),
            ..Claims::default()
        }
    }

    #[test]
    fn a_tokens_own_permissions_count_beside_its_users() {
        let user = Arc::new(Grants::new(HashSet::from(["a.get".to_owned()])));
        let both = Grants::of_token(&["b.get".to_owned()], Some(user));
        assert!(both.has("a.get") && both.has("b.get") && !both.has("c.get"));
        assert_eq!(both.beginning_with("a."), ["a.get"]);
        assert_eq!(both.beginning_with("").len(), 2);
        assert!(!both.has_everything());
        let alone = Grants::of_token(&["b.get".to_owned()], None);
        assert!(alone.has("b.get") && !alone.has("a.get"));
        let all = Arc::new(Grants::new(HashSet::from([ALL_PERMISSIONS.to_owned()])));
        assert!(Grants::of_token(&[], Some(all)).has("c.get"));
        // A token cannot say that it may do everything: only users hold that.
        assert!(!Grants::of_token(&[ALL_PERMISSIONS.to_owned()], None).has("c.get"));
    }

    #[test]
    fn tokens_end_by_generation_or_by_session() {
        let revoked = Revoked {
            generation: 2,
            spared: Some(Uuid::from_u128(7)),
            sessions: RevokedSessions::These(vec![Uuid::from_u128(9)]),
        };
        for (claims, judgement) in [
            (token(2, 1), Judgement::Good),
            (token(3, 1), Judgement::Good),
            (token(1, 1), Judgement::Over),
            (token(1, 7), Judgement::Good),
            (token(2, 9), Judgement::Over),
        ] {
            assert_eq!(revoked.judge(&claims), judgement, "{claims:?}");
        }
        let many = Revoked {
            sessions: RevokedSessions::Many,
            ..Revoked::default()
        };
        let session = Uuid::from_u128(1);
        assert_eq!(many.judge(&token(0, 1)), Judgement::LookUp(session));
        let module = Claims {
            kind: TokenKind::Module,
            ..token(0, 1)
        };
        assert_eq!(many.judge(&module), Judgement::Good);
    }
}
