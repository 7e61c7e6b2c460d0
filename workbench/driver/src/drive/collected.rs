//! The results of all workers together, and the run over time.

use std::sync::{Arc, PoisonError};

use octavo_figures::Series;
use octavo_figures::run::{Step, Timeline};

use crate::measure::{Catalogue, Fresh, Moment, Results, SampleSink};

/// The results of all workers so far.
pub(super) struct Collected {
    places: Vec<SampleSink>,
    /// Swapped with a worker's results, so that a worker never waits for more than that.
    spare: Fresh,
    pub(super) results: Results,
    pub(super) timeline: Timeline,
    /// By transaction: all so far, warm-up included.
    pub(super) transactions: Vec<Series>,
    /// By transaction: those since the last collection.
    pub(super) latest: Vec<Series>,
    /// Requests so far, and failed ones, warm-up included.
    pub(super) requests: (u64, u64),
    catalogue: Arc<Catalogue>,
}

/// The first length of a step, in seconds.
const STEP_S: f64 = 1.0;

impl Collected {
    pub(super) fn new(
        places: Vec<SampleSink>,
        stages: usize,
        catalogue: Arc<Catalogue>,
        transactions: usize,
    ) -> Self {
        let labels = catalogue.len();
        Self {
            places,
            spare: Fresh::new(stages, labels, transactions),
            results: Fresh::new(stages, labels, transactions).results,
            timeline: Timeline::new(STEP_S),
            transactions: vec![Series::default(); transactions],
            latest: Vec::new(),
            requests: (0, 0),
            catalogue,
        }
    }

    /// Collects the workers' results since the last time; `step` says when that was, and `is_rest`
    /// that nothing follows. Returns all transactions among them.
    pub(super) fn collect(&mut self, step: Step, is_rest: bool) -> Series {
        let mut moment = Moment::new(self.catalogue.len(), self.transactions.len());
        for place in &self.places {
            {
                let mut theirs = place.lock().unwrap_or_else(PoisonError::into_inner);
                std::mem::swap(&mut *theirs, &mut self.spare);
            }
            self.results.add(&self.spare.results);
            moment.add(&self.spare.moment);
            self.spare.clear();
        }
        self.requests.0 += moment.requests;
        self.requests.1 += moment.errors;
        let mut together = Series::default();
        for (mine, new) in self.transactions.iter_mut().zip(&moment.transactions) {
            mine.add(new);
            together.add(new);
        }
        self.latest.clone_from(&moment.transactions);
        let labels = moment.labels.iter().enumerate();
        let labels = labels.filter(|(_, (count, _))| *count > 0);
        let step = Step {
            requests: moment.requests,
            errors: moment.errors,
            received_bytes: moment.received,
            transactions: moment.transactions,
            requests_by_label: labels
                .map(|(number, (count, sum_us))| {
                    (
                        self.catalogue.place(number),
                        *count,
                        *sum_us as f64 / 1000.0,
                    )
                })
                .collect(),
            ..step
        };
        match is_rest {
            true => self.timeline.add_rest(step),
            false => self.timeline.add(step),
        }
        together
    }
}
