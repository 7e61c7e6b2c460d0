//! Collects the probes' samples. Series stay limited however long a run is: when one is full,
//! neighbours are averaged, and from then on twice as many values make one point.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use octavo_figures::run::{MissingIndex, Probed, ProbedSeries};

/// The most points of a series.
const POINTS_MAX: usize = 3_600;
/// The most notes; a system with more kinds of failure is broken beyond what a report can show.
const NOTES_MAX: usize = 100;
/// The most tables whose growth is recorded.
const GROWTH_MAX: usize = 100;

/// The samples so far; shared by all probes.
#[derive(Debug)]
pub(crate) struct Recorder {
    /// The origin of times until the run's beginning is known.
    origin: Instant,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    tracks: Vec<Track>,
    places: BTreeMap<(String, String), usize>,
    notes: Vec<(String, String)>,
    rest: Probed,
}

/// The last value of a series, for a live view.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub source: String,
    pub measure: String,
    pub unit: String,
    pub value: f64,
}

#[derive(Debug)]
struct Track {
    source: String,
    measure: String,
    unit: String,
    points: Vec<(f64, f64)>,
    /// How many values make one point.
    width: u32,
    pending: Pending,
    last: f64,
}

/// Values that do not make a point yet.
#[derive(Debug, Default)]
struct Pending {
    count: u32,
    times: f64,
    values: f64,
}

impl Recorder {
    pub(crate) fn new(origin: Instant) -> Self {
        Self {
            origin,
            inner: Mutex::default(),
        }
    }

    /// Adds a value sampled at that moment. NaN and infinities are dropped.
    pub(crate) fn value(&self, at: Instant, source: &str, measure: &str, unit: &str, value: f64) {
        if !value.is_finite() {
            return;
        }
        let seconds = seconds_between(self.origin, at);
        let mut inner = self.lock();
        let key = (source.to_owned(), measure.to_owned());
        let next = inner.tracks.len();
        let place = *inner.places.entry(key).or_insert(next);
        if place == next {
            inner.tracks.push(Track {
                source: source.to_owned(),
                measure: measure.to_owned(),
                unit: unit.to_owned(),
                points: Vec::new(),
                width: 1,
                pending: Pending::default(),
                last: value,
            });
        }
        inner.tracks[place].add(seconds, value);
    }

    /// Adds a remark for the reader; the first of each kind is kept.
    pub(crate) fn note(&self, kind: &str, text: impl Into<String>) {
        let mut inner = self.lock();
        let known = inner.notes.iter().any(|(other, _)| other == kind);
        if !known && inner.notes.len() < NOTES_MAX {
            inner.notes.push((kind.to_owned(), text.into()));
        }
    }

    /// Adds a line of the report's infrastructure; a later one with the same name replaces it.
    pub(crate) fn infrastructure(&self, name: &str, value: impl Into<String>) {
        let mut inner = self.lock();
        let lines = &mut inner.rest.infrastructure;
        match lines.iter_mut().find(|(known, _)| known == name) {
            Some((_, old)) => *old = value.into(),
            None => lines.push((name.to_owned(), value.into())),
        }
    }

    /// Adds searches without an index.
    pub(crate) fn missing_indexes(&self, found: impl IntoIterator<Item = MissingIndex>) {
        self.lock().rest.missing_indexes.extend(found);
    }

    /// Adds statements, their total time, and tables.
    pub(crate) fn add(&self, seen: impl FnOnce(&mut Probed)) {
        seen(&mut self.lock().rest);
    }

    /// The last value of each series.
    pub(crate) fn latest(&self) -> Vec<Reading> {
        let inner = self.lock();
        let reading = |track: &Track| Reading {
            source: track.source.clone(),
            measure: track.measure.clone(),
            unit: track.unit.clone(),
            value: track.last,
        };
        inner.tracks.iter().map(reading).collect()
    }

