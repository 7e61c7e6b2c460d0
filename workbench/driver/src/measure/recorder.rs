//! One worker's recorder. Its results are behind a lock that, apart from the worker, only the
//! coordinator takes, once a second and to swap two pointers.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::catalogue::Catalogue;
use super::jtl::{JtlRow, JtlRows};
use super::results::{Fresh, Results};

/// One request with or without a response.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    pub label: usize,
    /// The virtual user, from 0.
    pub user: usize,
    pub started: Instant,
    /// From the first byte sent to the last one received.
    pub elapsed: Duration,
    /// How much later than due it was sent; zero in a closed loop.
    pub late: Duration,
    /// From the first byte sent to the first one received.
    pub latency: Duration,
    /// The time of connecting, included in both.
    pub connect: Duration,
    /// 0 without a response.
    pub status: u16,
    /// The error, if it failed.
    pub failure: Option<&'a str>,
    /// Bytes received.
    pub received: usize,
    /// The request as sent.
    pub request: &'a [u8],
    /// The head received.
    pub head: &'a [u8],
    /// The body received.
    pub body: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
pub struct TransactionSample {
    pub number: usize,
    pub user: usize,
    /// When its first request began.
    pub started: Instant,
    /// The sum of its requests' times.
    pub elapsed: Duration,
    /// How much later than due it began; zero in a closed loop.
    pub late: Duration,
    /// The sum of its pauses.
    pub idle: Duration,
    /// The sum of its requests' latencies.
    pub latency: Duration,
    /// The sum of its connecting times.
    pub connect: Duration,
    /// The number of its requests.
    pub samples: u32,
    /// The number of its failed requests.
    pub failing: u32,
    /// Bytes received.
    pub received: u64,
    /// Bytes sent.
    pub sent: u64,
}

impl TransactionSample {
    /// A sum without requests.
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

/// When a stage's figures begin and end.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Samples that began before are warm-up.
    pub from: Instant,
    /// Samples that begin from here on belong to the next stage.
    pub to: Instant,
    /// Whether any of it is counted.
    pub counted: bool,
}

/// The results of a worker, shared with the coordinator.
pub type SampleSink = Arc<Mutex<Fresh>>;

/// Records one worker's samples.
pub struct Recorder {
    catalogue: Arc<Catalogue>,
    sink: SampleSink,
    jtl: Option<JtlRows>,
    bounds: Arc<[Bounds]>,
    open: bool,
}

impl Recorder {
    /// Records into a sink, by stage. In the open model it also records times from when iterations
    /// were due.
    pub fn new(
        catalogue: Arc<Catalogue>,
        sink: SampleSink,
        jtl: Option<JtlRows>,
        bounds: Arc<[Bounds]>,
        open: bool,
    ) -> Self {
        Self {
            catalogue,
            sink,
            jtl,
            bounds,
            open,
        }
    }

    /// Records a request. `active` is the number of working virtual users.
    pub fn request(&mut self, sample: Sample<'_>, active: usize) {
        let success = sample.failure.is_none();
        let stage = self.stage_of(sample.started);
        {
            let mut fresh = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            let Fresh { results, moment } = &mut *fresh;
            moment.requests += 1;
            moment.errors += u64::from(!success);
            moment.received += sample.received as u64;
            let (count, sum) = &mut moment.labels[sample.label];
            *count += 1;
            *sum += u64::try_from(sample.elapsed.as_micros()).unwrap_or(u64::MAX);
            match stage {
                Some(stage) => count_request(results, stage, &sample, self.open),
                None => {
                    results.warm_up.requests += 1;
                    results.warm_up.errors += u64::from(!success);
                }
            }
        }
        if let Some(jtl) = &mut self.jtl {
            let label = self.catalogue.label(sample.label);
            let row = JtlRow::Request {
                sample: &sample,
                label,
            };
            jtl.write(row, active);
        }
    }

    /// Records a transaction with this name.
    pub fn transaction(&mut self, sample: TransactionSample, name: &str, active: usize) {
        let success = sample.failing == 0;
        let intended = sample.late + sample.elapsed;
        let stage = self.stage_of(sample.started);
        {
            let mut fresh = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
            fresh.moment.transactions[sample.number].record(intended, success);
            if let Some(stage) = stage {
                let tally = &mut fresh.results.stages[stage].transactions[sample.number];
                tally.series.record(sample.elapsed, success);
                if self.open {
                    tally.intended.record(intended, success);
                }
                tally.received += sample.received;
                tally.sent += sample.sent;
            }
        }
        if let Some(jtl) = &mut self.jtl {
            let row = JtlRow::Transaction {
                sample: &sample,
                name,
            };
            jtl.write(row, active);
        }
    }

    /// Counts an iteration that ended or was cut short, if it began within the counted time.
    pub fn iteration(&self, begun: Instant, cut_short: bool) {
        let counted = self.stage_of(begun).is_some();
        self.count(|results| match cut_short {
            true => results.cut_short += u64::from(counted),
            false => results.iterations += u64::from(counted),
        });
    }

    /// Lets a function count something else.
    pub fn count(&self, counter: impl FnOnce(&mut Results)) {
        let mut fresh = self.sink.lock().unwrap_or_else(PoisonError::into_inner);
        counter(&mut fresh.results);
    }

    /// Writes out buffered JTL rows.
    pub fn finish(&mut self) {
        self.jtl = None;
    }

    /// The stage whose figures include a sample that began then.
    fn stage_of(&self, started: Instant) -> Option<usize> {
        let stage = self.bounds.iter().position(|bounds| started < bounds.to);
        // A sample that begins in the last moment belongs to the last stage.
        let stage = stage.unwrap_or(self.bounds.len().saturating_sub(1));
        let bounds = self.bounds.get(stage)?;
        (bounds.counted && started >= bounds.from).then_some(stage)
    }
}

fn count_request(results: &mut Results, stage: usize, sample: &Sample<'_>, open: bool) {
    let success = sample.failure.is_none();
    let tally = &mut results.stages[stage].requests[sample.label];
    tally.series.record(sample.elapsed, success);
    if open {
        tally.intended.record(sample.late + sample.elapsed, success);
    }
    tally.received += sample.received as u64;
    tally.sent += sample.request.len() as u64;
    results.server_times.record(sample.label, sample.head);
    if let Some(kind) = sample.failure {
        let failures = &mut results.failures;
        failures.record(sample.label, kind, sample.status, sample.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_belongs_to_the_stage_that_it_began_in() {
        let text = crate::workload::BUILT_IN[0].text;
        let workload = crate::workload::parse("x", text).unwrap();
        let catalogue = Arc::new(Catalogue::new(&workload));
        let begun = Instant::now();
        let at = |ms: u64| begun + Duration::from_millis(ms);
        let stage = |from: u64, to: u64, counted: bool| Bounds {
            from: at(from),
            to: at(to),
            counted,
        };
        let bounds = [
            stage(10, 100, true),
            stage(100, 150, false),
            stage(160, 200, true),
        ];
        let sink = SampleSink::new(Mutex::new(Fresh::new(3, catalogue.len(), 2)));
        let recorder = Recorder::new(catalogue, sink, None, bounds.into(), false);
        let stages =
            [5, 10, 99, 100, 149, 155, 160, 199, 200, 900].map(|ms| recorder.stage_of(at(ms)));
        let none = None;
        assert_eq!(
            stages,
            [
                none,
                Some(0),
                Some(0),
                none,
                none,
                none,
                Some(2),
                Some(2),
                Some(2),
                Some(2)
            ]
        );
    }
}
