//! A value that is read again and again, several times at once: of two readings the one that began later counts,
//! whichever ends first. It must not know what is read.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// The value of the reading that began last.
#[derive(Debug, Default)]
pub(super) struct Newest<T> {
    begun: AtomicU64,
    kept: RwLock<(u64, Arc<T>)>,
}

/// A reading that has begun.
#[derive(Debug)]
pub(super) struct Reading(u64);

impl<T> Newest<T> {
    /// Call it before anything is read: what is stored between this and the reading is only newer.
    pub fn begin(&self) -> Reading {
        Reading(self.begun.fetch_add(1, Ordering::Relaxed) + 1)
    }

    /// Keeps what a reading gave, unless one that began later has ended already.
    pub fn set(&self, reading: Reading, value: T) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if reading.0 > kept.0 {
            *kept = (reading.0, Arc::new(value));
        }
    }

    /// The value.
    pub fn get(&self) -> Arc<T> {
        Arc::clone(&self.kept.read().unwrap_or_else(PoisonError::into_inner).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_that_began_earlier_and_ends_later_is_dropped() {
        let newest = Newest::<&str>::default();
        let (first, second) = (newest.begin(), newest.begin());
        newest.set(second, "newer");
        newest.set(first, "older");
        assert_eq!(*newest.get(), "newer");
        let (third, fourth) = (newest.begin(), newest.begin());
        newest.set(third, "third");
        assert_eq!(*newest.get(), "third");
        newest.set(fourth, "fourth");
        assert_eq!(*newest.get(), "fourth");
    }
}