    /// Returns everything, with times counted from the beginning of the run; earlier values are
    /// dropped.
    pub(crate) fn take(&self, run_began: Instant) -> Probed {
        let shift = seconds_between(self.origin, run_began);
        let inner = std::mem::take(&mut *self.lock());
        let mut probed = inner.rest;
        probed.notes = inner.notes.into_iter().map(|(_, text)| text).collect();
        let series = inner.tracks.into_iter().map(|track| track.finish(shift));
        probed.series = series.filter(|one| !one.points.is_empty()).collect();
        let by_time = |a: f64, b: f64| b.total_cmp(&a);
        probed
            .statements
            .sort_by(|a, b| by_time(a.total_ms, b.total_ms));
        probed
            .missing_indexes
            .sort_by_key(|one| std::cmp::Reverse(one.count));
        let grown = |bytes: (i64, i64)| bytes.0.saturating_sub(bytes.1);
        probed.growth.sort_by_key(|table| {
            let bytes = grown((table.bytes_after, table.bytes_before));
            std::cmp::Reverse((bytes, grown((table.rows_after, table.rows_before))))
        });
        probed.growth.truncate(GROWTH_MAX);
        probed
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // A probe that panicked left consistent values behind.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Negative when `to` comes first.
fn seconds_between(from: Instant, to: Instant) -> f64 {
    match to.checked_duration_since(from) {
        Some(after) => after.as_secs_f64(),
        None => -from.duration_since(to).as_secs_f64(),
    }
}

impl Track {
    fn add(&mut self, seconds: f64, value: f64) {
        self.last = value;
        self.pending.count += 1;
        self.pending.times += seconds;
        self.pending.values += value;
        if self.pending.count < self.width {
            return;
        }
        self.points.push(self.pending.mean());
        self.pending = Pending::default();
        if self.points.len() >= POINTS_MAX {
            let halved = self.points.chunks(2).map(mean).collect();
            self.points = halved;
            self.width *= 2;
        }
    }

    fn finish(mut self, shift: f64) -> ProbedSeries {
        if self.pending.count > 0 {
            self.points.push(self.pending.mean());
        }
        let times = self.points.into_iter();
        let points = times.map(|(seconds, value)| (seconds - shift, value));
        ProbedSeries {
            source: self.source,
            measure: self.measure,
            unit: self.unit,
            points: points.filter(|(seconds, _)| *seconds >= 0.0).collect(),
        }
    }
}

impl Pending {
    fn mean(&self) -> (f64, f64) {
        let count = f64::from(self.count.max(1));
        (self.times / count, self.values / count)
    }
}

fn mean(points: &[(f64, f64)]) -> (f64, f64) {
    let count = points.len().max(1) as f64;
    let sum = |which: fn(&(f64, f64)) -> f64| points.iter().map(which).sum::<f64>() / count;
    (sum(|point| point.0), sum(|point| point.1))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_long_run_has_no_more_points_and_the_same_mean() {
        let origin = Instant::now();
        let recorder = Recorder::new(origin);
        let values = 20_000_u32;
        for second in 0..values {
            let at = origin + Duration::from_secs(second.into());
            recorder.value(at, "server", "cpu", "%", f64::from(second));
        }
        let series = recorder.take(origin).series.remove(0);
        assert!((1_800..=POINTS_MAX).contains(&series.points.len()));
        let (_, mean, _) = series.range().unwrap();
        assert!((mean - 9_999.5).abs() < 10.0, "{mean}");
        // Times and values widen alike, and stay in order.
        for (seconds, value) in &series.points {
            assert!((seconds - value).abs() < 1e-6);
        }
        assert!(series.points.is_sorted_by(|a, b| a.0 < b.0));
    }

    #[test]
    fn times_count_from_the_begin_of_the_run() {
        let origin = Instant::now();
        let recorder = Recorder::new(origin);
        for second in 0..4 {
            let at = origin + Duration::from_secs(second);
            recorder.value(at, "server", "cpu", "%", 1.0);
        }
        recorder.value(origin, "server", "memory", "MB", 1.0);
        recorder.value(origin, "server", "none", "MB", f64::NAN);
        assert_eq!(recorder.latest().len(), 2);
        let probed = recorder.take(origin + Duration::from_secs(2));
        assert_eq!(
            probed.series.len(),
            1,
            "memory was seen before the run only"
        );
        assert_eq!(probed.series[0].points, [(0.0, 1.0), (1.0, 1.0)]);
    }

    #[test]
    fn a_note_of_a_kind_is_kept_once() {
        let recorder = Recorder::new(Instant::now());
        recorder.note("a", "first");
        recorder.note("a", "second");
        for number in 0..NOTES_MAX * 2 {
            recorder.note(&number.to_string(), "x");
        }
        let notes = recorder.take(Instant::now()).notes;
        assert_eq!((notes.len(), notes[0].as_str()), (NOTES_MAX, "first"));
    }
}
