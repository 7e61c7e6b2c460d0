//! Limits how many transactions run at once. More than the processors can work on only displace each other from their
//! caches: on two cores an act at the desk took PostgreSQL a seventh more processor time among sixteen transactions than
//! among nine. Later transactions wait for a slot, in the order of arrival, but not for long: the limit is soft, so a
//! transaction that waits for a row, or that opens another one, cannot keep anybody out.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The longest wait for a slot. It is longer than a queue of short transactions needs, and short beside what a client
/// waits anyway where long ones have all slots.
const WAIT: Duration = Duration::from_millis(20);

/// The slots of a process.
#[derive(Debug)]
pub(crate) struct Slots {
    free: Arc<Semaphore>,
}

/// A slot, until it is dropped.
pub(crate) type Slot = OwnedSemaphorePermit;

impl Slots {
    pub(crate) fn new(slots: usize) -> Slots {
        Slots {
            free: Arc::new(Semaphore::new(slots.max(1))),
        }
    }

    /// Waits for a slot; none where that takes too long.
    pub(crate) async fn acquire(&self) -> Option<Slot> {
        let waiting = Arc::clone(&self.free).acquire_owned();
        tokio::time::timeout(WAIT, waiting).await.ok()?.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    #[tokio::test]
    async fn who_comes_later_waits_until_a_slot_is_free() {
        let slots = Slots::new(1);
        let first = slots.acquire().await.expect("a free slot");
        let second = slots.acquire();
        tokio::pin!(second);
        assert!(futures_util::poll!(second.as_mut()).is_pending());
        drop(first);
        assert!(second.await.is_some());
    }

    #[tokio::test]
    async fn nobody_is_kept_out_by_long_transactions() {
        let slots = Slots::new(1);
        let _long = slots.acquire().await.expect("a free slot");
        let began = Instant::now();
        assert!(slots.acquire().await.is_none());
        assert!(began.elapsed() >= WAIT);
    }
}
