//! Rate limits for what unauthenticated clients may request: counted in memory, in each process for
//! itself, over ten minutes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use moka::sync::Cache;

/// The window in which requests are counted.
pub const WINDOW: Duration = Duration::from_secs(600);
/// The most counters that are kept.
const KEPT_MAX: u64 = 50_000;

/// Counters by what is requested and by whom.
#[derive(Debug)]
pub struct Pace {
    counts: Cache<(&'static str, String), Arc<AtomicU32>>,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace {
            counts: Cache::builder()
                .max_capacity(KEPT_MAX)
                .time_to_live(WINDOW)
                .build(),
        }
    }
}

impl Pace {
    /// Counts a request, and returns whether there were at most `most` in the ten minutes that
    /// began with the first one.
    pub fn allows(&self, what: &'static str, whose: impl Into<String>, most: u32) -> bool {
        let count = self.counts.get_with((what, whose.into()), Arc::default);
        count.fetch_add(1, Ordering::Relaxed) < most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_counted_apart() {
        let pace = Pace::default();
        let twice = [(); 3].map(|()| pace.allows("mail", "ada", 2));
        assert_eq!(twice, [true, true, false]);
        assert!(pace.allows("mail", "bea", 2) && pace.allows("call", "ada", 2));
    }
}
