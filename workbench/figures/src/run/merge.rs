//! Merges several runs into one: those of concurrent generators, or the parts of an interrupted
//! run. Histograms and sums are added, timelines laid beside or after each other.

use super::{FailureSummary, Figures, Generator, LabelSummary, OpenModel, Run, TransactionSummary};

/// Why runs cannot be merged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// There are no runs.
    #[error("there is no run to merge")]
    Nothing,
    /// They have different workloads.
    #[error("these are runs of different workloads: {0} and {1}")]
    Workloads(String, String),
    /// One has the open model, the other does not.
    #[error("one run is open and another is a closed loop; their times mean different things")]
    Models,
    /// A record lacks histograms.
    #[error("the run {0} has no histograms; only runs of this program's release or later merge")]
    NoHistograms(String),
}

impl Run {
    /// Merges runs that took place at the same time.
    ///
    /// # Errors
    /// When they cannot be merged.
    pub fn merged(runs: Vec<Run>) -> Result<Run, MergeError> {
        let mut runs = runs.into_iter();
        let mut whole = runs.next().ok_or(MergeError::Nothing)?;
        for run in runs {
            whole.check(&run)?;
            let seconds = whole.measured_s.max(run.measured_s);
            whole.facts.virtual_users += run.facts.virtual_users;
            whole.facts.threads += run.facts.threads;
            whole.facts.generators += run.facts.generators;
            whole.timeline.beside(&run.timeline);
            whole.take(run, seconds, f64::max);
        }
        Ok(whole)
    }

    /// Merges two parts, the second of which continued where the first was interrupted.
    ///
    /// # Errors
    /// When they cannot be merged.
    pub fn followed_by(mut self, mut later: Run) -> Result<Run, MergeError> {
        self.check(&later)?;
        let step_s = self.timeline.step_s.max(later.timeline.step_s);
        self.timeline = self.timeline.in_steps_of(step_s);
        for step in std::mem::take(&mut later.timeline.steps) {
            self.timeline.add(step);
        }
        self.probed.follow(std::mem::take(&mut later.probed));
        let seconds = self.measured_s + later.measured_s;
        self.ended_early = None;
        self.generator.bottleneck = None;
        self.take(later, seconds, |mine, others| mine + others);
        Ok(self)
    }

    fn check(&self, other: &Run) -> Result<(), MergeError> {
        if self.facts.workload != other.facts.workload {
            let names = (self.facts.workload.clone(), other.facts.workload.clone());
            return Err(MergeError::Workloads(names.0, names.1));
        }
        if self.is_open() != other.is_open() {
            return Err(MergeError::Models);
        }
        for run in [self, other] {
            let bare =
                |figures: &Figures| figures.statistics.samples > 0 && figures.series.is_empty();
            if run.all().any(|(.., figures)| bare(figures)) {
                return Err(MergeError::NoHistograms(run.facts.called()));
            }
        }
        Ok(())
    }

    /// Adds everything but the timeline; `both` computes how long two stages lasted together.
    fn take(&mut self, other: Run, seconds: f64, both: fn(f64, f64) -> f64) {
        self.measured_s = seconds;
        let totals = &mut self.totals;
        totals.requests += other.totals.requests;
        totals.errors += other.totals.errors;
        totals.iterations += other.totals.iterations;
        totals.iterations_cut_short += other.totals.iterations_cut_short;
        totals.warm_up_requests += other.totals.warm_up_requests;
        totals.warm_up_errors += other.totals.warm_up_errors;
        totals.received_bytes += other.totals.received_bytes;
        totals.sent_bytes += other.totals.sent_bytes;
        totals.requests_per_s = totals.requests as f64 / seconds.max(1e-9);
        totals.iterations_per_s = totals.iterations as f64 / seconds.max(1e-9);
        add_transactions(&mut self.transactions, other.transactions, seconds);
        add_labels(&mut self.other_requests, other.other_requests, seconds);
        for stage in other.stages {
            match self.stages.iter_mut().find(|mine| mine.name == stage.name) {
                None => self.stages.push(stage),
                Some(mine) => {
                    mine.requests += stage.requests;
                    mine.errors += stage.errors;
                    let seconds = both(mine.measured_s, stage.measured_s);
                    mine.measured_s = seconds;
                    add_transactions(&mut mine.transactions, stage.transactions, seconds);
                    add_labels(&mut mine.other_requests, stage.other_requests, seconds);
                }
            }
        }
        add_failures(&mut self.failures, other.failures);
        for one in other.substitutions {
            let same = |mine: &&mut super::Substitution| {
                mine.branch == one.branch && mine.feeder == one.feeder
            };
            match self.substitutions.iter_mut().find(same) {
                Some(mine) => mine.count += one.count,
                None => self.substitutions.push(one),
            }
        }
        self.waits += other.waits;
        self.tokens_renewed += other.tokens_renewed;
        self.generator.take(other.generator);
        self.add_server_timing(other.server_timing);
        self.until = self.until.take().or(other.until);
        self.ended_early = self.ended_early.take().or(other.ended_early);
        self.notes.extend(other.notes);
        // All probes sample the same server, so those of one generator are enough.
        if self.probed.series.is_empty() {
            self.probed = other.probed;
        }
    }

