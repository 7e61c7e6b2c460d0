//! Plots of the probes' samples, one for each measure.

use octavo_figures::run::{ProbedSeries, Run};

use super::time::marks;
use super::{Across, Line, Plot, short};

/// The most points of a plot; further ones are averaged.
const POINTS_MAX: f64 = 720.0;
/// The most lines of a plot; a reader cannot distinguish more.
const LINES_MAX: usize = 8;

/// All sources of a measure.
pub(crate) fn of_measure(run: &Run, measure: &str, title: &str) -> Option<Plot> {
    let own = run.probed.series.iter();
    let own: Vec<&ProbedSeries> = own.filter(|one| one.measure == measure).collect();
    sources(run, title, &own)
}

/// Some series of one unit, as lines named by their sources.
pub(crate) fn sources(run: &Run, title: &str, all: &[&ProbedSeries]) -> Option<Plot> {
    let unit = all.first()?.unit.clone();
    let points = || all.iter().flat_map(|one| &one.points);
    let first = points().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
    let last = points()
        .map(|(at, _)| *at)
        .fold(f64::NEG_INFINITY, f64::max);
    if !(first.is_finite() && last.is_finite()) {
        return None;
    }
    let width = ((last - first) / POINTS_MAX)
        .max(run.timeline.step_s)
        .max(0.1);
    let columns = ((last - first) / width) as usize + 1;
    let lines = all.iter().take(LINES_MAX).enumerate().map(|(at, one)| {
        let mut sums = vec![(0.0, 0_u32); columns];
        for (at_s, value) in one.points.iter().filter(|(_, value)| value.is_finite()) {
            let column = ((at_s - first) / width) as usize;
            if let Some((sum, count)) = sums.get_mut(column) {
                *sum += value;
                *count += 1;
            }
        }
        let mean = |(sum, count): &(f64, u32)| (*count > 0).then(|| sum / f64::from(*count));
        Line {
            name: one.source.clone(),
            colour: at + 1,
            values: sums.iter().map(|sums| mean(sums).and_then(short)).collect(),
            ..Line::default()
        }
    });
    Plot {
        title: title.to_owned(),
        x: Across::Time,
        xs: (0..columns)
            .map(|column| ((first + column as f64 * width) * 10.0).round() / 10.0)
            .collect(),
        unit,
        lines: lines.collect(),
        marks: marks(run),
        ..Plot::default()
    }
    .unless_empty()
}
