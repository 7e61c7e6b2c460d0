//! Who calls, and which permissions they have. Areas supply the facts through [`Directory`]; the
//! platform caches them until the database notifies of a change.

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

use crate::background::listened_event::ListenedEvent;
use crate::permission_set::PermissionSet;
use crate::token::{Claims, TokenKind};

/// The channel of notifications that users or permissions changed, payload `tenant:user` or
/// `tenant:*`.
pub const CHANNEL: &str = "octavo_identity";

/// The caller with a valid token: a user, or a module that acts by itself.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The user's id, if it is a user.
    pub user_id: Option<Uuid>,
    pub claims: Arc<Claims>,
    /// The permissions, the token's own included.
    pub grants: Arc<Grants>,
}

/// A user's permissions, with those of all sets they hold.
#[derive(Debug, Default)]
pub struct Grants {
    names: HashSet<String>,
    everything: bool,
    /// Further permissions that count as well.
    also: Option<Arc<Grants>>,
}

/// The set of every permission of every route; the demo's administrator has it.
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

    /// A token's own permissions in addition to its user's, if it has a user.
    #[must_use]
    pub fn of_token(extra: &[String], user: Option<Arc<Grants>>) -> Grants {
        Grants {
            names: extra.iter().cloned().collect(),
            everything: false,
            also: user,
        }
    }

    #[must_use]
    pub fn has(&self, permission: &str) -> bool {
        self.everything
            || self.names.contains(permission)
            || self.also.as_ref().is_some_and(|also| also.has(permission))
    }

    /// Whether the user holds [`ALL_PERMISSIONS`].
    #[must_use]
    pub fn has_everything(&self) -> bool {
        self.everything || self.also.as_ref().is_some_and(|also| also.has_everything())
    }

    /// The permissions with this prefix, for interfaces that put a tenant's value into names
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

/// The most revoked sessions of a user that are cached; beyond that each session is looked up.
pub const REVOKED_LISTED_MAX: usize = 200;

/// Which of a user's tokens are revoked.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Revoked {
    /// How often all of the user's sessions were revoked: tokens of an earlier generation are
    /// invalid.
    pub generation: i64,
    /// The session that the last of these left valid.
    pub spared: Option<Uuid>,
    /// Sessions that were revoked singly.
    pub sessions: RevokedSessions,
}

/// The singly revoked sessions of a user whose tokens may not have expired yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RevokedSessions {
    /// At most [`REVOKED_LISTED_MAX`] sessions.
    These(Vec<Uuid>),
    /// Too many to cache: each session is looked up.
    Many,
}

impl Default for RevokedSessions {
    fn default() -> RevokedSessions {
        RevokedSessions::These(Vec::new())
    }
}

/// The result of [`Revoked::judge`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judgement {
    /// The token is good.
    Good,
    Over,
    /// The database has to be asked about this session.
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
            // A module's token belongs to no session: its work may outlast that.
            _ if claims.kind == TokenKind::Module => Judgement::Good,
            RevokedSessions::These(sessions) if sessions.contains(&session) => Judgement::Over,
            RevokedSessions::These(_) => Judgement::Good,
            RevokedSessions::Many => Judgement::LookUp(session),
        }
    }
}

/// The future of a look-up.
pub type LookUp = Pin<Box<dyn Future<Output = Result<Option<Grants>, StoreError>> + Send>>;

pub type ChangeFuture = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

/// The permissions that one module defines for a tenant (FOLIO's `_tenantPermissions`).
#[derive(Debug, Clone)]
pub struct ModulePermissions {
    /// The module, `mod-users-19.5.0`.
    pub module_id: String,
    /// All permissions it defines; none when the module is disabled.
    pub permissions: Vec<PermissionSet>,
    /// The module that it replaces in an upgrade.
    pub replaces: Option<String>,
}

/// Where users' permissions are stored; implemented by the permissions area.
pub trait Directory: Send + Sync {
    /// The permissions of an active user; `None` for an unknown or inactive one.
    fn grants(&self, store: Store, tenant: Tenant, user_id: Uuid) -> LookUp;

    /// Updates the definitions of a tenant to those of its modules. A permission that an earlier
    /// version of a module defined and this one does not is deprecated; those of other modules
    /// stay.
    fn announce(
        &self,
        store: Store,
        tenant: Tenant,
        modules: Vec<ModulePermissions>,
    ) -> ChangeFuture;

    /// The permissions with these names and those of all sets among them.
    fn expand(&self, store: Store, tenant: Tenant, names: Vec<String>) -> Expanding;
}

