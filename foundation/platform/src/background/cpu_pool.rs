//! A pool of few low-priority threads for CPU-bound work such as checking passwords, with a bounded
//! queue. Addresses take turns, and of an address with many waiting jobs the newest runs first: a
//! client that floods the pool delays itself.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use octavo_records::StoreError;
use tokio::sync::{Semaphore, oneshot};

use crate::shares::Party;

/// Does the work (true), or reports that it was rejected (false).
type Job = Box<dyn FnOnce(bool) + Send>;

/// The niceness of the threads; 19 would be the maximum.
const NICENESS: i32 = 10;
/// Beyond this many waiting jobs of one address its newest runs first: the older ones are likely to
/// have timed out.
const IN_ORDER_MAX: usize = 16;
/// How long the measured duration of a job counts as recent.
const LATELY: Duration = Duration::from_secs(10);
/// A sleep ends at a tick of the clock, on average this much late.
const TICK_HALF: Duration = Duration::from_micros(500);

/// A pool of threads for slow work; they start with the first job and end when this is dropped.
pub struct CpuPool {
    threads: usize,
    waiting_max: usize,
    busy: &'static str,
    queue: OnceLock<Arc<Shared>>,
    /// Permits of callers that only wait as long as a job would take.
    pretending: Semaphore,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    came: Condvar,
}

#[derive(Default)]
struct Queue {
    /// Waiting jobs by address; the address whose turn is next comes first.
    turns: VecDeque<(Party, VecDeque<Job>)>,
    waiting: usize,
    running: usize,
    ended: bool,
    /// How long the last job took, and when it ended.
    lately: Option<(Duration, Instant)>,
}

impl std::fmt::Debug for CpuPool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SlowWork")
            .field("threads", &self.threads)
            .field("waiting_max", &self.waiting_max)
            .finish_non_exhaustive()
    }
}

impl CpuPool {
    /// A pool with so many threads and at most `waiting_max` waiting jobs. When it is full, a new
    /// job replaces the oldest one of the address with most waiting jobs, which fails with `busy`.
    #[must_use]
    pub fn new(threads: usize, waiting_max: usize, busy: &'static str) -> CpuPool {
        CpuPool {
            threads: threads.max(1),
            waiting_max: waiting_max.max(1),
            busy,
            queue: OnceLock::new(),
            pretending: Semaphore::new(waiting_max.max(1)),
        }
    }

    /// Runs a job when its turn comes; a job whose caller has gone is skipped.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when too many jobs are waiting.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        self.run_for(None, work).await
    }

    /// [`CpuPool::run`] for a client at an address.
    pub async fn run_for<T: Send + 'static>(
        &self,
        address: Option<IpAddr>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |is_turn| {
            if is_turn && !answer.is_closed() {
                let _ = answer.send(Some(work()));
            } else {
                let _ = answer.send(None);
            }
        });
        self.queue().push(Party::at(address), job, self.waiting_max);
        match answered.await {
            Ok(Some(done)) => Ok(done),
            Ok(None) => Err(StoreError::Busy(self.busy)),
            Err(_) => Err(StoreError::fault("slow work ended without an answer")),
        }
    }

    /// Waits as long as a job submitted now would take, without running one. So a log-in of an
    /// unknown user costs no thread, and its duration does not reveal that the user does not exist.
    /// Without a recent measurement `work` is run.
    ///
    /// # Errors
    /// [`StoreError::Busy`] when too many callers wait already.
    pub async fn pretend(
        &self,
        address: Option<IpAddr>,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), StoreError> {
        let begun = Instant::now();
        let Some(long) = self.queue().expected(self.threads) else {
            return self.run_for(address, work).await;
        };
        let place = self.pretending.try_acquire();
        let _place = place.map_err(|_| StoreError::Busy(self.busy))?;
        let until = begun + long.saturating_sub(TICK_HALF);
        tokio::time::sleep_until(until.into()).await;
        Ok(())
    }

    fn queue(&self) -> &Shared {
        self.queue.get_or_init(|| start(self.threads))
    }
}

