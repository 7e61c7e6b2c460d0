//! Estimates how much a figure would vary in a repetition of the run (bootstrap): the run's own
//! samples are resampled some hundred times, and the figure computed each time.
//!
//! Where the run's steps are known, whole steps are resampled, because disturbances of a machine
//! last for seconds and affect many samples at once; resampling single samples would underestimate
//! the variation. Otherwise the counts of the histogram are resampled, each from a Poisson
//! distribution.

use std::collections::BTreeMap;

use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};

use crate::Series;

/// The number of resamplings.
pub const REPLICATES: usize = 400;
/// With fewer samples the variation cannot be estimated.
const SAMPLES_LEAST: u64 = 20;
/// With fewer steps the variation between them cannot be estimated.
const STEPS_LEAST: usize = 20;
/// More steps are joined to about so many.
const BLOCKS: usize = 60;
/// Above this a Poisson distribution is approximated by a normal one.
const NORMAL_FROM: u64 = 30;
/// Fixed, so that the same data always give the same verdict.
const SEED: u64 = 0x0c7a_0f01_1035;

/// The figures that are computed.
pub const STATISTICS: [&str; 6] = ["average", "p50", "p75", "p95", "p99", "p99.9"];
const QUANTILES: [f64; 5] = [0.5, 0.75, 0.95, 0.99, 0.999];

/// One resampling: the figures in the order of [`STATISTICS`], in ms.
pub type Replicate = [f64; 6];

/// Resamples a run; empty for a run with few samples. `steps` are its parts in order of time, if
/// they are known.
pub fn replicates(series: &Series, steps: &[Series]) -> Vec<Replicate> {
    if series.len() < SAMPLES_LEAST {
        return Vec::new();
    }
    let mut random = SmallRng::seed_from_u64(SEED);
    let filled: Vec<&Series> = steps.iter().filter(|one| !one.is_empty()).collect();
    match filled.len() >= STEPS_LEAST {
        true => of_steps(&filled, &mut random),
        false => of_counts(&series.counts(), &mut random),
    }
}

fn of_counts(counts: &[(u64, u64)], random: &mut SmallRng) -> Vec<Replicate> {
    let values: Vec<u64> = counts.iter().map(|(value, _)| *value).collect();
    let mut drawn = vec![0; counts.len()];
    (0..REPLICATES)
        .map(|_| {
            for (drawn, (_, count)) in drawn.iter_mut().zip(counts) {
                *drawn = poisson(*count, random);
            }
            figures(&values, &drawn)
        })
        .collect()
}

fn of_steps(steps: &[&Series], random: &mut SmallRng) -> Vec<Replicate> {
    let mut blocks: Vec<BTreeMap<u64, u64>> = Vec::new();
    for joined in steps.chunks(steps.len().div_ceil(BLOCKS)) {
        let mut block = BTreeMap::new();
        for (value, count) in joined.iter().flat_map(|step| step.counts()) {
            *block.entry(value).or_default() += count;
        }
        blocks.push(block);
    }
    let mut values: Vec<u64> = blocks.iter().flat_map(BTreeMap::keys).copied().collect();
    values.sort_unstable();
    values.dedup();
    // By index in the list of values, so that resampling only adds.
    let place = |value: &u64| values.binary_search(value).unwrap_or(0);
    let blocks: Vec<Vec<(usize, u64)>> = blocks
        .iter()
        .map(|block| {
            block
                .iter()
                .map(|(value, count)| (place(value), *count))
                .collect()
        })
        .collect();
    let mut drawn = vec![0; values.len()];
    (0..REPLICATES)
        .map(|_| {
            drawn.fill(0);
            for _ in 0..blocks.len() {
                for (place, count) in &blocks[random.random_range(0..blocks.len())] {
                    drawn[*place] += count;
                }
            }
            figures(&values, &drawn)
        })
        .collect()
}

/// The figures of so many samples at each value; values ascend.
fn figures(values: &[u64], counts: &[u64]) -> Replicate {
    let total: u64 = counts.iter().sum();
    let products = values.iter().zip(counts);
    let sum: f64 = products
        .map(|(value, count)| *value as f64 * *count as f64)
        .sum();
    let mut figures = [sum / 1000.0 / total.max(1) as f64, 0.0, 0.0, 0.0, 0.0, 0.0];
    let (mut passed, mut at) = (0, 0);
    for (quantile, figure) in QUANTILES.iter().zip(&mut figures[1..]) {
        let rank = ((quantile * total as f64).ceil() as u64).max(1);
        while at < values.len() && passed + counts[at] < rank {
            passed += counts[at];
            at += 1;
        }
        *figure = values
            .get(at)
            .or(values.last())
            .map_or(0.0, |value| *value as f64 / 1000.0);
    }
    figures
}

fn poisson(mean: u64, random: &mut SmallRng) -> u64 {
    let mean_f = mean as f64;
    if mean >= NORMAL_FROM {
        // Two uniform numbers make a normal one (Box and Muller).
        let (a, b): (f64, f64) = (random.random(), random.random());
        let normal = (-2.0 * (1.0 - a).ln()).sqrt() * (std::f64::consts::TAU * b).cos();
        return (mean_f + mean_f.sqrt() * normal).round().max(0.0) as u64;
    }
    let (limit, mut product, mut count) = ((-mean_f).exp(), 1.0, 0);
    loop {
        product *= random.random::<f64>();
        if product <= limit {
            return count;
        }
        count += 1;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn spread(of: &[Replicate], at: usize) -> (f64, f64) {
        let mean = of.iter().map(|one| one[at]).sum::<f64>() / of.len() as f64;
        let squares: f64 = of.iter().map(|one| (one[at] - mean).powi(2)).sum();
        (mean, (squares / of.len() as f64).sqrt())
    }

    #[test]
    fn single_samples_vary_as_theory_has_it() {
        let mut series = Series::default();
        for ms in 1..=10_000 {
            series.record(Duration::from_millis(ms), true);
        }
        let drawn = replicates(&series, &[]);
        assert_eq!(drawn.len(), REPLICATES);
        // The mean of n uniform samples from 1 to 10,000 has a deviation of 10,000 / √12 / √n.
        let (mean, deviation) = spread(&drawn, 0);
        assert!((mean - 5_000.0).abs() < 10.0, "{mean}");
        assert!((deviation - 28.9).abs() < 5.0, "{deviation}");
        // The 95th percentile's: 10,000 √(0.95 · 0.05 / n).
        let (p95, deviation) = spread(&drawn, 3);
        assert!((p95 - 9_500.0).abs() < 20.0, "{p95}");
        assert!((deviation - 21.8).abs() < 5.0, "{deviation}");
        assert!(replicates(&Series::default(), &[]).is_empty());
    }

    #[test]
    fn slow_seconds_make_a_figure_less_sure_than_its_samples_do() {
        // 40 steps of 100 samples; every fourth is slow as a whole.
        let steps: Vec<Series> = (0..40)
            .map(|at| {
                let mut step = Series::default();
                let ms = if at % 4 == 0 { 50 } else { 10 };
                (0..100).for_each(|_| step.record(Duration::from_millis(ms), true));
                step
            })
            .collect();
        let mut all = Series::default();
        steps.iter().for_each(|step| all.add(step));
        let (_, by_steps) = spread(&replicates(&all, &steps), 0);
        let (_, by_samples) = spread(&replicates(&all, &[]), 0);
        assert!(by_steps > 5.0 * by_samples, "{by_steps} {by_samples}");
    }
}
