//! The few counters that are read while a run goes on. Each worker has its own, so that counting
//! never waits for another thread.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use octavo_figures::Series;

/// One worker's counters.
#[derive(Debug)]
pub struct Live {
    requests: AtomicU64,
    errors: AtomicU64,
    /// By transaction: what came since the last reading.
    fresh: Mutex<Vec<Series>>,
}

/// The sums over all workers so far.
#[derive(Debug, Clone)]
pub struct LiveTotals {
    /// Requests answered or failed.
    pub requests: u64,
    /// Failed ones of them.
    pub errors: u64,
    /// By transaction.
    pub transactions: Vec<Series>,
}

impl Live {
    /// Counters at zero.
    pub fn new(transactions: usize) -> Self {
        Self {
            requests: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            fresh: Mutex::new(vec![Series::default(); transactions]),
        }
    }

    /// Counts a request.
    pub fn request(&self, success: bool) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        if !success {
            self.errors.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a transaction.
    pub fn transaction(&self, number: usize, elapsed: Duration, success: bool) {
        let mut fresh = self.fresh.lock().unwrap_or_else(PoisonError::into_inner);
        fresh[number].record(elapsed, success);
    }
}

impl LiveTotals {
    /// Sums at zero.
    pub fn new(transactions: usize) -> Self {
        Self {
            requests: 0,
            errors: 0,
            transactions: vec![Series::default(); transactions],
        }
    }

    /// Reads all workers' counters; gives the transactions since the last reading.
    pub fn read<'l>(&mut self, workers: impl Iterator<Item = &'l Live>) -> Series {
        (self.requests, self.errors) = (0, 0);
        let mut since = Series::default();
        for live in workers {
            self.requests += live.requests.load(Ordering::Relaxed);
            self.errors += live.errors.load(Ordering::Relaxed);
            let mut fresh = live.fresh.lock().unwrap_or_else(PoisonError::into_inner);
            for (total, fresh) in self.transactions.iter_mut().zip(fresh.iter_mut()) {
                since.add(fresh);
                total.add(fresh);
                fresh.clear();
            }
        }
        since
    }
}
