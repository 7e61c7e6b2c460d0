//! Plots of the distribution of times: the curve of percentiles, the histogram, the heat map over
//! time.

use std::collections::BTreeMap;

use octavo_figures::Series;
use octavo_figures::run::Run;

use super::time::marks;
use super::{Across, Form, Heat, Line, Plot, short};

/// Points of a curve for each nine.
const POINTS_A_NINE: f64 = 20.0;
/// Columns of a histogram, and rows of a heat map, for each power of ten.
const BUCKETS_A_DECADE: f64 = 12.0;
/// The most columns of a heat map.
const COLUMNS_MAX: usize = 180;
/// Times that differ by more than this factor need a logarithmic axis.
const WIDE: f64 = 20.0;

/// The percentile curves of some series, with the axis of HdrHistogram's plotters.
pub(crate) fn curves(title: &str, series: &[(String, &Series, Form, usize)]) -> Option<Plot> {
    let most = series.iter().map(|(_, one, ..)| one.len()).max()?;
    let nines = (most.max(2) as f64).log10();
    let count = (nines * POINTS_A_NINE).ceil() as usize;
    // The very shortest times are of little interest and would take half of a logarithmic axis.
    let xs: Vec<f64> = (1..=count)
        .map(|at| (at as f64 / POINTS_A_NINE).min(nines))
        .collect();
    let lines: Vec<Line> = series
        .iter()
        .filter(|(_, one, ..)| !one.is_empty())
        .map(|(name, one, form, colour)| {
            let curve = one.curve();
            // A series ends with its last sample.
            let own = (one.len() as f64).log10() + 1e-9;
            let value = |x: &f64| {
                let percent = 100.0 * (1.0 - 10_f64.powf(-x));
                let at = curve.partition_point(|(known, _)| *known < percent - 1e-9);
                let (_, ms) = curve.get(at).or(curve.last())?;
                (*x <= own.max(xs[0])).then_some(*ms).and_then(short)
            };
            Line {
                name: name.clone(),
                colour: *colour,
                form: *form,
                values: xs.iter().map(value).collect(),
                ..Line::default()
            }
        })
        .collect();
    let values = || lines.iter().flat_map(|line| line.values.iter().flatten());
    let least = values().copied().fold(f64::INFINITY, f64::min);
    let longest = values().copied().fold(0.0, f64::max);
    Plot {
        title: title.to_owned(),
        x: Across::Percentile,
        xs: xs.iter().map(|x| (x * 1000.0).round() / 1000.0).collect(),
        unit: "ms".to_owned(),
        logarithmic: longest > WIDE * least && least > 0.0,
        lines,
        ..Plot::default()
    }
    .unless_empty()
}

/// The share of samples by their time, in columns that grow with it.
pub(crate) fn distribution(title: &str, series: &[(String, &Series)]) -> Option<Plot> {
    let binned: Vec<(usize, &String, BTreeMap<i64, u64>)> = series
        .iter()
        .enumerate()
        .filter(|(_, (_, one))| !one.is_empty())
        .map(|(at, (name, one))| (at, name, binned(one)))
        .collect();
    let first = binned.iter().filter_map(|(.., bins)| bins.keys().next());
    let last = binned.iter().filter_map(|(.., bins)| bins.keys().last());
    // An empty column at each end closes the steps.
    let (first, last) = (first.min()? - 1, last.max()? + 1);
    let lines = binned.iter().map(|(at, name, bins)| {
        let total: u64 = bins.values().sum();
        let share = |bin| {
            let count = bins.get(&bin).copied().unwrap_or(0);
            short(100.0 * count as f64 / total as f64)
        };
        Line {
            name: (*name).clone(),
            colour: at + 1,
            form: Form::Steps,
            values: (first..=last).map(share).collect(),
            ..Line::default()
        }
    });
    Plot {
        title: title.to_owned(),
        x: Across::Duration,
        xs: (first..=last)
            .map(|bin| bin as f64 / BUCKETS_A_DECADE)
            .collect(),
        unit: "% of samples".to_owned(),
        lines: lines.collect(),
        ..Plot::default()
    }
    .unless_empty()
}

