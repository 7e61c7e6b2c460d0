//! The worker of imports: it does what waits, one portion a transaction, until nothing is left that this
//! process can have. Who is at a job holds its run; when a process ends, so does its hold, and what was
//! not committed is done again by another.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use octavo_platform::Call;
use octavo_platform::proxy::system::system_call;
use octavo_records::{Stamp, Store, StoreError, Tenant, retried};
use uuid::Uuid;

use super::chunk::do_chunk;
use super::read_file::read_some;
use super::{Context, Refusal};
use crate::app::change_job::set_status_within;
use crate::rules::status;
use crate::store::{chunks, jobs, runs};

/// A worker ends after this time; the timer begins the next.
const RUN_MAX: Duration = Duration::from_secs(600);

/// Which workers run here, by platform and tenant, and whether there is more since they began.
static RUNNING: LazyLock<Mutex<HashMap<(usize, String), bool>>> = LazyLock::new(Mutex::default);

/// Lets a worker of this process begin now, unless one is at it: that one looks once more. Returns at
/// once; nothing is lost when nobody calls it, for a timer does too.
pub(crate) fn soon(call: &Call) {
    let key = (
        std::sync::Arc::as_ptr(&call.platform) as usize,
        call.tenant.id().to_owned(),
    );
    {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = running.get_mut(&key) {
            *more = true;
            return;
        }
        running.insert(key.clone(), false);
    }
    // The request ends before the work does: the worker has a call of its own.
    let call = system_call(&call.platform, &call.view);
    let mut place = Place {
        key,
        is_free: false,
    };
    tokio::spawn(async move {
        loop {
            if let Err(error) = work(call.writer(), &call.tenant).await {
                tracing::warn!(tenant = call.tenant.id(), %error, "imports are interrupted; the timer goes on");
                return;
            }
            if !place.is_wanted_again() {
                return;
            }
        }
    });
}

/// A place among the workers; free again when it is dropped, however the worker ends.
struct Place {
    key: (usize, String),
    is_free: bool,
}

impl Place {
    /// Whether more has come meanwhile. If not, the place is free from this moment on.
    fn is_wanted_again(&mut self) -> bool {
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(more) = running.get_mut(&self.key)
            && *more
        {
            *more = false;
            return true;
        }
        running.remove(&self.key);
        self.is_free = true;
        false
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        // Once it is free it may be another's.
        if !self.is_free {
            let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
            running.remove(&self.key);
        }
    }
}

/// Does portions until there are none, or others are at all of them; gives how many it did.
///
/// # Errors
/// When the database does not answer; what was done before is kept.
pub async fn work(store: &Store, tenant: &Tenant) -> Result<usize, StoreError> {
    let started = Instant::now();
    let mut portions = 0;
    while started.elapsed() < RUN_MAX && retried(|| portion(store, tenant)).await? {
        portions += 1;
    }
    Ok(portions)
}

/// Does one portion of the oldest job that nobody is at; false when there is none.
///
/// # Errors
/// When the database does not answer; nothing of the portion is kept then.
pub async fn portion(store: &Store, tenant: &Tenant) -> Result<bool, StoreError> {
    let transaction = store.database.transaction().await?;
    let Some(mut run) = runs::hold_oldest(&transaction, tenant).await? else {
        return Ok(false);
    };
    let job = jobs::find(&transaction, tenant, run.job).await?;
    let Some(job) = job.filter(|job| !is_given_up(job.text("status"))) else {
        runs::end(&transaction, tenant, run.job).await?;
        transaction.commit().await?;
        return Ok(true);
    };
    let user = Uuid::try_parse(job.text("userId")).ok();
    let context = Context {
        store,
        tenant,
        stamp: Stamp::now(user),
    };
    let outcome = if run.file.is_some() {
        read_some(&context, &transaction, &job, &mut run).await
    } else {
        match chunks::oldest(&transaction, tenant, run.job).await? {
            Some(chunk) => do_chunk(&context, &transaction, &job, chunk).await,
            None => Ok(()),
        }
    };
    match outcome {
        Ok(()) => transaction.commit().await?,
        Err(error) if error.is_passing() => return Err(error.0),
        Err(error) => {
            // The job cannot go on, so that those behind it can.
            transaction.rollback().await?;
            tracing::error!(tenant = tenant.id(), job = %run.job, error = %error.0, "an import failed");
            give_up(&context, run.job).await?;
        }
    }
    Ok(true)
}

fn is_given_up(state: &str) -> bool {
    status::is_over(state) && state != "COMMITTED"
}

async fn give_up(context: &Context<'_>, job: Uuid) -> Result<(), StoreError> {
    let transaction = context.store.database.transaction().await?;
    runs::end(&transaction, context.tenant, job).await?;
    let error = Some("FILE_PROCESSING_ERROR");
    match set_status_within(context, &transaction, job, "ERROR", error).await {
        Ok(_) | Err(Refusal::NoJob(_)) => {}
        Err(Refusal::Store(error)) => return Err(error),
        Err(other) => return Err(StoreError::Database(other.to_string())),
    }
    transaction.commit().await?;
    Ok(())
}

/// Why a portion was not done.
#[derive(Debug)]
pub(crate) struct Broken(pub StoreError);

impl Broken {
    /// Whether it may be done later as it is.
    fn is_passing(&self) -> bool {
        matches!(
            self.0,
            StoreError::Contended
                | StoreError::Unavailable
                | StoreError::Timeout
                | StoreError::Busy(_)
        )
    }
}

impl From<StoreError> for Broken {
    fn from(error: StoreError) -> Broken {
        Broken(error)
    }
}

impl From<octavo_postgres::DatabaseError> for Broken {
    fn from(error: octavo_postgres::DatabaseError) -> Broken {
        Broken(error.into())
    }
}
