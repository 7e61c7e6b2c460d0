//! One worker thread's results. Recording a sample touches this thread's memory only.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use octavo_figures::Series;

use super::catalogue::Catalogue;
use super::failures::Failures;
use super::jtl::{JtlRow, JtlRows};
use super::live::Live;

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
    /// How much later than it was due it was sent; nothing in a closed loop.
    pub late: Duration,
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
    /// How much later than it was due it began; nothing in a closed loop.
    pub late: Duration,
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
            late: Duration::ZERO,
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

/// Requests that are sent and not counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct WarmUp {
    /// All of them.
    pub requests: u64,
    /// Failed ones of them.
    pub errors: u64,
}

/// Times from when something was due until it was answered. What waited for a free user is in them,
/// as it is in what a patron feels.
#[derive(Debug, Clone)]
pub struct Intended {
    /// By label number.
    pub requests: Vec<Series>,
    /// By transaction number.
    pub transactions: Vec<Series>,
    /// How late a user that was free began what was due: the generator's own share.
    pub generator: Series,
    /// Iterations that were due while every user was busy.
    pub overdue: u64,
}

impl Intended {
    fn new(requests: usize, transactions: usize) -> Self {
        Self {
            requests: vec![Series::default(); requests],
            transactions: vec![Series::default(); transactions],
            generator: Series::default(),
            overdue: 0,
        }
    }

    fn add(&mut self, other: &Intended) {
        add_all(&mut self.requests, &other.requests);
        add_all(&mut self.transactions, &other.transactions);
        self.generator.add(&other.generator);
        self.overdue += other.overdue;
    }
}

fn add_all(mine: &mut [Series], others: &[Series]) {
    for (mine, other) in mine.iter_mut().zip(others) {
        mine.add(other);
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
    /// The same from when they were due, in the open model.
    pub intended: Option<Intended>,
    /// What began before is not counted: the warm-up.
    pub counted_from: Instant,
    /// Requests that began before.
    pub warm_up: WarmUp,
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
    /// An empty recorder, which counts what begins from an instant on.
    pub fn new(
        catalogue: Arc<Catalogue>,
        live: Arc<Live>,
        transactions: usize,
        jtl: Option<JtlRows>,
        counted_from: Instant,
    ) -> Self {
        Self {
            intended: None,
            counted_from,
            warm_up: WarmUp::default(),
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

    /// Records times from when things were due, too.
    pub fn open(&mut self) {
        self.intended = Some(Intended::new(self.requests.len(), self.transactions.len()));
    }

    /// Records a request. `active` is the number of virtual users at work.
    pub fn request(&mut self, sample: Sample<'_>, active: usize) {
        let success = sample.failure.is_none();
        self.live.request(success);
        if sample.started < self.counted_from {
            self.warm_up.requests += 1;
            self.warm_up.errors += u64::from(!success);
        } else {
            self.count(&sample, success);
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

    fn count(&mut self, sample: &Sample<'_>, success: bool) {
        self.requests[sample.label].record(sample.elapsed, success);
        if let Some(intended) = &mut self.intended {
            intended.requests[sample.label].record(sample.late + sample.elapsed, success);
        }
        self.received += sample.received as u64;
        self.sent += sample.request.len() as u64;
        if let Some(kind) = sample.failure {
            self.failures
                .record(sample.label, kind, sample.status, sample.body);
        }
    }

    /// Records a transaction of a given name.
    pub fn transaction(&mut self, sample: TransactionSample, name: &str, active: usize) {
        let success = sample.failing == 0;
        let intended = sample.late + sample.elapsed;
        if sample.started >= self.counted_from {
            self.transactions[sample.number].record(sample.elapsed, success);
            if let Some(series) = &mut self.intended {
                series.transactions[sample.number].record(intended, success);
            }
        }
        self.live.transaction(sample.number, intended, success);
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
        add_all(&mut self.requests, &other.requests);
        add_all(&mut self.transactions, &other.transactions);
        if let (Some(mine), Some(other)) = (&mut self.intended, &other.intended) {
            mine.add(other);
        }
        self.warm_up.requests += other.warm_up.requests;
        self.warm_up.errors += other.warm_up.errors;
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
