//! Room for requests beside background work: where both want the processors, portions are done one at a time, with a
//! rest after each; while nobody asks, they are done as fast as they can. And the sizes of portions, by time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};

/// A rest is so many times as long as the portion before it: of two processors a portion keeps one busy, and the
/// requests between two portions find both.
const REST: u32 = 3;
/// A portion that was itself slow, because a disk or a lock was, is no reason for a long rest.
const REST_MAX: Duration = Duration::from_millis(300);
/// Requests are answered in milliseconds: between two of a busy desk there is none in flight.
const LINGER: Duration = Duration::from_millis(100);
/// A long portion of one queue must not keep the others from theirs.
const TURN_MAX: Duration = Duration::from_millis(500);
/// How long a portion should take. Whoever waits for its locks or its processor waits no longer.
const PORTION: Duration = Duration::from_millis(40);

/// The requests in flight, and the portions that leave them room. One for each process.
#[derive(Debug)]
pub struct Room {
    requests: AtomicUsize,
    /// When the last request ended.
    last: Mutex<Option<Instant>>,
    turn: Semaphore,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            requests: AtomicUsize::new(0),
            last: Mutex::default(),
            turn: Semaphore::new(1),
        }
    }
}

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub struct InFlight<'a>(&'a Room);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        *self.0.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        self.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Room {
    /// Counts a request as long as it is held.
    #[must_use]
    pub fn request(&self) -> InFlight<'_> {
        self.requests.fetch_add(1, Ordering::AcqRel);
        InFlight(self)
    }

    /// How many requests are in flight.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.requests.load(Ordering::Acquire)
    }

    /// Whether requests are in flight, or were a moment ago.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        let last = || *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.in_flight() > 0 || last().is_some_and(|at| at.elapsed() < LINGER)
    }

    /// Does a portion of background work. While requests are in flight it waits for its turn, and rests afterwards.
    pub async fn portion<T>(&self, portion: impl Future<Output = T>) -> T {
        let turn = match self.is_wanted() {
            true => self.turn().await,
            false => None,
        };
        let began = Instant::now();
        let outcome = portion.await;
        if self.is_wanted() {
            tokio::time::sleep((began.elapsed() * REST).min(REST_MAX)).await;
        }
        drop(turn);
        outcome
    }

    async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        let turn = tokio::time::timeout(TURN_MAX, self.turn.acquire());
        turn.await.ok()?.ok()
    }
}

/// How many records a portion has, so that it takes about as long as a portion should. Not fewer than an eighth of the
/// most: each portion has round trips that cost the same for one record, and on a slow machine they alone take that long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortionSize {
    least: i64,
    most: i64,
    next: i64,
}

impl PortionSize {
    /// Portions of so many records at most.
    #[must_use]
    pub fn at_most(most: i64) -> PortionSize {
        PortionSize {
            least: (most / 8).max(1),
            most,
            next: (most / 4).max(1),
        }
    }

    /// The same, where a job's progress says the records of its next portion.
    #[must_use]
    pub fn going_on(self, next: Option<i64>) -> PortionSize {
        let next = next.unwrap_or(self.next);
        PortionSize {
            next: next.clamp(self.least, self.most.max(self.least)),
            ..self
        }
    }

    /// The records of the next portion.
    #[must_use]
    pub fn next(&self) -> i64 {
        self.next
    }

    /// A portion of so many records has taken so long. The next one is at most twice as large, for one quick portion
    /// says little.
    pub fn took(&mut self, records: usize, elapsed: Duration) {
        let records = i64::try_from(records).unwrap_or(i64::MAX).max(1);
        let each = elapsed.as_secs_f64() / records as f64;
        let fitting = (PORTION.as_secs_f64() / each.max(f64::MIN_POSITIVE)).min(1e9) as i64;
        self.next = fitting
            .min(self.next.saturating_mul(2))
            .clamp(self.least, self.most.max(self.least));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    const WORK: Duration = Duration::from_millis(20);

    /// How long so many portions take that run at the same time.
    async fn portions(room: &Arc<Room>, count: usize) -> Duration {
        let began = tokio::time::Instant::now();
        let tasks: Vec<_> = (0..count)
            .map(|_| {
                let room = Arc::clone(room);
                tokio::spawn(async move {
                    room.portion(async { std::thread::sleep(WORK) }).await;
                })
            })
            .collect();
        for task in tasks {
            task.await.expect("a portion");
        }
        began.elapsed()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn portions_rest_and_take_turns_only_while_requests_are_in_flight() {
        let room = Arc::new(Room::default());
        assert!(!room.is_wanted());
        let request = room.request();
        assert!(room.is_wanted());
        let beside = portions(&room, 3).await;
        // Each one keeps its turn for its rest.
        assert!(beside >= WORK * REST * 3, "{beside:?}");
        drop(request);
        assert!(room.is_wanted(), "the next request of a desk comes soon");
        tokio::time::sleep(LINGER * 2).await;
        assert!(!room.is_wanted());
        let alone = portions(&room, 3).await;
        assert!(alone < WORK * REST * 3, "{alone:?}");
    }

    #[tokio::test]
    async fn a_long_portion_keeps_no_other_from_its_turn_for_ever() {
        let room = Room::default();
        let _request = room.request();
        let long = room.portion(std::future::pending::<()>());
        let other = async {
            tokio::task::yield_now().await;
            room.portion(std::future::ready(1)).await
        };
        let done = tokio::select! {
            biased;
            () = long => 0,
            done = other => done,
        };
        assert_eq!(done, 1);
    }

    #[test]
    fn portions_have_the_size_that_fits_their_time() {
        let mut size = PortionSize::at_most(800);
        assert_eq!(size.next(), 200);
        size.took(200, PORTION * 3 / 2);
        assert_eq!(size.next(), 133);
        size.took(133, PORTION / 100);
        assert_eq!(size.next(), 266, "it doubles at most");
        for _ in 0..10 {
            size.took(
                usize::try_from(size.next()).expect("a positive size"),
                Duration::from_micros(1),
            );
        }
        assert_eq!(size.next(), 800);
        size.took(800, Duration::from_secs(3_600));
        assert_eq!(size.next(), 100, "round trips would take all the time");
        size.took(0, Duration::ZERO);
        assert_eq!(size.next(), 200);
        assert_eq!(PortionSize::at_most(1).next(), 1);
        let of_job = |next| PortionSize::at_most(800).going_on(next).next();
        assert_eq!(
            [None, Some(333), Some(0), Some(9_999)].map(of_job),
            [200, 333, 100, 800]
        );
    }
}
