//! Watches the server while octavo runs: restarts it when it dies, rotates its log, stops it on
//! request.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::launcher::Launcher;
use super::log_rotation;
use super::postmaster::Postmaster;
use crate::backoff::Backoff;
use crate::storage;

/// How long open transactions have to end when the server is stopped.
const STOP_PATIENCE: Duration = Duration::from_secs(30);
const RESTART_PAUSE: Duration = Duration::from_millis(100);
const RESTART_PAUSE_MAX: Duration = Duration::from_secs(5);
/// A server that ran this long is not in a crash loop.
const HEALTHY_AFTER: Duration = Duration::from_secs(60);
const LOG_CHECK_EVERY: Duration = Duration::from_secs(600);
const DISK_CHECK_EVERY: Duration = Duration::from_secs(60);

/// A request of the holder to the supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Stop,
    LeaveRunning,
}

/// State that the holder reads without asking the task.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Process id of the server; 0 while there is none.
    pub pid: AtomicI32,
    /// Set once the holder is done with the server: it must not be restarted.
    pub stopping: AtomicBool,
}

#[derive(Debug)]
pub(super) struct Supervisor {
    pub shared: Arc<Shared>,
    order: Option<oneshot::Sender<Order>>,
    task: Option<JoinHandle<()>>,
}

impl Supervisor {
    pub(super) fn start(postmaster: Postmaster, launcher: Launcher) -> Self {
        let shared = Arc::new(Shared::default());
        shared
            .pid
            .store(postmaster.pid().unwrap_or(0), Ordering::Release);
        let (order, orders) = oneshot::channel();
        let watch = Watch {
            launcher,
            shared: Arc::clone(&shared),
            started_at: Instant::now(),
            backoff: Backoff::new(RESTART_PAUSE, RESTART_PAUSE_MAX),
        };
        let task = tokio::spawn(watch.run(postmaster, orders));
        Self {
            shared,
            order: Some(order),
            task: Some(task),
        }
    }

    pub(super) async fn carry_out(&mut self, order: Order) {
        if let Some(sender) = self.order.take() {
            // If the task has ended, there is nothing left to do.
            let _ = sender.send(order);
        }
        if let Some(task) = self.task.take() {
            let _ = task.await;
        }
    }
}

struct Watch {
    launcher: Launcher,
    shared: Arc<Shared>,
    started_at: Instant,
    backoff: Backoff,
}

impl Watch {
    async fn run(mut self, mut postmaster: Postmaster, mut orders: oneshot::Receiver<Order>) {
        let mut log_check = tokio::time::interval(LOG_CHECK_EVERY);
        let mut disk_check = tokio::time::interval(DISK_CHECK_EVERY);
        loop {
            tokio::select! {
                order = &mut orders => return Self::obey(order, postmaster).await,
                end = postmaster.wait() => {
                    self.shared.pid.store(0, Ordering::Release);
                    if self.shared.stopping.load(Ordering::Acquire) {
                        return;
                    }
                    tracing::error!(%end, "PostgreSQL died; restarting it");
                    let Some(restarted) = self.restart().await else { return };
                    postmaster = restarted;
                }
                _ = log_check.tick() => self.check_log().await,
                _ = disk_check.tick() => {
                    if let Some(warning) = storage::warning(&self.launcher.layout.cluster) {
                        tracing::warn!("{warning}");
                    }
                }
            }
        }
    }

    async fn obey(order: Result<Order, oneshot::error::RecvError>, mut postmaster: Postmaster) {
        match order {
            Ok(Order::LeaveRunning) => {}
            // The holder was dropped, and could only have signalled a server that existed then.
            Ok(Order::Stop) | Err(_) => postmaster.stop(STOP_PATIENCE).await,
        }
    }

    /// Restarts the server, however many attempts it takes; `None` when a stop is requested meanwhile. An
    /// attempt is never aborted, or its process would be left without a parent that knows it.
    async fn restart(&mut self) -> Option<Postmaster> {
        if self.started_at.elapsed() > HEALTHY_AFTER {
            self.backoff.reset();
        }
        loop {
            tokio::time::sleep(self.backoff.pause()).await;
            if self.shared.stopping.load(Ordering::Acquire) {
                return None;
            }
            match self.launcher.launch().await {
                Ok(postmaster) => {
                    tracing::warn!("PostgreSQL runs again");
                    self.started_at = Instant::now();
                    self.shared
                        .pid
                        .store(postmaster.pid().unwrap_or(0), Ordering::Release);
                    return Some(postmaster);
                }
                Err(error) => {
                    tracing::error!(%error, "PostgreSQL could not be restarted; trying again");
                    if let Some(shortage) = storage::shortage(&self.launcher.layout.cluster) {
                        tracing::error!("{shortage}");
                    }
                }
            }
        }
    }

    async fn check_log(&self) {
        let log = self.launcher.layout.log.clone();
        let rotated =
            tokio::task::spawn_blocking(move || log_rotation::rotate_if_large(&log)).await;
        if let Ok(Err(error)) = rotated {
            tracing::warn!(%error, "could not rotate PostgreSQL's log");
        }
    }
}