pub type Expanding = Pin<Box<dyn Future<Output = Result<Vec<String>, StoreError>> + Send>>;

pub type RevokedLookUp = Pin<Box<dyn Future<Output = Result<Revoked, StoreError>> + Send>>;

pub type SessionLookUp = Pin<Box<dyn Future<Output = Result<bool, StoreError>> + Send>>;

/// Where sessions are stored; implemented by the log-in area.
pub trait Sessions: Send + Sync {
    /// The revoked sessions of a user.
    fn revoked(&self, store: Store, tenant: Tenant, user_id: Uuid) -> RevokedLookUp;

    /// Whether one session was revoked.
    fn is_revoked(&self, store: Store, tenant: Tenant, session: Uuid) -> SessionLookUp;
}

/// What every request needs to know about its user.
#[derive(Debug, Clone)]
pub struct Account {
    /// The permissions; `None` for an unknown or inactive user.
    pub grants: Option<Arc<Grants>>,
    pub revoked: Arc<Revoked>,
}

/// Caches permissions and revoked sessions by user, for as long as the database's notifications
/// arrive.
pub struct Permissions {
    pub directory: Arc<dyn Directory>,
    pub sessions: Arc<dyn Sessions>,
    cache: Cache<(String, Uuid), Account>,
    /// Expanded sets of modules' routes.
    expanded: Cache<(String, Vec<String>), Arc<Vec<String>>>,
    listening: AtomicBool,
    /// Counts notifications, so that the result of a look-up that began before one is not cached.
    notices: AtomicU64,
}

impl std::fmt::Debug for Permissions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permissions")
            .field("cached", &self.cache.entry_count())
            .finish()
    }
}

impl Permissions {
    /// The size of the users' cache in names of permissions: some ten thousand patrons, or some
    /// hundred users with all permissions.
    const USERS_NAMES_MAX: u64 = 400_000;
    /// What a user counts in addition to the names of the permissions.
    const USER_NAMES: usize = 16;
    /// The size of the cache of expanded sets, in names.
    const SETS_NAMES_MAX: u64 = 100_000;

    /// A cache over a directory. Nothing is cached before [`Permissions::begin`].
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
            notices: AtomicU64::new(0),
        }
    }

    /// The permissions of a user; `None` for an unknown or inactive one.
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

    /// The permissions of a user, and which of their tokens are revoked.
    #[boxed]
    pub async fn account(
        &self,
        store: &Store,
        tenant: &Tenant,
        user_id: Uuid,
    ) -> Result<Account, Arc<StoreError>> {
        // One round trip: both are polled together and pipelined.
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
        let notices = self.notices.load(Ordering::Acquire);
        let found = self.cache.try_get_with(key.clone(), look_up()).await;
        // A change that was notified while the look-up ran may not be in its result.
        if self.notices.load(Ordering::Acquire) != notices {
            self.cache.invalidate(&key).await;
        }
        found
    }

    /// The permissions with these names and those of all sets among them.
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
        let notices = self.notices.load(Ordering::Acquire);
        let looked_up = async { look_up.await.map(Arc::new) };
        let found = self.expanded.try_get_with(key.clone(), looked_up).await?;
        if self.notices.load(Ordering::Acquire) != notices {
            self.expanded.invalidate(&key).await;
        }
        Ok(found.to_vec())
    }

    fn forget_all(&self) {
        self.cache.invalidate_all();
        self.expanded.invalidate_all();
    }

    /// Starts caching: from now on notifications of changes arrive.
    #[boxed]
    pub async fn begin(&self) {
        self.forget_all();
        self.listening.store(true, Ordering::Release);
    }

    /// Drops what has changed; everything, when notifications may have been missed.
    #[boxed]
    pub async fn handle(&self, event: &ListenedEvent) {
        self.notices.fetch_add(1, Ordering::AcqRel);
        match event {
            ListenedEvent::Notice { channel, payload } => {
                if *channel == CHANNEL {
                    self.forget(payload).await;
                }
            }
            ListenedEvent::Lost | ListenedEvent::Closed => {
                // First, so that nothing is cached any more when the caches are emptied.
                self.listening.store(false, Ordering::Release);
                self.forget_all();
            }
            ListenedEvent::Restored => {
                self.forget_all();
                self.listening.store(true, Ordering::Release);
            }
            ListenedEvent::Missed => self.forget_all(),
        }
    }

    /// Drops everything when a tenant is deleted: a new one with the same id may have the same
    /// users.
    pub(crate) async fn forget_tenant(&self) {
        self.notices.fetch_add(1, Ordering::AcqRel);
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
        // A token cannot claim all permissions: only users hold that set.
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
