//! One worker thread's results. Recording a sample touches this thread's memory only.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::catalogue::Catalogue;
use super::failures::Failures;
use super::jtl::{JtlRow, JtlRows};
use super::live::Live;
use super::series::Series;

/// One answered or failed request.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The label's number.
    pub label: usize,
    /// The virtual user, from 0.
    pub user: usize,
    /// When sending began.
    pub started: Instant,
    /// Sending to last byte.
    pub elapsed: Duration,
    /// Sending to first byte.
    pub latency: Duration,
    /// Connecting, a part of both.
    pub connect: Duration,
    /// 0 without an answer.
    pub status: u16,
    /// What went wrong.
    pub failure: Option<&'a str>,
    /// Bytes received.
    pub received: usize,
    /// The request as sent.
    pub request: &'a [u8],
    /// The body received.
    pub body: &'a [u8],
}

/// One transaction.
#[derive(Debug, Clone, Copy)]
pub struct TransactionSample {
    /// The transaction's number.
    pub number: usize,
    /// The virtual user, from 0.
    pub user: usize,
    /// When the first request began.
    pub started: Instant,
    /// The sum of its requests' times.
    pub elapsed: Duration,
    /// The sum of its pauses.
    pub idle: Duration,
    /// The sum of its requests' latencies.
    pub latency: Duration,
    /// The sum of its connecting times.
    pub connect: Duration,
    /// Its requests.
    pub samples: u32,
    /// Its failed requests.
    pub failing: u32,
    /// Bytes received.
    pub received: u64,
    /// Bytes sent.
    pub sent: u64,
}

impl TransactionSample {
    /// A sum without requests yet.
    pub fn new(number: usize, user: usize) -> Self {
        Self {
            number,
            user,
            started: Instant::now(),
            elapsed: Duration::ZERO,
            idle: Duration::ZERO,
            latency: Duration::ZERO,
            connect: Duration::ZERO,
            samples: 0,
            failing: 0,
            received: 0,
            sent: 0,
        }
    }
}

/// The results of one worker, and of all of them once merged.
pub struct Recorder {
    catalogue: Arc<Catalogue>,
    live: Arc<Live>,
    jtl: Option<JtlRows>,
    /// By label number.
    pub requests: Vec<Series>,
    /// By transaction number.
    pub transactions: Vec<Series>,
    /// Errors by kind.
    pub failures: Failures,
    /// Bytes received.
    pub received: u64,
    /// Bytes sent.
    pub sent: u64,
    /// Iterations that came to their end, well or badly.
    pub iterations: u64,
    /// Iterations that the end of the run cut short.
    pub cut_short: u64,
    /// By (branch wanted, empty feeder): how often another branch was taken.
    pub substitutions: BTreeMap<(usize, usize), u64>,
    /// How often a virtual user found no row for any branch and waited for one.
    pub waits: u64,
}

impl Recorder {
    /// An empty recorder.
    pub fn new(
        catalogue: Arc<Catalogue>,
        live: Arc<Live>,
        transactions: usize,
        jtl: Option<JtlRows>,
    ) -> Self {
        Self {
            requests: vec![Series::default(); catalogue.len()],
            transactions: vec![Series::default(); transactions],
            catalogue,
            live,
            jtl,
            failures: Failures::default(),
            received: 0,
            sent: 0,
            iterations: 0,
            cut_short: 0,
            substitutions: BTreeMap::new(),
            waits: 0,
        }
    }

    /// Records a request. `active` is the number of virtual users at work.
    pub fn request(&mut self, sample: Sample<'_>, active: usize) {
        let success = sample.failure.is_none();
        self.requests[sample.label].record(sample.elapsed, success);
        self.received += sample.received as u64;
        self.sent += sample.request.len() as u64;
        self.live.request(success);
        if let Some(kind) = sample.failure {
            self.failures
                .record(sample.label, kind, sample.status, sample.body);
        }
        if let Some(jtl) = &mut self.jtl {
            let label = self.catalogue.label(sample.label);
            jtl.write(
                JtlRow::Request {
                    sample: &sample,
                    label,
                },
                active,
            );
        }
    }

    /// Records a transaction of a given name.
    pub fn transaction(&mut self, sample: TransactionSample, name: &str, active: usize) {
        let success = sample.failing == 0;
        self.transactions[sample.number].record(sample.elapsed, success);
        self.live
            .transaction(sample.number, sample.elapsed, success);
        if let Some(jtl) = &mut self.jtl {
            jtl.write(
                JtlRow::Transaction {
                    sample: &sample,
                    name,
                },
                active,
            );
        }
    }

    /// Writes out buffered JTL rows.
    pub fn finish(&mut self) {
        self.jtl = None;
    }

    /// Takes over the results of another worker.
    pub fn add(&mut self, other: Recorder) {
        for (mine, other) in self.requests.iter_mut().zip(&other.requests) {
            mine.add(other);
        }
        for (mine, other) in self.transactions.iter_mut().zip(&other.transactions) {
            mine.add(other);
        }
        self.failures.add(other.failures);
        self.received += other.received;
        self.sent += other.sent;
        self.iterations += other.iterations;
        self.cut_short += other.cut_short;
        for (key, count) in other.substitutions {
            *self.substitutions.entry(key).or_default() += count;
        }
        self.waits += other.waits;
    }
}
