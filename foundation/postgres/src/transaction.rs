//! A transaction on a connection of its own. `BEGIN` travels with the first statement; dropping
//! the value without `commit` rolls back.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use futures_util::future::join;
use octavo_boxed::boxed;
use octavo_trace::{Handle, SpanKind};
use tokio::sync::Notify;
use tokio_postgres::Row;

use crate::copy::CopyIn;
use crate::error::{DatabaseError, is_stale_statement};
use crate::migrate::quote_identifier;
use crate::pool::{BorrowedSession, return_session};
use crate::session::{Outcome, Params, at_most_one};
use crate::slots::Slot;

/// Isolation levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Isolation {
    /// Each statement sees what was committed before it began.
    #[default]
    ReadCommitted,
    /// All statements see one snapshot. Writes may fail with [`DatabaseError::Serialization`].
    RepeatableRead,
    /// As [`Isolation::RepeatableRead`] but read-only: a consistent read.
    Snapshot,
    /// As if transactions ran one after the other; may fail with [`DatabaseError::Serialization`].
    Serializable,
}

impl Isolation {
    fn begin(self) -> &'static str {
        match self {
            Self::ReadCommitted => "BEGIN",
            Self::RepeatableRead => "BEGIN ISOLATION LEVEL REPEATABLE READ",
            Self::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
            Self::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
        }
    }
}

/// An open transaction. Calls may run concurrently (`try_join!`): they are then pipelined in the
/// order in which they are first polled.
pub struct Transaction {
    pooled: Option<BorrowedSession>,
    /// Given back early by a COPY, which may take minutes.
    slot: Mutex<Option<Slot>>,
    isolation: Isolation,
    begun: AtomicBool,
    failed: AtomicBool,
    ended: AtomicBool,
    statements: AtomicUsize,
    unsent: Unsent,
    span: Handle,
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction")
            .field("isolation", &self.isolation)
            .field("begun", &self.begun)
            .field("failed", &self.failed)
            .finish_non_exhaustive()
    }
}

impl Transaction {
    pub(crate) fn new(
        pooled: BorrowedSession,
        slot: Option<Slot>,
        isolation: Isolation,
        span: Handle,
    ) -> Self {
        Self {
            pooled: Some(pooled),
            slot: Mutex::new(slot),
            isolation,
            begun: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            statements: AtomicUsize::new(0),
            unsent: Unsent::default(),
            span,
        }
    }

