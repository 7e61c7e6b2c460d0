//! How long the requests of one route and tenant took lately: a histogram for each five minutes of the last hour.
//! Finer than the one for Prometheus, so that percentiles can be read from it.

use std::array;
use std::time::Duration;

/// The length of a slot; a period begins with one.
pub(super) const SLOT: Duration = Duration::from_secs(300);
/// The longest period, in minutes.
pub const MINUTES_MAX: i64 = 60;
/// The slots of an hour, and the present one.
const SLOTS: usize = 13;
/// Buckets of each doubling of the time.
const STEPS: u64 = 4;
/// Times below are in the first bucket, as microseconds.
const LEAST_US: u64 = 128;
/// Doublings from the least time to 67 seconds; longer times are in the last bucket.
const DOUBLINGS: u64 = 19;
const BUCKETS: usize = (DOUBLINGS * STEPS) as usize + 2;

/// The last hour of one route, method and tenant.
#[derive(Debug, Default)]
pub(super) struct Recent([Option<Box<Slot>>; SLOTS]);

#[derive(Debug, Clone)]
struct Slot {
    /// Counted from the start of the process.
    number: u64,
    sums: Sums,
    buckets: [u32; BUCKETS],
}

#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    requests: u64,
    failed: u64,
    total_us: u64,
    max_us: u64,
}

/// What requests took together, and each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Durations {
    pub requests: u64,
    /// Those that the server failed to answer (5xx).
    pub failed: u64,
    pub total_us: u64,
    pub p50_us: u64,
    pub p95_us: u64,
    pub p99_us: u64,
    pub max_us: u64,
}

impl Recent {
    pub(super) fn note(&mut self, slot: u64, elapsed_us: u64, failed: bool) {
        let place = &mut self.0[(slot % SLOTS as u64) as usize];
        let kept = place.take().filter(|kept| kept.number == slot);
        let mut kept = kept.unwrap_or_else(|| {
            Box::new(Slot {
                number: slot,
                sums: Sums::default(),
                buckets: [0; BUCKETS],
            })
        });
        let sums = &mut kept.sums;
        sums.requests += 1;
        sums.failed += u64::from(failed);
        sums.total_us = sums.total_us.saturating_add(elapsed_us);
        sums.max_us = sums.max_us.max(elapsed_us);
        let bucket = &mut kept.buckets[bucket(elapsed_us)];
        *bucket = bucket.saturating_add(1);
        *place = Some(kept);
    }

    /// Whether nothing was noted since a slot; what is older is forgotten.
    pub(super) fn is_idle(&mut self, since: u64) -> bool {
        for place in &mut self.0 {
            if place.as_ref().is_some_and(|slot| slot.number < since) {
                *place = None;
            }
        }
        self.0.iter().all(Option::is_none)
    }

    /// What was noted since a slot.
    pub(super) fn since(&self, slot: u64) -> Option<Durations> {
        let mut sums = Sums::default();
        let mut buckets = [0_u64; BUCKETS];
        for one in self.0.iter().flatten().filter(|one| one.number >= slot) {
            sums.requests += one.sums.requests;
            sums.failed += one.sums.failed;
            sums.total_us = sums.total_us.saturating_add(one.sums.total_us);
            sums.max_us = sums.max_us.max(one.sums.max_us);
            buckets = array::from_fn(|at| buckets[at] + u64::from(one.buckets[at]));
        }
        let percentile = |percent| percentile(&buckets, percent).min(sums.max_us);
        (sums.requests > 0).then(|| Durations {
            requests: sums.requests,
            failed: sums.failed,
            total_us: sums.total_us,
            p50_us: percentile(50),
            p95_us: percentile(95),
            p99_us: percentile(99),
            max_us: sums.max_us,
        })
    }
}

fn bucket(us: u64) -> usize {
    if us < LEAST_US {
        return 0;
    }
    let doubling = u64::from((us / LEAST_US).ilog2());
    if doubling >= DOUBLINGS {
        return BUCKETS - 1;
    }
    let floor = LEAST_US << doubling;
    (doubling * STEPS + (us - floor) * STEPS / floor) as usize + 1
}

/// The least time of a bucket.
fn floor(bucket: usize) -> u64 {
    let Some(step) = bucket.checked_sub(1) else {
        return 0;
    };
    let (doubling, step) = (step as u64 / STEPS, step as u64 % STEPS);
    let floor = LEAST_US << doubling;
    floor + floor * step / STEPS
}

/// The time below which so many of a hundred are, as if those of a bucket were spread evenly.
fn percentile(buckets: &[u64; BUCKETS], percent: u64) -> u64 {
    let all: u64 = buckets.iter().sum();
    let rank = (all * percent).div_ceil(100).max(1);
    let mut below = 0;
    for (at, count) in buckets.iter().enumerate() {
        if below + count >= rank {
            let (least, most) = (floor(at), floor(at + 1));
            return least + (most - least) * (rank - below) / count;
        }
        below += count;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_without_gaps() {
        for at in 0..BUCKETS - 1 {
            assert!(floor(at) < floor(at + 1));
            assert_eq!(bucket(floor(at)), at);
            assert_eq!(bucket(floor(at + 1) - 1), at);
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn percentiles_are_right_within_an_eighth() {
        let mut recent = Recent::default();
        for us in 1..=10_000_u64 {
            recent.note(0, us * 10, false);
        }
        recent.note(0, 90_000_000, true);
        let found = recent.since(0).expect("requests");
        assert_eq!((found.requests, found.failed), (10_001, 1));
        assert_eq!(found.max_us, 90_000_000);
        for (found, expected) in [
            (found.p50_us, 50_000),
            (found.p95_us, 95_000),
            (found.p99_us, 99_000),
        ] {
            let off = found.abs_diff(expected);
            assert!(off <= expected / 8, "{found} for {expected}");
        }
    }

    #[test]
    fn one_request_is_its_own_percentiles() {
        let mut recent = Recent::default();
        recent.note(3, 5_000, false);
        let found = recent.since(3).expect("a request");
        assert_eq!((found.p50_us, found.p99_us), (5_000, 5_000));
    }

    #[test]
    fn what_is_older_than_an_hour_is_forgotten() {
        let mut recent = Recent::default();
        recent.note(0, 1_000, false);
        recent.note(12, 2_000, false);
        assert_eq!(recent.since(0).map(|one| one.requests), Some(2));
        assert_eq!(recent.since(1).map(|one| one.requests), Some(1));
        assert_eq!(recent.since(13), None);
        recent.note(13, 3_000, false);
        assert_eq!(recent.since(0).map(|one| one.requests), Some(2));
        assert!(!recent.is_idle(13));
        assert!(recent.is_idle(14));
    }
}
