//! Shared by all readers: passes samples to the sink, keeps sums, counts unreadable rows and
//! reports the first.

use std::collections::HashMap;
use std::path::Path;

use super::{Figures, ForeignRun, Label, LabelKind, ReadError, Samples, Sink, Tool};

/// The most labels; further ones are counted together, since tools that name requests by their
/// addresses make one for each id.
const LABELS_MAX: usize = 10_000;
const OTHERS: &str = "(other labels)";

/// One sample from a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) label: &'a str,
    pub(super) kind: LabelKind,
    pub(super) at_ms: i64,
    pub(super) elapsed_us: u64,
    pub(super) success: bool,
    pub(super) bytes: u64,
}

#[derive(Default)]
struct Sums {
    count: u64,
    errors: u64,
    sum_us: u128,
    min_us: u64,
    max_us: u64,
}

/// Collects samples.
pub(super) struct Collector<'s> {
    tool: Tool,
    sink: &'s mut dyn Sink,
    /// The index of each label, as a request and as a transaction.
    places: HashMap<String, [Option<usize>; 2]>,
    labels: Vec<(String, LabelKind, Sums)>,
    first_ms: Option<i64>,
    last_ms: i64,
    errors: u64,
    unreadable_rows: u64,
    first_unreadable: Option<String>,
    notes: Vec<String>,
}

impl<'s> Collector<'s> {
    pub(super) fn new(tool: Tool, sink: &'s mut dyn Sink) -> Self {
        Self {
            tool,
            sink,
            places: HashMap::new(),
            labels: Vec::new(),
            first_ms: None,
            last_ms: i64::MIN,
            errors: 0,
            unreadable_rows: 0,
            first_unreadable: None,
            notes: Vec::new(),
        }
    }

    pub(super) fn sample(&mut self, sample: Sample<'_>) {
        let is_transaction = sample.kind == LabelKind::Transaction;
        let place = self.place(sample.label, sample.kind);
        let (name, _, sums) = &mut self.labels[place];
        let elapsed_us = sample.elapsed_us;
        sums.min_us = if sums.count == 0 {
            elapsed_us
        } else {
            sums.min_us.min(elapsed_us)
        };
        sums.max_us = sums.max_us.max(elapsed_us);
        sums.count += 1;
        sums.sum_us += u128::from(elapsed_us);
        if !sample.success {
            sums.errors += 1;
            self.errors += u64::from(!is_transaction);
        }
        let ended = sample
            .at_ms
            .saturating_add(i64::try_from(elapsed_us / 1000).unwrap_or(i64::MAX));
        self.first_ms = Some(
            self.first_ms
                .map_or(sample.at_ms, |first| first.min(sample.at_ms)),
        );
        self.last_ms = self.last_ms.max(ended);
        self.sink.sample(
            name,
            is_transaction,
            sample.at_ms,
            elapsed_us,
            sample.success,
            sample.bytes,
        );
    }

    fn place(&mut self, label: &str, kind: LabelKind) -> usize {
        let column = usize::from(kind == LabelKind::Transaction);
        let known = |places: &HashMap<String, [Option<usize>; 2]>, label: &str| {
            places.get(label).and_then(|places| places[column])
        };
        if let Some(place) = known(&self.places, label) {
            return place;
        }
        let mut label = label;
        if self.labels.len() >= LABELS_MAX {
            label = OTHERS;
            if let Some(place) = known(&self.places, label) {
                return place;
            }
            let message = format!("it has more than {LABELS_MAX} labels; the rest is `{OTHERS}`");
            if !self.notes.contains(&message) {
                self.notes.push(message);
            }
        }
        let place = self.labels.len();
        self.labels.push((label.to_owned(), kind, Sums::default()));
        self.places.entry(label.to_owned()).or_default()[column] = Some(place);
        place
    }

    /// Counts an unreadable row.
    pub(super) fn unreadable(&mut self, line: u64, reason: &str) {
        self.unreadable_rows += 1;
        if self.first_unreadable.is_none() {
            self.first_unreadable = Some(format!("line {line}: {reason}"));
        }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Notes that the file ended within a row.
    pub(super) fn cut(&mut self, line: u64) {
        let note = format!(
            "it ends in the middle of line {line}, as after a killed run; what is whole was read"
        );
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    pub(super) fn finish(mut self, path: &Path) -> Result<ForeignRun, ReadError> {
        let unreadable = self.first_unreadable.map(|first| {
            let count = self.unreadable_rows;
            format!("{count} rows could not be read, the first at {first}")
        });
        if self.labels.is_empty() {
            let reason = unreadable.or(self.notes.pop());
            let reason = reason.unwrap_or_else(|| "no row of a request is in it".to_owned());
            return Err(ReadError::Empty {
                file: path.to_owned(),
                reason,
            });
        }
        self.notes.extend(unreadable);
        let labels = self.labels.into_iter().map(|(name, kind, sums)| {
            let ms = |us: u64| us as f64 / 1000.0;
            let figures = Figures {
                count: Some(sums.count),
                errors: Some(sums.errors),
                average_ms: Some(sums.sum_us as f64 / sums.count.max(1) as f64 / 1000.0),
                min_ms: Some(ms(sums.min_us)),
                max_ms: Some(ms(sums.max_us)),
                percentiles_ms: Vec::new(),
            };
            Label {
                name,
                kind,
                samples: Samples::Streamed(figures),
            }
        });
        let seconds = self.first_ms.map(|first| {
            let length = self.last_ms.saturating_sub(first).max(0);
            length as f64 / 1000.0
        });
        Ok(ForeignRun {
            tool: self.tool,
            started_at_ms: self.first_ms,
            seconds,
            labels: labels.collect(),
            errors: self.errors,
            unreadable_rows: self.unreadable_rows,
            notes: self.notes,
        })
    }
}