    #[boxed]
    pub async fn query(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, DatabaseError> {
        Ok(self.run(sql, params).await?.rows)
    }

    /// Runs a statement that returns at most one row.
    #[boxed]
    pub async fn query_opt(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Option<Row>, DatabaseError> {
        at_most_one(self.run(sql, params).await?.rows)
    }

    /// Runs a statement and returns the number of affected rows.
    #[boxed]
    pub async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64, DatabaseError> {
        Ok(self.run(sql, params).await?.affected)
    }

    /// Runs any number of statements, separated by semicolons, without parameters and unprepared.
    #[boxed]
    pub async fn batch_execute(&self, sql: &str) -> Result<(), DatabaseError> {
        self.run_batch(SpanKind::Statement, sql).await
    }

    async fn run_batch(&self, kind: SpanKind, sql: &str) -> Result<(), DatabaseError> {
        self.begin().await?;
        let answer = self.pooled().session.batch(kind, sql, &self.span).await;
        self.remember_failure(sql, answer)
    }

    /// Starts `COPY ... FROM STDIN`.
    #[boxed]
    pub async fn copy_in(&self, sql: &str) -> Result<CopyIn<'_>, DatabaseError> {
        let slot = self
            .slot
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        drop(slot);
        self.begin().await?;
        let answer = CopyIn::start(&self.pooled().session, sql, &self.span).await;
        if answer.is_err() {
            self.failed.store(true, Ordering::Release);
        }
        answer
    }

    /// Sets a savepoint for [`Transaction::rollback_to`].
    #[boxed]
    pub async fn savepoint(&self, name: &str) -> Result<(), DatabaseError> {
        let sql = format!("SAVEPOINT {}", quote_identifier(name));
        self.run_batch(SpanKind::Control, &sql).await
    }

    /// Undoes everything since the savepoint, a failure included. The savepoint stays.
    #[boxed]
    pub async fn rollback_to(&self, name: &str) -> Result<(), DatabaseError> {
        let sql = format!("ROLLBACK TO SAVEPOINT {}", quote_identifier(name));
        self.run_batch(SpanKind::Control, &sql).await?;
        self.failed.store(false, Ordering::Release);
        Ok(())
    }

    /// Releases the savepoint; the changes since stay. Each savepoint costs PostgreSQL memory that
    /// all transactions share, so code that sets many in one transaction has to release them.
    #[boxed]
    pub async fn release(&self, name: &str) -> Result<(), DatabaseError> {
        let sql = format!("RELEASE SAVEPOINT {}", quote_identifier(name));
        self.run_batch(SpanKind::Control, &sql).await
    }

    /// Commits. An error other than [`DatabaseError::Unavailable`] means that nothing was
    /// committed; after that one the outcome is unknown.
    #[boxed]
    pub async fn commit(mut self) -> Result<(), DatabaseError> {
        if !self.begun.load(Ordering::Acquire) {
            return Ok(());
        }
        // PostgreSQL answers a COMMIT of a failed transaction with a rollback and no error.
        if self.failed.load(Ordering::Acquire) {
            self.rollback().await?;
            return Err(DatabaseError::Aborted);
        }
        self.end("COMMIT").await
    }

    /// Runs the last statement and commits in the same round trip. The rest of the transaction may
    /// be awaited beside it (`try_join!`, this one last): COMMIT is sent once everything begun
    /// before has been sent. When any of it fails, nothing is committed.
    #[boxed]
    pub async fn query_and_commit(
        &self,
        sql: &str,
        params: Params<'_>,
    ) -> Result<Vec<Row>, DatabaseError> {
        self.begin().await?;
        let session = &self.pooled().session;
        // Prepared before waiting for the others, so that only the two messages remain.
        let prepared = session.statements.get(&session.client, sql, &self.span);
        let prepared = session.counted(prepared).await;
        self.remember_failure(sql, prepared)?;
        self.unsent.none().await;
        // No further statement may follow, whatever the outcome.
        self.ended.store(true, Ordering::Release);
        let (answer, committed) = join(
            session.run(sql, params, &self.span),
            session.batch(SpanKind::Control, "COMMIT", &self.span),
        )
        .await;
        let answer = self.checked(sql, answer);
        committed?;
        // PostgreSQL has ended the transaction, even when the statement failed: a ROLLBACK on drop
        // would only put a warning into its log.
        self.begun.store(false, Ordering::Release);
        // PostgreSQL answers a COMMIT of a failed transaction with a rollback and no error.
        let rows = answer?.rows;
        if self.failed.load(Ordering::Acquire) {
            return Err(DatabaseError::Aborted);
        }
        Ok(rows)
    }

    /// Rolls back. A drop does the same without waiting.
    #[boxed]
    pub async fn rollback(mut self) -> Result<(), DatabaseError> {
        if !self.begun.load(Ordering::Acquire) {
            return Ok(());
        }
        self.end("ROLLBACK").await
    }

    async fn end(&mut self, sql: &str) -> Result<(), DatabaseError> {
        let session = &self.pooled().session;
        let ended = session.batch(SpanKind::Control, sql, &self.span).await;
        ended.map_err(|error| DatabaseError::of(error, sql))?;
        self.begun.store(false, Ordering::Release);
        self.span.note(|| sql.to_owned());
        self.span.end();
        Ok(())
    }

    async fn run(&self, sql: &str, params: Params<'_>) -> Result<Outcome, DatabaseError> {
        if self.ended.load(Ordering::Acquire) {
            return Err(DatabaseError::Aborted);
        }
        self.statements.fetch_add(1, Ordering::AcqRel);
        let session = &self.pooled().session;
        let leaving = self.unsent.one();
        let turn = async move { leaving.turn().await };
        if self.begun.swap(true, Ordering::AcqRel) {
            let answer = session.run_in_turn(sql, params, &self.span, turn).await;
            return self.checked(sql, answer);
        }
        // `join` polls in order, and the driver sends at the first poll: BEGIN is sent first.
        let (begun, answer) = join(
            session.batch(SpanKind::Control, self.isolation.begin(), &self.span),
            session.run_in_turn(sql, params, &self.span, turn),
        )
        .await;
        self.remember_failure(sql, begun)?;
        match answer {
            // Nothing else has run in this transaction, so it can be repeated here. Otherwise only
            // the caller knows what to repeat.
            Err(error) if is_stale_statement(&error) && self.is_first_and_only() => {
                session.statements.forget(sql);
                let again = format!("ROLLBACK; {}", self.isolation.begin());
                let begun = session.batch(SpanKind::Control, &again, &self.span).await;
                self.remember_failure(sql, begun)?;
                let answer = session.run(sql, params, &self.span).await;
                self.remember_failure(sql, answer)
            }
            answer => self.checked(sql, answer),
        }
    }

    fn is_first_and_only(&self) -> bool {
        self.statements.load(Ordering::Acquire) == 1
    }

    /// As [`Self::remember_failure`]; a stale prepared statement in mid-transaction becomes a retryable error.
    fn checked(
        &self,
        sql: &str,
        answer: Result<Outcome, tokio_postgres::Error>,
    ) -> Result<Outcome, DatabaseError> {
        match answer {
            Err(error) if is_stale_statement(&error) => {
                self.pooled().session.statements.forget(sql);
                self.failed.store(true, Ordering::Release);
                Err(DatabaseError::Serialization)
            }
            answer => self.remember_failure(sql, answer),
        }
    }

    async fn begin(&self) -> Result<(), DatabaseError> {
        self.statements.fetch_add(1, Ordering::AcqRel);
        if self.begun.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        let begin = self.isolation.begin();
        let session = &self.pooled().session;
        let answer = session.batch(SpanKind::Control, begin, &self.span).await;
        self.remember_failure(begin, answer)
    }

    /// Remembers that PostgreSQL refused a statement: from then on it refuses all.
    fn remember_failure<T>(
        &self,
        sql: &str,
        answer: Result<T, tokio_postgres::Error>,
    ) -> Result<T, DatabaseError> {
        answer.map_err(|error| {
            if error.as_db_error().is_some() || error.is_closed() {
                self.failed.store(true, Ordering::Release);
            }
            DatabaseError::of(error, sql)
        })
    }

    fn pooled(&self) -> &BorrowedSession {
        self.pooled
            .as_ref()
            .expect("invariant: only drop takes the connection")
    }
}

/// Statements that were begun and have not been sent, in the order in which they were begun: one that is prepared
/// already waits for those before it that are not.
#[derive(Default)]
struct Unsent {
    queue: Mutex<Queue>,
    left: Notify,
}

#[derive(Default)]
struct Queue {
    next: u64,
    tickets: VecDeque<u64>,
}

impl Unsent {
    fn one(&self) -> Leaving<'_> {
        let mut queue = self.queue();
        let ticket = queue.next;
        queue.next += 1;
        queue.tickets.push_back(ticket);
        Leaving {
            unsent: self,
            ticket,
        }
    }

