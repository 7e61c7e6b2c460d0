//! Measurements as sums that can be added: of one worker since the last collection, and of all
//! workers since the beginning.

use std::collections::BTreeMap;

use octavo_figures::Series;

use super::failures::Failures;
use super::server_times::ServerTimes;

/// Times and bytes of one label or transaction.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// From the first byte sent to the last one received.
    pub series: Series,
    /// From when it was due, in the open model. It includes the wait for a free user, as a patron's
    /// experience does.
    pub intended: Series,
    /// Bytes received.
    pub received: u64,
    /// Bytes sent.
    pub sent: u64,
}

/// The results of one stage.
#[derive(Debug, Clone, Default)]
pub struct StageResults {
    /// By label number.
    pub requests: Vec<Tally>,
    /// By transaction number.
    pub transactions: Vec<Tally>,
}

/// Requests that are sent and not counted.
#[derive(Debug, Clone, Copy, Default)]
pub struct WarmUp {
    pub requests: u64,
    pub errors: u64,
}

/// All counters of a run.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// By stage.
    pub stages: Vec<StageResults>,
    /// Requests that began outside of the counted time.
    pub warm_up: WarmUp,
    /// Errors by kind.
    pub failures: Failures,
    /// Durations that the server reports.
    pub server_times: ServerTimes,
    /// How late a free user began an iteration that was due: the generator's own delay.
    pub generator: Series,
    /// Iterations that were due while every user was busy.
    pub overdue: u64,
    /// Iterations that ended, successfully or not.
    pub iterations: u64,
    /// Iterations that the end of the run cut short.
    pub cut_short: u64,
    /// By (branch chosen, empty feeder): how often another branch was taken.
    pub substitutions: BTreeMap<(usize, usize), u64>,
    /// How often a virtual user found no row for any branch and waited for one.
    pub waits: u64,
    /// How often a virtual user logged in again because its token was refused.
    pub tokens_renewed: u64,
}

/// A short interval of the run, warm-up included.
#[derive(Debug, Clone, Default)]
pub struct Moment {
    /// Requests that ended in it.
    pub requests: u64,
    /// Failed ones of them.
    pub errors: u64,
    /// Bytes received.
    pub received: u64,
    /// By transaction: the times that patrons experience.
    pub transactions: Vec<Series>,
    /// By label number: samples, and the sum of their times in microseconds.
    pub labels: Vec<(u64, u64)>,
}

/// The results of a worker since the last collection.
#[derive(Debug, Clone, Default)]
pub struct Fresh {
    /// The counted results.
    pub results: Results,
    /// The same interval as a point of the timeline.
    pub moment: Moment,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.series.add(&other.series);
        self.intended.add(&other.intended);
        self.received += other.received;
        self.sent += other.sent;
    }

    fn clear(&mut self) {
        self.series.clear();
        self.intended.clear();
        (self.received, self.sent) = (0, 0);
    }
}

impl StageResults {
    fn new(labels: usize, transactions: usize) -> Self {
        Self {
            requests: vec![Tally::default(); labels],
            transactions: vec![Tally::default(); transactions],
        }
    }

    /// Adds another worker's samples.
    pub fn add(&mut self, other: &StageResults) {
        let requests = self.requests.iter_mut().zip(&other.requests);
        requests.for_each(|(mine, other)| mine.add(other));
        let transactions = self.transactions.iter_mut().zip(&other.transactions);
        transactions.for_each(|(mine, other)| mine.add(other));
    }

    /// The number of requests, and of failed ones.
    pub fn requests_and_errors(&self) -> (u64, u64) {
        let sum = |of: fn(&Series) -> u64| self.requests.iter().map(|one| of(&one.series)).sum();
        (sum(Series::len), sum(Series::errors))
    }
}

impl Results {
    fn new(stages: usize, labels: usize, transactions: usize) -> Self {
        Self {
            stages: vec![StageResults::new(labels, transactions); stages],
            server_times: ServerTimes::new(labels),
            ..Self::default()
        }
    }

    /// Adds another worker's results.
    pub fn add(&mut self, other: &Results) {
        let stages = self.stages.iter_mut().zip(&other.stages);
        stages.for_each(|(mine, other)| mine.add(other));
        self.warm_up.requests += other.warm_up.requests;
        self.warm_up.errors += other.warm_up.errors;
        self.failures.add(&other.failures);
        self.server_times.add(&other.server_times);
        self.generator.add(&other.generator);
        self.overdue += other.overdue;
        self.iterations += other.iterations;
        self.cut_short += other.cut_short;
        for (key, count) in &other.substitutions {
            *self.substitutions.entry(*key).or_default() += count;
        }
        self.waits += other.waits;
        self.tokens_renewed += other.tokens_renewed;
    }

    /// The sum of all stages.
    pub fn whole(&self) -> StageResults {
        let mut stages = self.stages.iter();
        let mut whole = stages.next().cloned().unwrap_or_default();
        stages.for_each(|stage| whole.add(stage));
        whole
    }

    fn clear(&mut self) {
        for stage in &mut self.stages {
            stage.requests.iter_mut().for_each(Tally::clear);
            stage.transactions.iter_mut().for_each(Tally::clear);
        }
        let stages = std::mem::take(&mut self.stages);
        let mut server_times = std::mem::take(&mut self.server_times);
        server_times.clear();
        *self = Self {
            stages,
            server_times,
            ..Self::default()
        };
    }
}

impl Fresh {
    /// Empty results with room for so many stages, labels and transactions.
    pub fn new(stages: usize, labels: usize, transactions: usize) -> Self {
        Self {
            results: Results::new(stages, labels, transactions),
            moment: Moment::new(labels, transactions),
        }
    }

    /// Resets everything, keeping the memory.
    pub fn clear(&mut self) {
        self.results.clear();
        self.moment.clear();
    }
}

impl Moment {
    pub fn new(labels: usize, transactions: usize) -> Self {
        Self {
            transactions: vec![Series::default(); transactions],
            labels: vec![(0, 0); labels],
            ..Self::default()
        }
    }

    /// Adds another worker's samples of the same interval.
    pub fn add(&mut self, other: &Moment) {
        self.requests += other.requests;
        self.errors += other.errors;
        self.received += other.received;
        let transactions = self.transactions.iter_mut().zip(&other.transactions);
        transactions.for_each(|(mine, other)| mine.add(other));
        for (mine, other) in self.labels.iter_mut().zip(&other.labels) {
            mine.0 += other.0;
            mine.1 += other.1;
        }
    }

    fn clear(&mut self) {
        (self.requests, self.errors, self.received) = (0, 0, 0);
        self.transactions.iter_mut().for_each(Series::clear);
        self.labels.fill((0, 0));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn stages_add_up_to_the_whole_and_clearing_forgets_all() {
        let mut fresh = Fresh::new(2, 3, 1);
        for stage in 0..2 {
            let tally = &mut fresh.results.stages[stage].requests[1];
            tally.series.record(Duration::from_millis(5), stage == 0);
            tally.received = 100;
        }
        fresh.results.iterations = 2;
        let mut total = Fresh::new(2, 3, 1).results;
        total.add(&fresh.results);
        total.add(&fresh.results);
        assert_eq!(total.whole().requests_and_errors(), (4, 2));
        assert_eq!(total.whole().requests[1].received, 400);
        assert_eq!(total.iterations, 4);
        fresh.clear();
        assert_eq!(fresh.results.whole().requests_and_errors(), (0, 0));
        assert_eq!(
            (fresh.results.stages.len(), fresh.results.iterations),
            (2, 0)
        );
    }
}
