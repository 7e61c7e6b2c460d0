//! Work that takes a core for long, such as checking passwords: done on few threads of their own
//! that give way to all others, with a bound on what waits.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use octavo_records::StoreError;
use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// How much a thread gives way; 19 would be the most.
const NICENESS: i32 = 10;

/// Threads for slow work, started when there is some and ended with this.
pub struct SlowWork {
    threads: usize,
    waiting_max: usize,
    busy: &'static str,
    queue: OnceLock<SyncSender<Job>>,
}

impl std::fmt::Debug for SlowWork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SlowWork")
            .field("threads", &self.threads)
            .field("waiting_max", &self.waiting_max)
            .finish_non_exhaustive()
    }
}

impl SlowWork {
    /// So many threads, before which so much may wait; what comes when that is full is told `busy`.
    #[must_use]
    pub fn new(threads: usize, waiting_max: usize, busy: &'static str) -> SlowWork {
        SlowWork {
            threads: threads.max(1),
            waiting_max,
            busy,
            queue: OnceLock::new(),
        }
    }

    /// Does it when its turn comes. Nothing is done for a caller who went away in the meantime.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when too much waits already.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move || {
            if !answer.is_closed() {
                let _ = answer.send(work());
            }
        });
        let queue = self
            .queue
            .get_or_init(|| start(self.threads, self.waiting_max));
        match queue.try_send(job) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => return Err(StoreError::Busy(self.busy)),
            Err(TrySendError::Disconnected(_)) => return Err(ended()),
        }
        answered.await.map_err(|_| ended())
    }
}

fn ended() -> StoreError {
    StoreError::Database("slow work ended without an answer".to_owned())
}

fn start(threads: usize, waiting_max: usize) -> SyncSender<Job> {
    let (queue, jobs) = sync_channel(waiting_max);
    let jobs = Arc::new(Mutex::new(jobs));
    for number in 0..threads {
        let jobs = Arc::clone(&jobs);
        let started = thread::Builder::new()
            .name(format!("slow-work-{number}"))
            .spawn(move || work_off(&jobs));
        if let Err(error) = started {
            tracing::error!(%error, "a thread for slow work cannot be started");
        }
    }
    queue
}

fn work_off(jobs: &Mutex<Receiver<Job>>) {
    // Without the right to it, it works as everybody does.
    let _ = rustix::process::setpriority_process(None, NICENESS);
    loop {
        let next = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(job) = next else { return };
        if catch_unwind(AssertUnwindSafe(job)).is_err() {
            tracing::error!("slow work panicked");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test]
    async fn what_is_too_much_is_told_so_and_the_rest_is_done_in_turn() {
        let slow = Arc::new(SlowWork::new(1, 1, "too much"));
        let (begun, has_begun) = mpsc::channel();
        let (go, may_go) = mpsc::channel::<()>();
        let first = {
            let slow = Arc::clone(&slow);
            tokio::spawn(async move {
                let work = move || {
                    begun.send(()).expect("somebody waits");
                    may_go.recv().expect("told to go on");
                    1
                };
                slow.run(work).await.expect("done")
            })
        };
        tokio::task::spawn_blocking(move || has_begun.recv())
            .await
            .expect("a thread")
            .expect("it has begun");
        let mut second = Box::pin(slow.run(|| 2));
        assert!(futures_util::poll!(&mut second).is_pending());
        let refused = slow.run(|| 3).await;
        assert!(matches!(refused, Err(StoreError::Busy("too much"))));
        go.send(()).expect("it waits");
        assert_eq!(first.await.expect("no panic"), 1);
        assert_eq!(second.await.expect("done"), 2);
    }

    #[tokio::test]
    async fn a_panic_ends_only_the_one_job() {
        let slow = SlowWork::new(1, 4, "too much");
        assert!(slow.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(slow.run(|| 1).await.expect("done"), 1);
    }
}
