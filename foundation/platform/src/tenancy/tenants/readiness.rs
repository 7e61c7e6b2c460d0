//! Whether a tenant can be served now. A tenant of an earlier release is upgraded at its first
//! request, once, while others are served. Notifications of tenants invalidate the cache here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_records::{Provisioned, StoreError, TENANT_CHANNEL, Tenant, TenantHold};
use octavo_trace::carried;
use tokio::sync::{Mutex, SemaphorePermit};

use super::{NewTenant, Tenants};
use crate::background::listened_event::ListenedEvent;
use crate::error::ApiError;
use crate::token::Incarnation;

/// The delay before a failed upgrade is retried.
pub const AGAIN_AFTER: Duration = Duration::from_secs(30);
/// How often a request that waits for another process's work on a tenant checks it.
const POLL_EVERY: Duration = Duration::from_millis(100);

/// The cached state of a tenant.
#[derive(Debug)]
pub(super) struct TenantReadiness {
    pub incarnation: Incarnation,
    ready: AtomicBool,
    /// When the last upgrade failed. The lock is held while one runs.
    failed: Mutex<Option<Instant>>,
}

impl TenantReadiness {
    pub fn new(incarnation: Incarnation) -> TenantReadiness {
        TenantReadiness {
            incarnation,
            ready: AtomicBool::new(false),
            failed: Mutex::new(None),
        }
    }
}

/// Why a tenant is not served.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    #[error("No such Tenant {0}")]
    Unknown(String),
    /// The upgrade failed; the log has the reason.
    #[error("tenant {0} could not be brought up to date")]
    Failed(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<NotReady> for ApiError {
    fn from(reason: NotReady) -> ApiError {
        match reason {
            NotReady::Unknown(_) => ApiError::bad_request(reason.to_string()),
            NotReady::Failed(_) => ApiError::Unavailable(
                "The tenant could not be brought up to date, so it is not served now. The \
                 server's log tells why; it is tried again within half a minute",
            ),
            NotReady::Store(error) => error.into(),
        }
    }
}

/// The lock on a tenant, in this process and across processes.
pub(super) struct TenantLock<'a> {
    hold: TenantHold,
    _permit: SemaphorePermit<'a>,
}

impl TenantLock<'_> {
    pub fn hold(&self) -> &TenantHold {
        &self.hold
    }

    #[boxed]
    pub async fn end(self) {
        self.hold.release().await;
    }
}

