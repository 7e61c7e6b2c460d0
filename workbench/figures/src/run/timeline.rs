//! The run over time, in steps that grow longer with the run, so that a day takes no more space
//! than an hour.

use serde::{Deserialize, Serialize};

use crate::Series;

/// An interval shorter than this share of a step belongs to the step before it.
const SCRAP: f64 = 0.25;
/// More steps than this are joined two by two.
const STEPS_MAX: usize = 720;

/// The run over time.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Timeline {
    /// The length of a step in seconds; the last one may be shorter.
    pub step_s: f64,
    /// The steps, ramp-up and warm-up included.
    pub steps: Vec<Step>,
}

/// The events of a step.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Step {
    /// When it began, in seconds from the beginning of the run.
    pub at_s: f64,
    /// Its length in seconds.
    pub seconds: f64,
    /// Requests that ended in it.
    pub requests: u64,
    /// Failed ones of them.
    pub errors: u64,
    /// Bytes of responses.
    pub received_bytes: u64,
    /// Working virtual users at its end.
    pub users: usize,
    /// Iterations a second that were due at its end, in the open model.
    pub rate: Option<f64>,
    /// By transaction, in the workload's order: the times that patrons experience, which in the
    /// open model are those from when requests were due.
    pub transactions: Vec<Series>,
    /// By label: its number in [`crate::run::Run::all`]'s order of requests, samples, and the sum of
    /// their times in ms. Labels without a sample are left out.
    #[serde(default)]
    pub requests_by_label: Vec<(usize, u64, f64)>,
}

impl Step {
    /// All its transactions together.
    pub fn together(&self) -> Series {
        let mut all = Series::default();
        for series in &self.transactions {
            all.add(series);
        }
        all
    }

    /// Appends the step that follows this one.
    pub fn join(&mut self, next: &Step) {
        self.seconds += next.seconds;
        self.users = next.users;
        self.rate = next.rate;
        self.take_counts(next);
    }

    /// Adds another generator's step of the same time.
    pub fn beside(&mut self, other: &Step) {
        self.seconds = self.seconds.max(other.seconds);
        self.users += other.users;
        self.rate = match (self.rate, other.rate) {
            (Some(mine), Some(others)) => Some(mine + others),
            (mine, others) => mine.or(others),
        };
        self.take_counts(other);
    }

    fn take_counts(&mut self, other: &Step) {
        self.requests += other.requests;
        self.errors += other.errors;
        self.received_bytes += other.received_bytes;
        if self.transactions.len() < other.transactions.len() {
            self.transactions
                .resize(other.transactions.len(), Series::default());
        }
        for (mine, other) in self.transactions.iter_mut().zip(&other.transactions) {
            mine.add(other);
        }
        for (label, samples, sum_ms) in &other.requests_by_label {
            let known = self.requests_by_label.iter_mut();
            match known.into_iter().find(|(known, ..)| known == label) {
                Some(mine) => {
                    mine.1 += samples;
                    mine.2 += sum_ms;
                }
                None => self.requests_by_label.push((*label, *samples, *sum_ms)),
            }
        }
    }
}

impl Timeline {
    /// A timeline whose steps first have so many seconds.
    pub fn new(step_s: f64) -> Self {
        Self {
            step_s,
            steps: Vec::new(),
        }
    }

    /// When its last step ends, in seconds from the beginning of the run.
    pub fn end_s(&self) -> f64 {
        let last = self.steps.last();
        last.map_or(0.0, |step| step.at_s + step.seconds)
    }

    /// Adds a short interval, which belongs to the step in which it began.
    pub fn add(&mut self, moment: Step) {
        let within = |last: &&mut Step, step_s: f64| moment.at_s < last.at_s + step_s - 1e-6;
        let step_s = self.step_s;
        match self.steps.last_mut().filter(|last| within(last, step_s)) {
            Some(last) => last.join(&moment),
            None => {
                if self.steps.len() >= STEPS_MAX {
                    self.double();
                    return self.add(moment);
                }
                if let Some(last) = self.steps.last_mut() {
                    last.transactions.iter_mut().for_each(Series::pack);
                }
                // Steps begin at whole multiples of their length, so that those of two runs are
                // aligned.
                let at_s = (moment.at_s / self.step_s + 1e-6).floor() * self.step_s;
                self.steps.push(Step { at_s, ..moment });
            }
        }
    }