/// A heat map of the transactions' times over the run.
pub(crate) fn heat_map(run: &Run) -> Option<Plot> {
    let steps = &run.timeline.steps;
    let joined = steps.len().div_ceil(COLUMNS_MAX).max(1);
    let mut cells = Vec::new();
    let mut columns = Vec::new();
    for (column, chunk) in steps.chunks(joined).enumerate() {
        let mut all = Series::default();
        chunk.iter().for_each(|step| all.add(&step.together()));
        columns.push(chunk[0].at_s);
        let bins = binned(&all).into_iter();
        cells.extend(bins.map(|(bin, count)| (column, bin, count)));
    }
    let first = cells.iter().map(|(_, bin, _)| *bin).min()?;
    let last = cells.iter().map(|(_, bin, _)| *bin).max()? + 1;
    let bound = |bin: i64| 10_f64.powf(bin as f64 / BUCKETS_A_DECADE);
    let row = |bin: i64| usize::try_from(bin - first).unwrap_or(0);
    let heat = Heat {
        width: run.timeline.step_s * joined as f64,
        bounds: (first..=last).filter_map(|bin| short(bound(bin))).collect(),
        cells: cells
            .iter()
            .map(|(column, bin, count)| (*column, row(*bin), *count))
            .collect(),
    };
    Some(Plot {
        title: "How many transactions took how long, over time".to_owned(),
        x: Across::Time,
        xs: columns,
        unit: "ms".to_owned(),
        logarithmic: true,
        marks: marks(run),
        heat: Some(heat),
        ..Plot::default()
    })
}

/// Counts by the logarithmic column of their times.
fn binned(series: &Series) -> BTreeMap<i64, u64> {
    let mut bins = BTreeMap::new();
    for (micros, count) in series.counts() {
        let ms = (micros.max(1)) as f64 / 1000.0;
        let bin = (ms.log10() * BUCKETS_A_DECADE).floor() as i64;
        *bins.entry(bin).or_default() += count;
    }
    bins
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn series(times_ms: impl Iterator<Item = u64>) -> Series {
        let mut series = Series::default();
        times_ms.for_each(|ms| series.record(Duration::from_millis(ms), true));
        series
    }

    #[test]
    fn a_curve_goes_through_the_percentiles() {
        let one = series(1..=1000);
        let plot = curves("x", &[("a".to_owned(), &one, Form::Plain, 1)]).unwrap();
        let at = |nines: f64| {
            plot.xs
                .iter()
                .position(|x| (x - nines).abs() < 1e-9)
                .unwrap()
        };
        let value = |nines: f64| plot.lines[0].values[at(nines)].unwrap();
        assert!((value(1.0) - 900.0).abs() < 20.0, "{}", value(1.0));
        assert!((value(2.0) - 990.0).abs() < 5.0, "{}", value(2.0));
        assert_eq!(value(3.0), 1000.0);
        assert!(!plot.logarithmic);
        let wide = series((1..=1000).map(|at| at * at));
        let plot = curves("x", &[("a".to_owned(), &wide, Form::Plain, 1)]).unwrap();
        assert!(plot.logarithmic);
        assert!(curves("x", &[("a".to_owned(), &Series::default(), Form::Plain, 1)]).is_none());
    }

    #[test]
    fn a_distribution_has_all_samples() {
        let one = series([1, 10, 10, 100].into_iter());
        let plot = distribution("x", &[("a".to_owned(), &one)]).unwrap();
        let sum: f64 = plot.lines[0].values.iter().flatten().sum();
        assert_eq!(sum, 100.0);
        // Two decades of twelve, the last column, and an empty one at each end.
        assert_eq!(plot.xs.len(), 2 * 12 + 3);
    }
}
