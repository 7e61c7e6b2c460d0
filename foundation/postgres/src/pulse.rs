//! Detects what no single call can: a server that keeps its connections open and answers nobody, as
//! a stopped process or a hung disk does, and a full disk.
//!
//! A waiting call proves nothing, for it may be slow. So when calls wait and none has been answered
//! for a while, a probe on a connection of its own decides. In normal operation there are no
//! probes.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::{Config, NoTls};

use crate::error::{DatabaseError, is_disk_full};
use crate::timeout::{PROBE, PROBE_AGAIN, QUIET};

/// How often the watch checks its counters.
const CHECK_EVERY: Duration = Duration::from_millis(250);
const PAUSE: Duration = Duration::from_millis(100);
/// A full disk is reported for so long after the last statement that failed for it.
const FULL_FOR: Duration = Duration::from_secs(60);

/// The state that all connections to one server share.
#[derive(Debug)]
pub(crate) struct Pulse {
    began: Instant,
    /// Calls that wait for an answer.
    waiting: AtomicUsize,
    /// When a call was last answered, or sent while none was waiting: microseconds since `began`.
    moved_us: AtomicU64,
    /// When a statement last failed because the disk was full, likewise; 0 for never.
    disk_full_us: AtomicU64,
    silent: watch::Sender<bool>,
    /// The tasks that poll the connections: aborting one fails the calls that wait on it.
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

    /// Counts a call as waiting until the value is dropped.
    pub(crate) fn wait(&self) -> Waiting<'_> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) == 0 {
            // The last answer may be long ago; silence counts from this call.
            self.moved();
        }
        Waiting(self)
    }

    /// Records an answer, whatever its content.
    pub(crate) fn moved(&self) {
        self.moved_us.store(self.now_us(), Ordering::Relaxed);
    }

    /// Records why a statement failed.
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

    /// Whether a statement failed a short while ago because the disk was full.
    pub(crate) fn disk_was_full(&self) -> bool {
        let at = self.disk_full_us.load(Ordering::Relaxed);
        at > 0 && self.elapsed(at) < FULL_FOR
    }

    /// Registers a connection, to be aborted when the server falls silent.
    pub(crate) fn drives(&self, driver: AbortHandle) {
        let mut drivers = self.drivers.lock().unwrap_or_else(PoisonError::into_inner);
        // Otherwise the list would grow with every connection that was ever opened.
        drivers.retain(|driver| !driver.is_finished());
        drivers.push(driver);
    }

    pub(crate) fn is_silent(&self) -> bool {
        *self.silent.borrow()
    }

    /// Completes when the server has fallen silent.
    pub(crate) async fn silence(&self) -> DatabaseError {
        let mut silent = self.silent.subscribe();
        // This cannot fail: the sender lives as long as `self`.
        let _ = silent.wait_for(|silent| *silent).await;
        DatabaseError::unreachable(Self::SILENT)
    }

    /// The message for a silent server.
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
            tokio::time::sleep(CHECK_EVERY).await;
            if !self.is_quiet_for(QUIET) {
                continue;
            }
            let asked = timeout(PROBE, self.ask(&config)).await;
            // A probe that fails while calls are answered only means that no new connection can be
            // opened.
            if asked.is_ok() || !self.is_quiet_for(QUIET + PROBE) {
                continue;
            }
            tracing::error!("the database has stopped answering; closing its connections");
            self.silent.send_replace(true);
            self.end_connections();
            while timeout(PROBE_AGAIN, self.ask(&config)).await.is_err() {
                tokio::time::sleep(PAUSE).await;
            }
            // An answer or a refused connection: in the latter case the server is down, and each
            // connection reports that itself.
            self.silent.send_replace(false);
            tracing::warn!("the database answers again");
        }
    }

    /// Completes when the server has answered anything at all.
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
    fn quiet_are_only_those_who_wait_and_get_no_answer() {
        let pulse = Pulse::new();
        assert!(!pulse.is_quiet_for(Duration::ZERO));
        let waiting = pulse.wait();
        assert!(pulse.is_quiet_for(Duration::ZERO));
        assert!(!pulse.is_quiet_for(Duration::from_secs(60)));
        drop(waiting);
        assert!(!pulse.is_quiet_for(Duration::ZERO));
    }
}