    /// Adds the rest at the very end. A short one is no step of its own: its rates would mean
    /// nothing.
    pub fn add_rest(&mut self, moment: Step) {
        let scrap = moment.seconds < SCRAP * self.step_s;
        match self.steps.last_mut().filter(|_| scrap) {
            Some(last) => last.join(&moment),
            None => self.add(moment),
        }
    }

    /// The same with longer steps, a multiple of the present ones.
    #[must_use]
    pub fn in_steps_of(&self, step_s: f64) -> Timeline {
        let mut wider = Timeline::new(step_s);
        for step in &self.steps {
            wider.add(step.clone());
        }
        wider
    }

    /// Adds another generator's timeline of the same time.
    pub fn beside(&mut self, other: &Timeline) {
        if self.steps.is_empty() {
            self.clone_from(other);
            return;
        }
        let step_s = self.step_s.max(other.step_s);
        let mut mine = self.in_steps_of(step_s);
        for step in other.in_steps_of(step_s).steps {
            let at = mine.steps.iter_mut();
            match at
                .into_iter()
                .find(|one| (one.at_s - step.at_s).abs() < 1e-3)
            {
                Some(same) => same.beside(&step),
                None => mine.steps.push(step),
            }
        }
        mine.steps.sort_by(|a, b| a.at_s.total_cmp(&b.at_s));
        *self = mine;
    }

    fn double(&mut self) {
        *self = self.in_steps_of(self.step_s * 2.0);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn moment(at: usize) -> Step {
        let mut series = Series::default();
        series.record(Duration::from_millis(at as u64 % 10 + 1), true);
        Step {
            at_s: at as f64,
            seconds: 1.0,
            requests: 3,
            errors: 1,
            received_bytes: 100,
            users: at,
            rate: Some(2.0),
            transactions: vec![series, Series::default()],
            requests_by_label: vec![(at % 3, 3, 6.0)],
        }
    }

    fn run_of(seconds: usize) -> Timeline {
        let mut timeline = Timeline::new(1.0);
        for at in 0..seconds {
            timeline.add(moment(at));
        }
        timeline
    }

    #[test]
    fn a_long_run_has_longer_steps_and_loses_nothing() {
        let day = run_of(86_400);
        assert!(day.steps.len() <= STEPS_MAX, "{}", day.steps.len());
        assert_eq!(day.step_s, 128.0);
        let sum = |of: fn(&Step) -> u64| day.steps.iter().map(of).sum::<u64>();
        assert_eq!(sum(|step| step.requests), 3 * 86_400);
        assert_eq!(sum(|step| step.together().len()), 86_400);
        let labels = |step: &Step| step.requests_by_label.iter().map(|one| one.1).sum::<u64>();
        assert_eq!(sum(labels), 3 * 86_400);
        let seconds: f64 = day.steps.iter().map(|step| step.seconds).sum();
        assert_eq!(seconds, 86_400.0);
        assert!(day.steps.iter().all(|step| step.at_s % day.step_s == 0.0));
    }

    #[test]
    fn what_is_left_at_the_end_is_no_step() {
        let mut timeline = run_of(5);
        let scrap = |seconds: f64| Step {
            seconds,
            ..moment(5)
        };
        timeline.add_rest(scrap(0.02));
        assert_eq!(timeline.steps.len(), 5);
        assert_eq!(
            (timeline.steps[4].requests, timeline.steps[4].seconds),
            (6, 1.02)
        );
        timeline.add_rest(scrap(0.5));
        assert_eq!(timeline.steps.len(), 6);
    }

    #[test]
    fn two_generators_are_laid_beside_each_other() {
        let mut short = run_of(100);
        short.beside(&run_of(1_000));
        assert_eq!(short.step_s, 2.0);
        assert_eq!(short.steps.len(), 500);
        let first = &short.steps[0];
        assert_eq!(
            (first.requests, first.users, first.rate),
            (12, 2, Some(4.0))
        );
        assert_eq!(short.steps[499].requests, 6);
    }
}
