//! A queue as an area declares it, and what is done with its jobs from outside the worker.

use std::time::Duration;

use octavo_postgres::{Database, Transaction};
use octavo_records::{Executor, StoreError, Tenant};
use serde_json::Value;
use uuid::Uuid;

use crate::store;

/// Whose turn it is among the jobs of a queue that can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The oldest job's, until it is done.
    Oldest,
    /// Each job's, a portion at a time: small jobs do not wait for large ones.
    Turns,
}

/// A queue. Each tenant has one of its own.
#[derive(Debug)]
pub struct Queue {
    /// Its name in the database: letters and hyphens.
    pub name: &'static str,
    /// Whose turn it is.
    pub order: Order,
    /// Workers of one tenant in one process.
    pub workers: usize,
    /// Portions that one process does at a time, of all tenants together. Each has one of the pool's
    /// connections, and the desks need the others.
    pub portions: usize,
    /// The rest after each portion, in which others get at the records.
    pub pause: Duration,
    /// Where jobs wait for something in the area's own tables: SQL for the tenant's schema that is true of a
    /// row `job` that can be done now.
    pub ready: Option<fn(&str) -> String>,
}

impl Queue {
    /// A queue in which the oldest job goes first: one worker for each tenant, two at a time in a process.
    #[must_use]
    pub const fn named(name: &'static str) -> Queue {
        Queue {
            name,
            order: Order::Oldest,
            workers: 1,
            portions: 2,
            pause: Duration::ZERO,
            ready: None,
        }
    }

    /// Adds a job; false when there is one of this id. After the commit call
    /// [`Workers::begin`](crate::Workers::begin).
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn add(
        &self,
        executor: &dyn Executor,
        tenant: &Tenant,
        job: NewJob,
    ) -> Result<bool, StoreError> {
        store::add(executor, tenant, self, &job, None).await
    }

    /// Adds a job unless the queue has so many; says whether it did.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn add_below(
        &self,
        executor: &dyn Executor,
        tenant: &Tenant,
        most: i64,
        job: NewJob,
    ) -> Result<bool, StoreError> {
        store::add(executor, tenant, self, &job, Some(most)).await
    }

    /// Lets a job end at its next turn, with [`Work::cancelled`](crate::Work::cancelled); false when there is
    /// none. Committed at once and not in a transaction of the caller's: the portion at work is not waited for,
    /// and it must not wait for a caller who waits for its document. Afterwards call
    /// [`Workers::begin`](crate::Workers::begin).
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn cancel(
        &self,
        database: &Database,
        tenant: &Tenant,
        id: Uuid,
    ) -> Result<bool, StoreError> {
        store::cancel(database, tenant, self, id).await
    }

    /// Ends a job: its row goes. The portion at work is waited for, and nobody is told.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn remove(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        id: Uuid,
    ) -> Result<(), StoreError> {
        store::remove(transaction, tenant, self, id).await
    }

    /// Waits for the portion at work, and keeps others from the job until the transaction ends; gives how far
    /// it is, if there is such a job.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn hold(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        id: Uuid,
    ) -> Result<Option<Value>, StoreError> {
        store::wait_for(transaction, tenant, self, id).await
    }

    /// Says how far a job is that this transaction holds.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn set_progress(
        &self,
        transaction: &Transaction,
        tenant: &Tenant,
        id: Uuid,
        progress: &Value,
    ) -> Result<(), StoreError> {
        store::set_progress(transaction, tenant, self, id, progress).await
    }

    /// Whether the queue has a job, as a condition for a statement of the area's own; `condition` is about a
    /// row `job`.
    #[must_use]
    pub fn has(&self, schema: &str, condition: &str) -> String {
        format!(
            "EXISTS (SELECT FROM {schema}.octavo_job AS job WHERE job.queue = '{}' AND {condition})",
            self.name
        )
    }
}

/// A job to be added.
#[derive(Debug, Clone)]
pub struct NewJob {
    /// Its id: that of the document which clients see, where there is one.
    pub id: Uuid,
    /// Jobs of one key are done one after the other.
    pub key: Option<Uuid>,
    /// What it begins with.
    pub progress: Value,
}
