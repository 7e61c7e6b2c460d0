//! The open connections, and how long each client has kept us waiting. A client that sends no
//! request, sends a body slowly or does not read its response is disconnected when others need its
//! place, and after a time-out in any case.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

/// All connections.
#[derive(Debug, Default)]
pub(super) struct OpenConnections {
    waits: Mutex<HashMap<u64, Arc<ClientWait>>>,
    next: AtomicU64,
}

#[derive(Debug)]
pub(super) struct ClientWait {
    began: Instant,
    /// Requests being processed, not counting those that wait for the client.
    working: AtomicI64,
    /// Since when none is processed; milliseconds since the start.
    waiting_since_ms: AtomicU64,
    asked_to_leave: Notify,
}

/// A connection's entry; removed on drop.
#[derive(Debug)]
pub(super) struct ConnectionEntry {
    connections: Arc<OpenConnections>,
    number: u64,
    pub(super) client_wait: Arc<ClientWait>,
}

impl OpenConnections {
    /// Adds a connection.
    pub(super) fn add(self: &Arc<OpenConnections>) -> ConnectionEntry {
        self.add_at(Instant::now())
    }

    fn add_at(self: &Arc<OpenConnections>, began: Instant) -> ConnectionEntry {
        let client_wait = Arc::new(ClientWait {
            began,
            working: AtomicI64::new(0),
            waiting_since_ms: AtomicU64::new(0),
            asked_to_leave: Notify::new(),
        });
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        self.lock().insert(number, Arc::clone(&client_wait));
        ConnectionEntry {
            connections: Arc::clone(self),
            number,
            client_wait,
        }
    }

    /// Asks some connections to close: the ones whose clients have kept us waiting longest.
    pub(super) fn make_room(&self, wanted: usize) {
        let now = Instant::now();
        let mut waiting: Vec<(Duration, Arc<ClientWait>)> = self
            .lock()
            .values()
            .filter_map(|client_wait| Some((client_wait.waiting(now)?, Arc::clone(client_wait))))
            .collect();
        if waiting.len() > wanted {
            waiting.select_nth_unstable_by(wanted, |one, other| other.0.cmp(&one.0));
            waiting.truncate(wanted);
        }
        for (_, client_wait) in waiting {
            client_wait.asked_to_leave.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u64, Arc<ClientWait>>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ConnectionEntry {
    fn drop(&mut self) {
        self.connections.lock().remove(&self.number);
    }
}

impl ClientWait {
    /// Work on a request begins or goes on.
    pub(super) fn work(&self) {
        self.working.fetch_add(1, Ordering::AcqRel);
    }

    /// Work has ended, or has to wait for the client.
    pub(super) fn wait(&self) {
        let since = self.began.elapsed().as_millis();
        let since = u64::try_from(since).unwrap_or(u64::MAX);
        self.waiting_since_ms.store(since, Ordering::Release);
        self.working.fetch_sub(1, Ordering::AcqRel);
    }

    /// How long the client has kept us waiting; `None` while a request is processed.
    fn waiting(&self, now: Instant) -> Option<Duration> {
        if self.working.load(Ordering::Acquire) > 0 {
            return None;
        }
        let since = Duration::from_millis(self.waiting_since_ms.load(Ordering::Acquire));
        Some(
            now.saturating_duration_since(self.began)
                .saturating_sub(since),
        )
    }

    /// Completes when the client has kept us waiting for longer than the limit, or is asked to make
    /// room.
    pub(super) async fn must_close(&self, limit: Duration) {
        loop {
            let waited = self.waiting(Instant::now()).unwrap_or_default();
            let rest = limit.saturating_sub(waited);
            tokio::select! {
                () = tokio::time::sleep(rest) => {
                    let waited = self.waiting(Instant::now());
                    if waited.is_some_and(|waited| waited >= limit) {
                        return;
                    }
                }
                () = self.asked_to_leave.notified() => {
                    // It may have begun to work since it was asked.
                    if self.waiting(Instant::now()).is_some() {
                        return;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3_600);

    fn ready(client_wait: &ClientWait, limit: Duration) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let little = Duration::from_millis(20);
            tokio::time::timeout(little, client_wait.must_close(limit))
                .await
                .is_ok()
        })
    }

    #[test]
    fn those_who_wait_longest_make_room_and_workers_stay() {
        let connections = Arc::new(OpenConnections::default());
        let Some(began) = Instant::now().checked_sub(Duration::from_millis(100)) else {
            // The machine has just been started, so there is no such instant.
            return;
        };
        let entry: Vec<ConnectionEntry> = (0..4).map(|_| connections.add_at(began)).collect();
        entry[0].client_wait.work();
        for (at, waited) in [(1, 50), (2, 10), (3, 30)] {
            let client_wait = &entry[at].client_wait;
            client_wait
                .waiting_since_ms
                .store(100 - waited, Ordering::Release);
        }
        connections.make_room(2);
        let asked: Vec<bool> = entry
            .iter()
            .map(|one| ready(&one.client_wait, LONG))
            .collect();
        assert_eq!(asked, [false, true, false, true]);
        // A connection that is asked while it works stays, and so does one that begins to work
        // meanwhile.
        connections.make_room(10);
        entry[2].client_wait.work();
        assert!(!ready(&entry[0].client_wait, LONG) && !ready(&entry[2].client_wait, LONG));
        drop(entry);
        assert!(connections.lock().is_empty());
    }

    #[test]
    fn who_keeps_us_waiting_for_too_long_leaves() {
        let connections = Arc::new(OpenConnections::default());
        let entry = connections.add();
        let short = Duration::from_millis(5);
        assert!(ready(&entry.client_wait, short));
        entry.client_wait.work();
        assert!(!ready(&entry.client_wait, short));
        // The body does not arrive.
        entry.client_wait.wait();
        assert!(ready(&entry.client_wait, short) && !ready(&entry.client_wait, LONG));
    }
}