    fn add_server_timing(&mut self, others: Vec<super::ServerTiming>) {
        for other in others {
            let known = self.server_timing.iter_mut();
            let Some(mine) = known.into_iter().find(|mine| mine.stage == other.stage) else {
                self.server_timing.push(other);
                continue;
            };
            mine.series.add(&other.series);
            for (label, count, mean) in other.by_label {
                match mine.by_label.iter_mut().find(|(known, ..)| *known == label) {
                    Some((_, mine_count, mine_mean)) => {
                        let sum = *mine_mean * *mine_count as f64 + mean * count as f64;
                        *mine_count += count;
                        *mine_mean = sum / (*mine_count).max(1) as f64;
                    }
                    None => mine.by_label.push((label, count, mean)),
                }
            }
        }
    }
}

impl Generator {
    fn take(&mut self, other: Generator) {
        self.processor_s = match (self.processor_s, other.processor_s) {
            (Some(mine), Some(others)) => Some(mine + others),
            (mine, others) => mine.or(others),
        };
        // The busiest of several generators counts.
        self.processor_share = match (self.processor_share, other.processor_share) {
            (Some(mine), Some(others)) => Some(mine.max(others)),
            (mine, others) => mine.or(others),
        };
        self.bottleneck = self.bottleneck.take().or(other.bottleneck);
        self.open = match (self.open.take(), other.open) {
            (Some(mine), Some(others)) => Some(OpenModel {
                due: mine.due + others.due,
                not_begun: mine.not_begun + others.not_begun,
                overdue: mine.overdue + others.overdue,
                lateness: match mine.lateness.p99_ms >= others.lateness.p99_ms {
                    true => mine.lateness,
                    false => others.lateness,
                },
            }),
            (mine, others) => mine.or(others),
        };
    }
}

fn add_transactions(
    mine: &mut Vec<TransactionSummary>,
    others: Vec<TransactionSummary>,
    seconds: f64,
) {
    for other in others {
        match mine.iter_mut().find(|mine| mine.name == other.name) {
            None => mine.push(other),
            Some(mine) => {
                match (&mut mine.figures, other.figures) {
                    (Some(figures), Some(others)) => figures.take(&others, seconds),
                    (none @ None, others) => *none = others,
                    (Some(_), None) => {}
                }
                add_labels(&mut mine.requests, other.requests, seconds);
            }
        }
    }
}

fn add_labels(mine: &mut Vec<LabelSummary>, others: Vec<LabelSummary>, seconds: f64) {
    for other in others {
        match mine.iter_mut().find(|mine| mine.label == other.label) {
            Some(mine) => mine.figures.take(&other.figures, seconds),
            None => mine.push(other),
        }
    }
}

fn add_failures(mine: &mut Vec<FailureSummary>, others: Vec<FailureSummary>) {
    for other in others {
        let same =
            |mine: &&mut FailureSummary| mine.label == other.label && mine.kind == other.kind;
        match mine.iter_mut().find(same) {
            Some(mine) => mine.count += other.count,
            None => mine.push(other),
        }
    }
}

impl Figures {
    fn take(&mut self, other: &Figures, seconds: f64) {
        let mut series = std::mem::take(&mut self.series);
        series.add(&other.series);
        let intended = match (self.intended_series.take(), &other.intended_series) {
            (Some(mut mine), Some(others)) => {
                mine.add(others);
                Some(mine)
            }
            (mine, others) => mine.or_else(|| others.clone()),
        };
        *self = Figures::new(
            series,
            intended,
            self.received_bytes + other.received_bytes,
            self.sent_bytes + other.sent_bytes,
            seconds,
        );
    }
}
