//! Linear regression: whether a value grows over a run, and the confidence interval of its slope.

use serde::{Deserialize, Serialize};

/// A straight line through points, by least squares.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// The increase for each unit of the first coordinate.
    pub slope: f64,
    /// The 95 % confidence interval of the slope.
    pub interval: [f64; 2],
    /// The mean of the values.
    pub mean: f64,
    /// The line's rise from the first point to the last.
    pub rise: f64,
    /// The number of points.
    pub points: usize,
}

/// The verdict on a slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trend {
    /// It grows, significantly and by more than a little.
    Grows,
    /// It shrinks likewise.
    Shrinks,
    /// Neither.
    Steady,
}

/// A rise of less than this share of the mean over the whole run is ignored.
const RISE_LEAST: f64 = 0.05;

impl Slope {
    /// Fits a line through points; `None` for fewer than three, or all with the same first
    /// coordinate.
    ///
    /// Neighbours in time resemble each other, which makes a slope look more certain than it is:
    /// the effective number of points is reduced by the autocorrelation of the residuals.
    pub fn through(points: &[(f64, f64)]) -> Option<Slope> {
        let count = points.len() as f64;
        if points.len() < 3 {
            return None;
        }
        let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
        let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
        let square: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
        if square <= 0.0 {
            return None;
        }
        let product: f64 = points
            .iter()
            .map(|(x, y)| (x - mean_x) * (y - mean_y))
            .sum();
        let slope = product / square;
        let remainders: Vec<f64> = points
            .iter()
            .map(|(x, y)| y - mean_y - slope * (x - mean_x))
            .collect();
        let remainder: f64 = remainders.iter().map(|one| one * one).sum();
        let neighbours: f64 = remainders.windows(2).map(|pair| pair[0] * pair[1]).sum();
        let correlation = match remainder > 0.0 {
            true => (neighbours / remainder).clamp(0.0, 0.95),
            false => 0.0,
        };
        let independent = (count * (1.0 - correlation) / (1.0 + correlation)).max(3.0);
        let variance = remainder / (independent - 2.0) * (count / independent).max(1.0) / count
            * independent
            / square;
        let spread = student(independent - 2.0) * variance.sqrt();
        let first = points.first()?.0;
        let last = points.last()?.0;
        Some(Slope {
            slope,
            interval: [slope - spread, slope + spread],
            mean: mean_y,
            rise: slope * (last - first),
            points: points.len(),
        })
    }

    pub fn trend(&self) -> Trend {
        if self.rise.abs() < RISE_LEAST * self.mean.abs() {
            return Trend::Steady;
        }
        match self.interval {
            [low, _] if low > 0.0 => Trend::Grows,
            [_, high] if high < 0.0 => Trend::Shrinks,
            _ => Trend::Steady,
        }
    }
}

/// The 97.5 % quantile of Student's t for so many degrees of freedom: exact for 1 and 2, and from
/// there by the expansion around the normal distribution (Abramowitz and Stegun, 26.7.5).
fn student(freedom: f64) -> f64 {
    if freedom < 1.5 {
        return 12.706;
    }
    if freedom < 2.5 {
        return 4.303;
    }
    let z: f64 = 1.959_964;
    let (z3, z5, z7) = (z.powi(3), z.powi(5), z.powi(7));
    z + (z3 + z) / (4.0 * freedom)
        + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z7 + 19.0 * z5 + 17.0 * z3 - 15.0 * z) / (384.0 * freedom.powi(3))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repeatable noise between -1 and 1 without correlation of neighbours.
    fn noise(at: usize) -> f64 {
        let mixed = (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 40) as f64 / f64::from(1 << 23) - 1.0
    }

    #[test]
    fn a_growing_value_is_distinguished_from_a_noisy_one() {
        let grows: Vec<_> = (0..24)
            .map(|at| (at as f64, 850.0 + 27.0 * at as f64 + 20.0 * noise(at)))
            .collect();
        let slope = Slope::through(&grows).unwrap();
        assert!((slope.slope - 27.0).abs() < 2.0, "{slope:?}");
        assert!(
            slope.interval[0] > 20.0 && slope.interval[1] < 34.0,
            "{slope:?}"
        );
        assert_eq!(slope.trend(), Trend::Grows);
        let steady: Vec<_> = (0..24)
            .map(|at| (at as f64, 850.0 + 80.0 * noise(at)))
            .collect();
        assert_eq!(Slope::through(&steady).unwrap().trend(), Trend::Steady);
        let falls: Vec<_> = grows.iter().map(|(x, y)| (*x, 2000.0 - y)).collect();
        assert_eq!(Slope::through(&falls).unwrap().trend(), Trend::Shrinks);
    }

    #[test]
    fn a_certain_trifle_is_steady() {
        let trifle: Vec<_> = (0..100)
            .map(|at| (at as f64, 1000.0 + 0.1 * at as f64))
            .collect();
        assert_eq!(Slope::through(&trifle).unwrap().trend(), Trend::Steady);
    }

    #[test]
    fn a_slow_wave_is_no_growth() {
        // Two thirds of a wave rise for a while; neighbours are correlated, so few points are
        // independent.
        let wave: Vec<_> = (0..200)
            .map(|at| (at as f64, 100.0 + 10.0 * (at as f64 / 32.0).sin()))
            .collect();
        assert_eq!(Slope::through(&wave).unwrap().trend(), Trend::Steady);
    }

    #[test]
    fn too_little_gives_nothing() {
        assert_eq!(Slope::through(&[(0.0, 1.0), (1.0, 2.0)]), None);
        assert_eq!(Slope::through(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
    }

    #[test]
    fn students_distribution_is_the_tables() {
        for (freedom, expected) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (5.0, 2.571),
            (10.0, 2.228),
            (30.0, 2.042),
        ] {
            assert!((student(freedom) - expected).abs() < 0.01, "{freedom}");
        }
    }
}
