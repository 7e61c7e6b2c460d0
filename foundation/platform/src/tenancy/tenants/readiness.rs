//! Whether a tenant can be served now: one that another release left is brought up to date at its
//! first request, once, while the others are served. What was heard of tenants is forgotten here.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use octavo_boxed::boxed;
use octavo_records::{Provisioned, StoreError, TENANT_CHANNEL, Tenant, TenantHold};
use octavo_trace::carried;
use tokio::sync::{Mutex, SemaphorePermit};

use super::{NewTenant, Tenants};
use crate::background::heard::Heard;
use crate::error::ApiError;
use crate::token::Incarnation;

/// A tenant that could not be brought up to date is tried again after this long.
pub const AGAIN_AFTER: Duration = Duration::from_secs(30);
/// How long one who waits for another process to finish with a tenant waits before it asks again.
const ASK_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// What this process knows of a tenant.
#[derive(Debug)]
pub(super) struct TenantReadiness {
    /// Which tenant of its id it is.
    pub incarnation: Incarnation,
    ready: AtomicBool,
    /// When bringing it up to date last failed. Who holds this is at it.
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
    /// There is none.
    #[error("No such Tenant {0}")]
    Unknown(String),
    /// It could not be brought up to date; the log tells why.
    #[error("tenant {0} could not be brought up to date")]
    Failed(String),
    /// The database does not answer.
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

/// The right to work on a tenant, in this process and among all.
pub(super) struct Turn<'a> {
    hold: TenantHold,
    _permit: SemaphorePermit<'a>,
}

impl Turn<'_> {
    pub fn hold(&self) -> &TenantHold {
        &self.hold
    }

    #[boxed]
    pub async fn end(self) {
        self.hold.release().await;
    }
}

impl Tenants {
    /// Waits until nobody else works on a tenant. Who waits has neither a connection nor one of the
    /// places for work.
    pub(super) async fn turn(&self, tenant: &Tenant) -> Result<Turn<'_>, StoreError> {
        loop {
            let permit = self
                .work
                .acquire()
                .await
                .expect("invariant: nobody closes the semaphore");
            if let Some(hold) = self.store.try_hold_tenant(tenant).await? {
                return Ok(Turn {
                    hold,
                    _permit: permit,
                });
            }
            drop(permit);
            tokio::time::sleep(ASK_AGAIN_AFTER).await;
        }
    }

    /// Sees to it that a tenant can be served: brings it up to date if that is still to be done,
    /// which the caller waits for, and goes on when the caller is gone. Gives which tenant of its id
    /// it is.
    ///
    /// # Errors
    /// When there is no such tenant, it cannot be brought up to date, or the database does not
    /// answer.
    #[boxed]
    pub async fn ready(self: &Arc<Tenants>, tenant: &Tenant) -> Result<Incarnation, NotReady> {
        let unknown = || NotReady::Unknown(tenant.id().to_owned());
        let known = self.look_up(tenant).await?;
        let known = known.ok_or_else(unknown)?;
        if known.ready.load(Ordering::Acquire) {
            return Ok(known.incarnation);
        }
        // Boxed, so that a request to a tenant that is ready does not carry room for it.
        Box::pin(async {
            self.prepare(tenant).await?;
            let known = self.look_up(tenant).await?;
            Ok(known.ok_or_else(unknown)?.incarnation)
        })
        .await
    }

    /// The same; gives what was done now, if anything was.
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
        // A task of its own: a client that hangs up must not undo what others wait for.
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
            let turn = self.turn(tenant).await?;
            // Another process may have done it meanwhile, or purged the tenant.
            let entry = store.tenant_entry(tenant).await?.ok_or_else(unknown)?;
            if !is_done(&entry.mark.prepared) {
                let nothing = NewTenant::default();
                let completing = self.complete(tenant, &nothing, Some(&entry.mark));
                done = Some(Box::pin(completing).await?);
            }
            turn.end().await;
        }
        store.refresh_indexes(tenant).await?;
        Ok(done)
    }

    /// Forgets a tenant that came or went: the next request finds out how it is now.
    pub(crate) fn forget(&self, tenant: &Tenant) {
        self.heard.fetch_add(1, Ordering::AcqRel);
        let mut known = self
            .known
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        known.remove(tenant.id());
        drop(known);
        self.store.forget_tenant(tenant);
    }

    fn forget_all(&self) {
        self.heard.fetch_add(1, Ordering::AcqRel);
        let mut known = self
            .known
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        known.clear();
    }

    /// Begins to keep what is found out: from now on notices of tenants that come and go are heard.
    pub(crate) fn begin(&self) {
        self.forget_all();
        self.listening.store(true, Ordering::Release);
    }

    /// Forgets what the database says has come or gone; everything, when notices may have been
    /// missed.
    pub(crate) async fn hear(&self, heard: &Heard) {
        match heard {
            Heard::Notice { channel, payload } => {
                if *channel == TENANT_CHANNEL
                    && let Ok(tenant) = Tenant::new(payload)
                {
                    // First what users of the one that went could do.
                    self.permissions.forget_tenant().await;
                    self.forget(&tenant);
                }
            }
            Heard::Lost | Heard::Closed => self.listening.store(false, Ordering::Release),
            Heard::Restored => {
                self.forget_all();
                self.listening.store(true, Ordering::Release);
            }
            Heard::Missed => self.forget_all(),
        }
    }

    /// What a request is answered with that failed on the way: when its tenant is gone by now, that
    /// is why, and what else it met does not matter.
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