impl Drop for CpuPool {
    fn drop(&mut self) {
        if let Some(shared) = self.queue.get() {
            shared.lock().ended = true;
            shared.came.notify_all();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, party: Party, job: Job, waiting_max: usize) {
        let mut queue = self.lock();
        let refused = (queue.waiting >= waiting_max)
            .then(|| queue.drop_oldest())
            .flatten();
        queue.push(party, job);
        drop(queue);
        self.came.notify_one();
        // Outside the lock: it wakes the caller.
        if let Some(refused) = refused {
            refused(false);
        }
    }

    /// How long a job submitted now would take; `None` without a recent measurement.
    fn expected(&self, threads: usize) -> Option<Duration> {
        let queue = self.lock();
        let (each, at) = queue.lately?;
        let ahead = (queue.waiting + queue.running) / threads;
        let fresh = at.elapsed() < LATELY;
        fresh.then(|| each * u32::try_from(ahead + 1).unwrap_or(u32::MAX))
    }

    /// Waits for the next job; `None` when the pool has been dropped.
    fn next(&self) -> Option<Job> {
        let mut queue = self.lock();
        loop {
            if queue.ended {
                return None;
            }
            if let Some(job) = queue.pop() {
                queue.running += 1;
                return Some(job);
            }
            let waited = self.came.wait(queue);
            queue = waited.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn done(&self, took: Duration) {
        let mut queue = self.lock();
        queue.running -= 1;
        queue.lately = Some((took, Instant::now()));
    }
}

impl Queue {
    fn push(&mut self, party: Party, job: Job) {
        self.waiting += 1;
        let known = self.turns.iter_mut().find(|(known, _)| *known == party);
        match known {
            Some((_, jobs)) => jobs.push_back(job),
            None => self.turns.push_back((party, VecDeque::from([job]))),
        }
    }

    fn pop(&mut self) -> Option<Job> {
        let (party, mut jobs) = self.turns.pop_front()?;
        let job = match jobs.len() > IN_ORDER_MAX {
            true => jobs.pop_back(),
            false => jobs.pop_front(),
        };
        if !jobs.is_empty() {
            self.turns.push_back((party, jobs));
        }
        self.waiting -= 1;
        job
    }

    /// Removes the oldest job of the address with most waiting jobs.
    fn drop_oldest(&mut self) -> Option<Job> {
        let lengths = self.turns.iter().enumerate();
        let (at, _) = lengths.max_by_key(|(_, (_, jobs))| jobs.len())?;
        let (_, jobs) = self.turns.get_mut(at)?;
        let oldest = jobs.pop_front()?;
        if jobs.is_empty() {
            self.turns.remove(at);
        }
        self.waiting -= 1;
        Some(oldest)
    }
}

fn start(threads: usize) -> Arc<Shared> {
    let shared = Arc::new(Shared::default());
    for number in 0..threads {
        let shared = Arc::clone(&shared);
        let started = thread::Builder::new()
            .name(format!("slow-work-{number}"))
            .spawn(move || work_off(&shared));
        if let Err(error) = started {
            tracing::error!(%error, "a thread for slow work cannot be started");
        }
    }
    shared
}

fn work_off(shared: &Shared) {
    // Without the privilege the thread runs at normal priority.
    let _ = rustix::process::setpriority_process(None, NICENESS);
    while let Some(job) = shared.next() {
        let begun = Instant::now();
        if catch_unwind(AssertUnwindSafe(|| job(true))).is_err() {
            tracing::error!("slow work panicked");
        }
        shared.done(begun.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Starts a job that ends when signalled.
    async fn occupy(slow: &Arc<CpuPool>) -> (mpsc::Sender<()>, tokio::task::JoinHandle<i32>) {
        let (begun, has_begun) = mpsc::channel();
        let (go, may_go) = mpsc::channel::<()>();
        let slow = Arc::clone(slow);
        let first = tokio::spawn(async move {
            let work = move || {
                begun.send(()).expect("somebody waits");
                may_go.recv().expect("told to go on");
                1
            };
            slow.run(work).await.expect("done")
        });
        tokio::task::spawn_blocking(move || has_begun.recv())
            .await
            .expect("a thread")
            .expect("it has begun");
        (go, first)
    }

    #[tokio::test]
    async fn what_is_too_much_is_refused_and_the_rest_is_done_in_turn() {
        let slow = Arc::new(CpuPool::new(1, 1, "too much"));
        let (go, first) = occupy(&slow).await;
        let mut second = Box::pin(slow.run(|| 2));
        assert!(futures_util::poll!(&mut second).is_pending());
        // The longest waiting job is dropped, not the new one.
        let mut third = Box::pin(slow.run(|| 3));
        assert!(futures_util::poll!(&mut third).is_pending());
        assert!(matches!(second.await, Err(StoreError::Busy("too much"))));
        go.send(()).expect("it waits");
        assert_eq!(first.await.expect("no panic"), 1);
        assert_eq!(third.await.expect("done"), 3);
    }

    #[tokio::test]
    async fn a_panic_ends_only_the_one_job() {
        let slow = CpuPool::new(1, 4, "too much");
        assert!(slow.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(slow.run(|| 1).await.expect("done"), 1);
    }

    #[tokio::test]
    async fn who_floods_it_waits_for_itself() {
        let slow = Arc::new(CpuPool::new(1, 40, "too much"));
        let (go, first) = occupy(&slow).await;
        let (sender, order) = mpsc::channel();
        let mut tasks = Vec::new();
        let at = |last: u8| Some(IpAddr::from([192, 0, 2, last]));
        for number in 0..60 {
            let sender = sender.clone();
            let mut task = Box::pin(slow.run_for(at(1), move || {
                let _ = sender.send(number);
            }));
            assert!(futures_util::poll!(&mut task).is_pending());
            tasks.push(task);
        }
        let other = sender.clone();
        let mut right = Box::pin(slow.run_for(at(2), move || {
            let _ = other.send(100);
        }));
        assert!(futures_util::poll!(&mut right).is_pending());
        go.send(()).expect("it waits");
        let _ = first.await.expect("no panic");
        right.await.expect("done");
        for task in tasks {
            let _ = task.await;
        }
        drop(sender);
        let order: Vec<i32> = order.try_iter().collect();
        // Two jobs submitted when 40 were waiting already, one of another address, displaced the
        // oldest.
        assert_eq!(order.len(), 40);
        assert_eq!(order[..2], [59, 100]);
        assert!(!order.contains(&20) && order.contains(&21));
    }

    #[tokio::test]
    async fn who_pretends_takes_no_turn() {
        let slow = Arc::new(CpuPool::new(1, 4, "too much"));
        // Nothing has been measured yet, so the work is done.
        let (sender, was_done) = mpsc::channel();
        let work = move || {
            std::thread::sleep(Duration::from_millis(20));
            sender.send(()).expect("somebody listens");
        };
        slow.pretend(None, work).await.expect("a place");
        was_done.recv().expect("it was done");
        // The worker records the measurement a moment later.
        let deadline = Instant::now() + Duration::from_secs(10);
        while slow.queue().expected(1).is_none() && Instant::now() < deadline {
            tokio::task::yield_now().await;
        }
        let begun = Instant::now();
        let undone = || panic!("it is not to be done");
        slow.pretend(None, undone).await.expect("a place");
        assert!(begun.elapsed() >= Duration::from_millis(15));
        let all = (0..5).map(|_| slow.pretend(None, || ()));
        let outcomes = futures_util::future::join_all(all).await;
        assert_eq!(outcomes.iter().filter(|one| one.is_err()).count(), 1);
    }

    #[test]
    fn threads_end_with_their_owner() {
        let shared = Arc::new(Shared::default());
        let waiting = Arc::clone(&shared);
        let thread = thread::spawn(move || waiting.next().is_none());
        shared.lock().ended = true;
        shared.came.notify_all();
        assert!(thread.join().expect("no panic"));
    }

    #[test]
    fn addresses_take_turns() {
        let mut queue = Queue::default();
        let (sender, order) = mpsc::channel();
        let at = |last: u8| Party::at(Some(IpAddr::from([192, 0, 2, last])));
        for (address, number) in [(1, 1), (1, 2), (1, 3), (2, 4), (3, 5)] {
            let sender = sender.clone();
            queue.push(
                at(address),
                Box::new(move |_| {
                    let _ = sender.send(number);
                }),
            );
        }
        while let Some(job) = queue.pop() {
            job(true);
        }
        drop(sender);
        let order: Vec<i32> = order.iter().collect();
        assert_eq!(order, [1, 4, 5, 2, 3]);
    }
}
