//! The content of a plot: lines over a common axis, or a heat map. The page's script draws it.

mod curve;
mod probe;
mod time;

use serde::Serialize;

pub(crate) use curve::{curves, distribution, heat_map};
pub(crate) use probe::{of_measure, sources};
pub(crate) use time::{bytes, requests, slowest_requests, transaction, users};

/// The most transactions in plots of one kind; the tables have all.
pub(crate) const TRANSACTIONS_MAX: usize = 12;

#[derive(Debug, Clone, Default, Serialize)]
pub struct Plot {
    pub title: String,
    /// The meaning of the horizontal axis.
    pub x: Across,
    /// The positions of the points.
    pub xs: Vec<f64>,
    /// Names of the points, for [`Across::Names`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The unit of the left axis.
    pub unit: String,
    /// The unit of the right axis; empty without one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit_right: String,
    /// Whether the left axis is logarithmic.
    pub logarithmic: bool,
    pub lines: Vec<Line>,
    /// Moments to mark.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<Mark>,
    /// The heat map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat: Option<Heat>,
}

/// The meaning of the horizontal axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Across {
    /// Seconds from the beginning of the run.
    #[default]
    Time,
    /// Nines: the decimal logarithm of 1/(1 − quantile).
    Percentile,
    /// The decimal logarithm of a time in ms.
    Duration,
    /// One after the other, each with a name.
    Names,
}

/// A line.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// The number of its colour; 0 is grey.
    pub colour: usize,
    /// Whether it belongs to the right axis.
    #[serde(skip_serializing_if = "is_false")]
    pub right: bool,
    #[serde(skip_serializing_if = "Form::is_plain")]
    pub form: Form,
    /// Whether it is hidden until clicked in the legend.
    #[serde(skip_serializing_if = "is_false")]
    pub hidden: bool,
    /// Its values, one for each point.
    pub values: Vec<Option<f64>>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    #[default]
    Plain,
    /// A line with the area below it filled.
    Filled,
    /// As steps, filled.
    Steps,
    /// As a line with its points.
    Points,
}

/// A moment to mark.
#[derive(Debug, Clone, Serialize)]
pub struct Mark {
    /// In seconds.
    pub at: f64,
    pub text: String,
}

/// A heat map: columns of time, rows of values.
#[derive(Debug, Clone, Serialize)]
pub struct Heat {
    /// The width of a column in seconds.
    pub width: f64,
    /// The bounds of the rows.
    pub bounds: Vec<f64>,
    /// Column, row and count.
    pub cells: Vec<(usize, usize, u64)>,
}

impl Form {
    fn is_plain(&self) -> bool {
        *self == Form::Plain
    }
}

impl Plot {
    /// The plot, if it has a line with a value.
    pub(crate) fn unless_empty(self) -> Option<Plot> {
        let seen = |line: &Line| line.values.iter().any(Option::is_some);
        (self.heat.is_some() || self.lines.iter().any(seen)).then_some(self)
    }
}

/// Four digits, which is more than a plot can show; `None` for NaN and infinities.
pub(crate) fn short(value: f64) -> Option<f64> {
    if !value.is_finite() {
        return None;
    }
    if value == 0.0 {
        return Some(0.0);
    }
    let digits = 3 - value.abs().log10().floor() as i32;
    let scale = 10_f64.powi(digits.clamp(-300, 300));
    // Divided by a power of ten, so that the result has few digits when written.
    let shortened = match digits >= 0 {
        true => (value * scale).round() / scale,
        false => {
            let tens = 10_f64.powi(-digits);
            (value / tens).round() * tens
        }
    };
    Some(shortened)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands in references"
)]
fn is_false(value: &bool) -> bool {
    !*value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_digits_are_kept() {
        assert_eq!(short(123_456.0), Some(123_500.0));
        assert_eq!(short(0.012_345_6), Some(0.01235));
        assert_eq!(short(12.3456), Some(12.35));
        assert_eq!((short(0.0), short(f64::NAN)), (Some(0.0), None));
    }
}
