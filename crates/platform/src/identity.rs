//! Who calls, and what they may do. Areas supply the facts through [`Directory`]; the platform
//! caches them until the database says that they changed.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use moka::future::Cache;
use octavo_records::{Store, StoreError, Tenant};
use uuid::Uuid;

use crate::changes::Heard;
use crate::permission_set::PermissionSet;
use crate::token::Claims;

/// The channel on which the database tells of changed users and permissions, payload
/// `tenant:user` or `tenant:*`.
pub const CHANNEL: &str = "octavo_identity";

/// A user with a valid token.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The user's id.
    pub user_id: Uuid,
    /// What the token says of them.
    pub claims: Arc<Claims>,
    /// What the user may do.
    pub grants: Arc<Grants>,
}

/// A user's permissions, with those of all sets they hold.
#[derive(Debug, Default)]
pub struct Grants {
    names: HashSet<String>,
    everything: bool,
}

/// The set that holds every permission of every route; the demo's administrator has it.
pub const ALL_PERMISSIONS: &str = "octavo.all";

impl Grants {
    /// These permissions, sets already expanded.
    #[must_use]
    pub fn new(names: HashSet<String>) -> Grants {
        let everything = names.contains(ALL_PERMISSIONS);
        Grants { names, everything }
    }

    /// Whether a permission is among them.
    #[must_use]
    pub fn has(&self, permission: &str) -> bool {
        self.everything || self.names.contains(permission)
    }
}

/// The future of a look-up.
pub type LookUp = Pin<Box<dyn Future<Output = Result<Option<Grants>, StoreError>> + Send>>;

/// The future of a change.
pub type Done = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send>>;

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
    fn announce(&self, store: Store, tenant: Tenant, modules: Vec<ModulePermissions>) -> Done;
}

/// Permissions by user, kept while the database's notifications arrive.
pub struct Permissions {
    /// Where they are kept.
    pub directory: Arc<dyn Directory>,
    cache: Cache<(String, Uuid), Option<Arc<Grants>>>,
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
    /// Users remembered at most.
    const USERS_MAX: u64 = 10_000;

    /// A cache over a directory. Nothing is kept until [`Permissions::begin`].
    #[must_use]
    pub fn new(directory: Arc<dyn Directory>) -> Permissions {
        let cache = Cache::new(Permissions::USERS_MAX);
        Permissions {
            directory,
            cache,
            listening: AtomicBool::new(false),
            heard: AtomicU64::new(0),
        }
    }

    /// What a user may do; nothing for one who is unknown or inactive.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn of(
        &self,
        store: &Store,
        tenant: &Tenant,
        user_id: Uuid,
    ) -> Result<Option<Arc<Grants>>, Arc<StoreError>> {
        let look_up = || async {
            let found = self
                .directory
                .grants(store.clone(), tenant.clone(), user_id)
                .await?;
            Ok(found.map(Arc::new))
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

    /// Begins to keep what was looked up: from now on notices of changes are heard.
    pub async fn begin(&self) {
        self.cache.invalidate_all();
        self.listening.store(true, Ordering::Release);
    }

    /// Drops what the database says has changed; everything, when notices may have been missed.
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
                self.cache.invalidate_all();
            }
            Heard::Restored => {
                self.cache.invalidate_all();
                self.listening.store(true, Ordering::Release);
            }
            Heard::Missed => self.cache.invalidate_all(),
        }
    }

    /// Drops what is kept, because a tenant went: another one of its id may have the same users.
    pub(crate) async fn forget_tenant(&self) {
        self.heard.fetch_add(1, Ordering::AcqRel);
        self.cache.invalidate_all();
    }

    async fn forget(&self, payload: &str) {
        match payload.split_once(':') {
            Some((tenant, user)) if user != "*" => {
                if let Ok(user) = Uuid::try_parse(user) {
                    self.cache.invalidate(&(tenant.to_owned(), user)).await;
                }
            }
            _ => self.cache.invalidate_all(),
        }
    }
}