    async fn none(&self) {
        self.until(VecDeque::is_empty).await;
    }

    async fn until(&self, is_so: impl Fn(&VecDeque<u64>) -> bool) {
        loop {
            // Made before the look, so that no change after it is missed.
            let left = self.left.notified();
            if is_so(&self.queue().tickets) {
                return;
            }
            left.await;
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One statement that has not been sent yet, until dropped.
struct Leaving<'a> {
    unsent: &'a Unsent,
    ticket: u64,
}

impl Leaving<'_> {
    /// Waits until no statement that was begun before is unsent.
    async fn turn(self) {
        let is_first = |tickets: &VecDeque<u64>| tickets.front() == Some(&self.ticket);
        self.unsent.until(is_first).await;
    }
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.unsent
            .queue()
            .tickets
            .retain(|ticket| *ticket != self.ticket);
        self.unsent.left.notify_waiters();
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(pooled) = self.pooled.take() else {
            return;
        };
        let begun = self.begun.load(Ordering::Acquire);
        if self.ended.load(Ordering::Acquire) && !begun {
            self.span.note(|| "COMMIT".to_owned());
            self.span.end();
        }
        if begun {
            self.span.note(|| "ROLLBACK".to_owned());
            self.span.end();
            return_session(pooled, "ROLLBACK".to_owned());
        }
    }
}
