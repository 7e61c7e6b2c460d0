//! How many transactions run at once. More than the processors can work on only displace each other from their
//! caches: on two cores an act at the desk took PostgreSQL a seventh more processor time among sixteen transactions than
//! among nine. Whoever comes later waits for a turn, in the order of arrival, but not for long: a turn is a courtesy and no
//! lock, so a transaction that waits for a row, or that opens another one, cannot keep anybody out.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest wait for a turn. It is longer than a queue of short transactions needs, and short beside what a client
/// waits anyway where long ones have all turns.
const WAIT: Duration = Duration::from_millis(20);

/// The turns of a process.
#[derive(Debug)]
pub(crate) struct Turns {
    places: Arc<Semaphore>,
}

/// A turn, until it is dropped.
pub(crate) type Turn = OwnedSemaphorePermit;

impl Turns {
    pub(crate) fn new(places: usize) -> Turns {
        Turns {
            places: Arc::new(Semaphore::new(places.max(1))),
        }
    }

    /// Waits for a turn; none where that takes too long.
    pub(crate) async fn next(&self) -> Option<Turn> {
        if let Ok(turn) = Arc::clone(&self.places).try_acquire_owned() {
            return Some(turn);
        }
        let waiting = Arc::clone(&self.places).acquire_owned();
        tokio::time::timeout(WAIT, waiting).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[tokio::test]
    async fn who_comes_later_waits_until_a_turn_ends() {
        let turns = Turns::new(1);
        let first = turns.next().await.expect("a free turn");
        let second = turns.next();
        tokio::pin!(second);
        assert!(futures_util::poll!(second.as_mut()).is_pending());
        drop(first);
        assert!(second.await.is_some());
    }

    #[tokio::test]
    async fn nobody_is_kept_out_by_long_transactions() {
        let turns = Turns::new(1);
        let _long = turns.next().await.expect("a free turn");
        let began = Instant::now();
        assert!(turns.next().await.is_none());
        assert!(began.elapsed() >= WAIT);
    }
}