impl Tenants {
    /// Waits until nobody else works on a tenant. A waiter holds neither a connection nor one of
    /// the permits for work.
    pub(super) async fn lock_tenant(&self, tenant: &Tenant) -> Result<TenantLock<'_>, StoreError> {
        loop {
            let permit = self
                .work
                .acquire()
                .await
                .expect("invariant: nobody closes the semaphore");
            if let Some(hold) = self.store.try_hold_tenant(tenant).await? {
                return Ok(TenantLock {
                    hold,
                    _permit: permit,
                });
            }
            drop(permit);
            tokio::time::sleep(POLL_EVERY).await;
        }
    }

    /// Makes sure that a tenant can be served. If it has to be upgraded, the caller waits; the
    /// upgrade continues when the caller goes away. Returns the tenant's incarnation.
    ///
    /// # Errors
    /// When there is no such tenant, or its upgrade failed.
    #[boxed]
    pub async fn ready(self: &Arc<Tenants>, tenant: &Tenant) -> Result<Incarnation, NotReady> {
        let unknown = || NotReady::Unknown(tenant.id().to_owned());
        let known = self.look_up(tenant).await?;
        let known = known.ok_or_else(unknown)?;
        if known.ready.load(Ordering::Acquire) {
            return Ok(known.incarnation);
        }
        // Boxed, so that a request to a tenant that is ready does not reserve memory for it.
        Box::pin(async {
            self.prepare(tenant).await?;
            let known = self.look_up(tenant).await?;
            Ok(known.ok_or_else(unknown)?.incarnation)
        })
        .await
    }

    /// The same; returns what was done, if anything.
    ///
    /// # Errors
    /// As [`Tenants::ready`].
    #[boxed]
    pub async fn prepare(
        self: &Arc<Tenants>,
        tenant: &Tenant,
    ) -> Result<Option<Provisioned>, NotReady> {
        let (tenants, tenant) = (Arc::clone(self), tenant.clone());
        let id = tenant.id().to_owned();
        // A task of its own: a client that disconnects must not abort what others wait for.
        let working = tokio::spawn(carried(Box::pin(async move {
            tenants.prepare_once(&tenant).await
        })));
        working.await.unwrap_or(Err(NotReady::Failed(id)))
    }

    async fn prepare_once(&self, tenant: &Tenant) -> Result<Option<Provisioned>, NotReady> {
        let unknown = || NotReady::Unknown(tenant.id().to_owned());
        let known = self.look_up(tenant).await?.ok_or_else(unknown)?;
        let mut failed = known.failed.lock().await;
        if known.ready.load(Ordering::Acquire) {
            return Ok(None);
        }
        let may_work = failed.is_none_or(|at| at.elapsed() >= AGAIN_AFTER);
        match self.bring_up_to_date(tenant, may_work).await {
            Ok(done) => {
                *failed = None;
                known.ready.store(true, Ordering::Release);
                Ok(done)
            }
            Err(NotReady::Store(error)) if !error.is_transient() => {
                tracing::error!(
                    tenant = tenant.id(),
                    ?error,
                    "the tenant could not be brought up to date and is not served; nothing of it \
                     was changed, and it is tried again in half a minute"
                );
                *failed = Some(Instant::now());
                Err(NotReady::Failed(tenant.id().to_owned()))
            }
            Err(reason) => Err(reason),
        }
    }

    async fn bring_up_to_date(
        &self,
        tenant: &Tenant,
        may_work: bool,
    ) -> Result<Option<Provisioned>, NotReady> {
        let store = &self.store;
        let unknown = || NotReady::Unknown(tenant.id().to_owned());
        let fingerprint = self.fingerprint();
        let is_done = |prepared: &Option<String>| prepared.as_deref() == Some(fingerprint);
        let entry = store.tenant_entry(tenant).await?.ok_or_else(unknown)?;
        let mut done = None;
        if !is_done(&entry.mark.prepared) {
            if !may_work {
                return Err(NotReady::Failed(tenant.id().to_owned()));
            }
            let lock = self.lock_tenant(tenant).await?;
            // Another process may have upgraded or deleted the tenant meanwhile.
            let entry = store.tenant_entry(tenant).await?.ok_or_else(unknown)?;
            if !is_done(&entry.mark.prepared) {
                let nothing = NewTenant::default();
                let completing = self.complete(tenant, &nothing, Some(&entry.mark));
                done = Some(Box::pin(completing).await?);
            }
            lock.end().await;
        }
        store.refresh_indexes(tenant).await?;
        Ok(done)
    }

    /// Drops a tenant from the cache: the next request looks it up again.
    pub(crate) fn forget(&self, tenant: &Tenant) {
        self.notices.fetch_add(1, Ordering::AcqRel);
        let mut known = self
            .known
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        known.remove(tenant.id());
        drop(known);
        self.store.forget_tenant(tenant);
    }

    fn forget_all(&self) {
        self.notices.fetch_add(1, Ordering::AcqRel);
        let mut known = self
            .known
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        known.clear();
    }

    /// Starts caching: from now on notifications of tenants arrive.
    pub(crate) fn begin(&self) {
        self.forget_all();
        self.listening.store(true, Ordering::Release);
    }

    /// Drops the tenants that notifications name; all, when notifications may have been missed.
    pub(crate) async fn handle(&self, event: &ListenedEvent) {
        match event {
            ListenedEvent::Notice { channel, payload } => {
                if *channel == TENANT_CHANNEL
                    && let Ok(tenant) = Tenant::new(payload)
                {
                    // The permissions of the deleted tenant's users first, or a new tenant with its
                    // id could use them.
                    self.permissions.forget_tenant().await;
                    self.forget(&tenant);
                }
            }
            ListenedEvent::Lost | ListenedEvent::Closed => {
                self.listening.store(false, Ordering::Release)
            }
            ListenedEvent::Restored => {
                self.forget_all();
                self.listening.store(true, Ordering::Release);
            }
            ListenedEvent::Missed => self.forget_all(),
        }
    }

    /// Replaces the error of a request whose tenant was deleted meanwhile: then that is the cause.
    pub(crate) async fn explained<T>(
        &self,
        tenant: &Tenant,
        outcome: Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        match outcome {
            Err(ApiError::Internal(inner)) => match Box::pin(self.store.tenant_entry(tenant)).await
            {
                Ok(None) => {
                    self.forget(tenant);
                    Err(NotReady::Unknown(tenant.id().to_owned()).into())
                }
                _ => Err(ApiError::Internal(inner)),
            },
            other => other,
        }
    }
}
