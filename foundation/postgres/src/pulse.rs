//! Notices what no single call can: a server that keeps its connections and answers nobody, as a stopped
//! process or a hung disk does, and a disk that is full.
//!
//! A call that waits says nothing, for it may be slow. So when calls wait and nothing at all has been
//! answered for a while, a question on a connection of its own decides. Nothing is asked in ordinary
//! operation.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::{Config, NoTls};

use crate::error::{DatabaseError, is_disk_full};

/// How often the watch looks at its counters.
const LOOK_EVERY: Duration = Duration::from_millis(250);
/// Without any answer for so long, the watch asks a question of its own.
const QUIET: Duration = Duration::from_secs(1);
/// How long that question may take. Both together stay below the five seconds in which a hung database
/// is to be told.
const ANSWER_MOST: Duration = Duration::from_secs(3);
/// How long one attempt to be answered again may take.
const ATTEMPT_MOST: Duration = Duration::from_secs(3);
const PAUSE: Duration = Duration::from_millis(100);
/// A full disk is spoken of for so long after the last statement that it refused.
const FULL_FOR: Duration = Duration::from_secs(60);

/// What all connections to one server know of it together.
#[derive(Debug)]
pub(crate) struct Pulse {
    began: Instant,
    /// Calls that wait for an answer.
    waiting: AtomicUsize,
    /// When anything was last answered, or asked after a rest: microseconds since `began`.
    moved_us: AtomicU64,
    /// When a statement last found no room on the disk, likewise; 0 for never.
    disk_full_us: AtomicU64,
    silent: watch::Sender<bool>,
    /// The tasks that drive the connections: ending one fails the calls that wait on it.
    drivers: Mutex<Vec<AbortHandle>>,
}

/// A call that waits for its answer.
pub(crate) struct Waiting<'a>(&'a Pulse);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pulse {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            began: Instant::now(),
            waiting: AtomicUsize::new(0),
            moved_us: AtomicU64::new(0),
            disk_full_us: AtomicU64::new(0),
            silent: watch::Sender::new(false),
            drivers: Mutex::default(),
        })
    }

    /// Counts a call for as long as the value lives.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) == 0 {
            self.moved();
        }
        Waiting(self)
    }

    /// Notes an answer, whatever it says.
    pub(crate) fn moved(&self) {
        self.moved_us.store(self.now_us(), Ordering::Relaxed);
    }

    /// Notes why a statement was refused.
    pub(crate) fn refused(&self, error: &tokio_postgres::Error) {
        if !is_disk_full(error) {
            return;
        }
        let before = self
            .disk_full_us
            .swap(self.now_us().max(1), Ordering::Relaxed);
        if before == 0 || self.elapsed(before) > FULL_FOR {
            tracing::error!(
                "the disk of the database is full: nothing can be written until there is room on \
                 it again, and then by itself"
            );
        }
    }

    /// Whether a statement found no room on the disk a short while ago.
    pub(crate) fn disk_was_full(&self) -> bool {
        let at = self.disk_full_us.load(Ordering::Relaxed);
        at > 0 && self.elapsed(at) < FULL_FOR
    }

    /// Takes note of a connection, to be ended when the server is silent.
    pub(crate) fn drives(&self, driver: AbortHandle) {
        let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
        drivers.retain(|driver| !driver.is_finished());
        drivers.push(driver);
    }

    pub(crate) fn is_silent(&self) -> bool {
        *self.silent.borrow()
    }

    /// Resolves when the server has fallen silent.
    pub(crate) async fn silence(&self) -> DatabaseError {
        let mut silent = self.silent.subscribe();
        // The sender lives as long as `self`.
        let _ = silent.wait_for(|silent| *silent).await;
        DatabaseError::unreachable(Self::SILENT)
    }

    /// What is said of a silent server.
    pub(crate) const SILENT: &'static str = "the database has stopped answering";

    fn now_us(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn elapsed(&self, since_us: u64) -> Duration {
        Duration::from_micros(self.now_us().saturating_sub(since_us))
    }

    /// Whether calls wait and none was answered for so long.
    fn is_quiet_for(&self, most: Duration) -> bool {
        self.waiting.load(Ordering::Relaxed) > 0
            && self.elapsed(self.moved_us.load(Ordering::Relaxed)) >= most
    }

    /// Watches for as long as it is polled.
    pub(crate) async fn watch(self: Arc<Self>, config: Config) {
        loop {
            tokio::time::sleep(LOOK_EVERY).await;
            if !self.is_quiet_for(QUIET) {
                continue;
            }
            let asked = timeout(ANSWER_MOST, self.ask(&config)).await;
            if asked.is_ok() || !self.is_quiet_for(QUIET + ANSWER_MOST) {
                continue;
            }
            tracing::error!("the database has stopped answering; giving its connections up");
            self.silent.send_replace(true);
            self.end_connections();
            while timeout(ATTEMPT_MOST, self.ask(&config)).await.is_err() {
                tokio::time::sleep(PAUSE).await;
            }
            // Answered, or refused: then it is away, and each connection says so itself.
            self.silent.send_replace(false);
            tracing::warn!("the database answers again");
        }
    }

    /// Resolves when the server has said anything at all.
    async fn ask(&self, config: &Config) {
        if let Ok((client, connection)) = config.connect(NoTls).await {
            let driver = tokio::spawn(connection);
            let _ = client.batch_execute("SELECT 1").await;
            driver.abort();
        }
        self.moved();
    }

    fn end_connections(&self) {
        let drivers =
            std::mem::take(&mut *self.drivers.lock().unwrap_or_else(PoisonError::into_inner));
        for driver in drivers {
            driver.abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_are_only_those_who_wait_and_hear_nothing() {
        let pulse = Pulse::new();
        assert!(!pulse.is_quiet_for(Duration::ZERO));
        let waiting = pulse.wait();
        assert!(pulse.is_quiet_for(Duration::ZERO));
        assert!(!pulse.is_quiet_for(Duration::from_secs(60)));
        drop(waiting);
        assert!(!pulse.is_quiet_for(Duration::ZERO));
    }
}
