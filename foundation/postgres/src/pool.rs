//! The connection pool: connections with one borrower at a time, for transactions, streams and
//! COPY.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use deadpool::managed::{
    Manager, Metrics, Object, PoolError, QueueMode, RecycleError, RecycleResult,
};
use octavo_trace::{self as trace, Handle, SpanKind};
use tokio_postgres::{Config, NoTls};

use crate::error::{DatabaseError, TimeLimit};
use crate::session::{Session, SessionSettings};

pub(crate) type Pool = deadpool::managed::Pool<SessionManager>;
pub(crate) type BorrowedSession = Object<SessionManager>;

/// Opens sessions for the pool and decides whether one may be reused.
pub(crate) struct SessionManager {
    pub config: Config,
    pub settings: SessionSettings,
    /// The number of sessions opened, for their names in traces.
    pub made: AtomicUsize,
}

/// A session in the pool.
pub(crate) struct PooledSession {
    pub session: Session,
    /// Set while the session is in a state that the next borrower must not see.
    pub spoiled: AtomicBool,
}

impl PooledSession {
    /// Lets the connection be closed instead of reused.
    pub(crate) fn spoil(&self) {
        self.spoiled.store(true, Ordering::Release);
    }
}

impl Manager for SessionManager {
    type Type = PooledSession;
    type Error = DatabaseError;

    async fn create(&self) -> Result<PooledSession, DatabaseError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed) + 1;
        let name = format!("connection {number}");
        let session = Session::open(&self.config, &self.settings, name).await?;
        Ok(PooledSession {
            session,
            spoiled: AtomicBool::new(false),
        })
    }

    async fn recycle(
        &self,
        pooled: &mut PooledSession,
        _: &Metrics,
    ) -> RecycleResult<DatabaseError> {
        if pooled.session.is_closed() {
            return Err(RecycleError::message("connection closed"));
        }
        if pooled.session.has_large_buffers() {
            return Err(RecycleError::message("connection holds too much memory"));
        }
        if pooled.spoiled.load(Ordering::Acquire) || pooled.session.has_unfinished() {
            return Err(RecycleError::message("connection left in an unknown state"));
        }
        Ok(())
    }
}

pub(crate) fn build(
    manager: SessionManager,
    size: usize,
    wait: Duration,
) -> Result<Pool, DatabaseError> {
    Pool::builder(manager)
        .max_size(size.max(1))
        .wait_timeout(Some(wait))
        // The most recently used connection has its plans and catalogs in the processor's caches.
        .queue_mode(QueueMode::Lifo)
        .runtime(deadpool::Runtime::Tokio1)
        .build()
        .map_err(|error| DatabaseError::unreachable(error.to_string()))
}

/// Borrows a connection, waiting for a free one up to the pool's limit.
pub(crate) async fn take_session(
    pool: &Pool,
    under: &Handle,
) -> Result<BorrowedSession, DatabaseError> {
    const WAIT: &str = "wait for a connection";
    let mut wait = match under.is_on() {
        true => under.inside(SpanKind::Wait, WAIT),
        false => trace::open(SpanKind::Wait, WAIT),
    };
    let pulse = &pool.manager().settings.pulse;
    let pooled = tokio::select! {
        biased;
        pooled = pool.get() => pooled,
        // While the server is silent no connection can be opened and none comes back: waiting would
        // only use up the limit.
        silence = pulse.silence() => return Err(silence),
    };
    wait.end();
    pooled.map_err(|error| match error {
        PoolError::Backend(error) => error,
        PoolError::Timeout(_) => DatabaseError::Timeout {
            limit: TimeLimit::Connection,
            reason: "every pooled connection is in use".to_owned(),
            statement: None,
        },
        other => DatabaseError::unreachable(other.to_string()),
    })
}

/// Returns a connection once `undo`, if there is any, has run, without making the caller wait.
/// Where that is impossible (a call was dropped half way, or there is no runtime any more) the
/// connection is closed, upon which PostgreSQL rolls back and releases its locks as well.
pub(crate) fn return_session(pooled: BorrowedSession, undo: String) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        drop(Object::take(pooled));
        return;
    };
    if pooled.session.has_unfinished() {
        runtime.spawn(async move {
            let cancel = pooled.session.client.cancel_token();
            // Not reused: a late cancel request could hit the next borrower's statement.
            drop(Object::take(pooled));
            if let Err(error) = cancel.cancel_query(NoTls).await {
                tracing::debug!(%error, "could not cancel an abandoned query");
            }
        });
        return;
    }
    if undo.is_empty() {
        return;
    }
    runtime.spawn(async move {
        let undone = pooled.session.batch(SpanKind::Control, &undo, &Handle::OFF);
        if undone.await.is_err() {
            pooled.spoil();
        }
    });
}
