//! One portion of one job: held, counted, done, and kept or judged.

use octavo_postgres::Transaction;
use octavo_records::{Context, Stamp, Store, StoreError, Tenant};
use uuid::Uuid;

use crate::retry::{self, Attempt, Verdict};
use crate::store::{self, Held};
use crate::work::{GivenUp, Job, Progress, Work};

/// Does a portion of the job whose turn it is, beside requests or not; false when there is none.
///
/// `interrupted` comes to an end when the process stops: the portion is then broken off, which counts as no attempt.
pub(crate) async fn next(
    store: &Store,
    tenant: &Tenant,
    work: &dyn Work,
    is_beside_requests: bool,
    interrupted: impl Future<Output = ()>,
) -> Result<bool, StoreError> {
    let queue = work.queue();
    let transaction = store.database.transaction().await?;
    let Some(held) = store::hold_next(&transaction, tenant, queue).await? else {
        return Ok(false);
    };
    let worker = Worker {
        store,
        tenant,
        work,
        stamp: Stamp::now(None),
    };
    let Some(attempt) = Attempt::after(held.attempts, held.job.divisor) else {
        worker.exhausted(transaction, held).await?;
        return Ok(true);
    };
    let (id, cancelled) = (held.job.id, held.cancelled);
    let job = Job {
        divisor: attempt.divisor,
        is_beside_requests,
        ..held.job
    };
    store::begin_attempt(&store.database, tenant, queue, id, attempt).await?;
    let portion = worker.portion(&transaction, &job, cancelled);
    let outcome = tokio::select! {
        biased;
        outcome = portion => outcome,
        () = interrupted => {
            // A statement may be under way: dropping the transaction ends it and lets the job go.
            drop(transaction);
            let pause = (attempt.number - 1, 0);
            worker.pause(id, pause, None, cancelled).await?;
            return Ok(false);
        }
    };
    let Err(error) = outcome else {
        return Ok(true);
    };
    tracing::warn!(tenant = tenant.id(), queue = queue.name, job = %id, attempt = attempt.number, %error, "a portion of a job failed");
    let pause = match retry::judge(&error, attempt.number) {
        Verdict::GiveUp => {
            undo(transaction).await;
            worker.at_fault(id, &error).await?;
            return Ok(true);
        }
        Verdict::Again(seconds) => (attempt.number, seconds),
        Verdict::Uncounted(seconds) => (attempt.number - 1, seconds),
    };
    // Noted while the job is still held, so that nobody takes it before it has its pause.
    let reason = error.to_string();
    worker.pause(id, pause, Some(&reason), cancelled).await?;
    undo(transaction).await;
    Ok(true)
}

/// Undoes a portion. It is waited for, so that the job is free when the worker looks for the next; a connection
/// that is lost has undone it already.
async fn undo(transaction: Transaction) {
    if let Err(error) = transaction.rollback().await {
        tracing::debug!(%error, "a portion was undone by its connection's end");
    }
}

struct Worker<'a> {
    store: &'a Store,
    tenant: &'a Tenant,
    work: &'a dyn Work,
    stamp: Stamp,
}

impl Worker<'_> {
    fn context(&self) -> Context<'_> {
        Context {
            store: self.store,
            tenant: self.tenant,
            stamp: self.stamp,
        }
    }

    async fn portion(
        &self,
        transaction: &Transaction,
        job: &Job,
        cancelled: bool,
    ) -> Result<(), StoreError> {
        let context = self.context();
        let progress = match cancelled {
            true => {
                self.work.cancelled(context, transaction, job).await?;
                Progress::Done
            }
            false => self.work.portion(context, transaction, job).await?,
        };
        self.keep(transaction, job.id, &progress).await
    }

    /// Commits what was done with how far the job is.
    async fn keep(
        &self,
        transaction: &Transaction,
        id: Uuid,
        progress: &Progress,
    ) -> Result<(), StoreError> {
        let (tenant, queue) = (self.tenant, self.work.queue());
        match progress {
            Progress::More(progress) => store::keep(transaction, tenant, queue, id, progress).await,
            Progress::Done => {
                let last = octavo_records::Last(transaction);
                store::remove(&last, tenant, queue, id).await
            }
        }
    }

    /// Gives up a job whose portion was begun often enough, in the transaction that holds it.
    async fn exhausted(&self, transaction: Transaction, held: Held) -> Result<(), StoreError> {
        let ended = || "the process that worked on it ended".to_owned();
        let reason = GivenUp::Exhausted {
            attempts: held.attempts,
            last: held.reason.clone().unwrap_or_else(ended),
        };
        let given_up = self.give_up(&transaction, &held.job, &reason).await;
        let Err(error) = given_up else { return Ok(()) };
        undo(transaction).await;
        self.later(&held, &error).await
    }

    /// Gives up a job that would fail again, unless another worker has it by now.
    async fn at_fault(&self, id: Uuid, error: &StoreError) -> Result<(), StoreError> {
        let transaction = self.store.database.transaction().await?;
        let held = store::hold(&transaction, self.tenant, self.work.queue(), id).await?;
        let Some(held) = held else { return Ok(()) };
        let reason = GivenUp::Fault(error.to_string());
        let given_up = self.give_up(&transaction, &held.job, &reason).await;
        let Err(error) = given_up else { return Ok(()) };
        undo(transaction).await;
        self.later(&held, &error).await
    }

    async fn give_up(
        &self,
        transaction: &Transaction,
        job: &Job,
        reason: &GivenUp,
    ) -> Result<(), StoreError> {
        let (tenant, queue, id) = (self.tenant.id(), self.work.queue().name, job.id);
        tracing::error!(tenant, queue, job = %id, %reason, "a job is given up");
        let giving = self.work.give_up(self.context(), transaction, job, reason);
        let progress = giving.await?;
        self.keep(transaction, id, &progress).await
    }

    /// A job that cannot be given up now must not keep the others waiting.
    async fn later(&self, held: &Held, error: &StoreError) -> Result<(), StoreError> {
        let id = held.job.id;
        tracing::error!(tenant = self.tenant.id(), queue = self.work.queue().name, job = %id, %error, "a job cannot be given up now");
        let pause = (held.attempts, retry::GIVE_UP_AGAIN_SECONDS);
        self.pause(id, pause, None, held.cancelled).await
    }

    async fn pause(
        &self,
        id: Uuid,
        pause: (i32, i32),
        reason: Option<&str>,
        cancelled: bool,
    ) -> Result<(), StoreError> {
        let (database, queue) = (&self.store.database, self.work.queue());
        store::pause(database, self.tenant, queue, id, pause, reason, cancelled).await
    }
}
