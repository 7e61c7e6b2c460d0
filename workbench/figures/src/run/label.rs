//! The figures of one transaction or request.

use serde::{Deserialize, Serialize};

use crate::{Series, Statistics};

/// Times, bytes and rate under one name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Their times, from sending to the last byte.
    pub statistics: Statistics,
    /// The same from when they were due, in the open model: of an iteration's first request, and as
    /// they are of those that follow an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended: Option<Statistics>,
    /// Samples a second.
    #[serde(default)]
    pub per_s: f64,
    /// Bytes of answers.
    #[serde(default)]
    pub received_bytes: u64,
    /// Bytes of requests.
    #[serde(default)]
    pub sent_bytes: u64,
    /// The histogram that `statistics` come from.
    #[serde(default)]
    pub series: Series,
    /// The histogram that `intended` comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended_series: Option<Series>,
}

/// A transaction and its requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TransactionSummary {
    /// The name.
    pub name: String,
    /// Of the sums of its requests' times; none for requests that are not summed up.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    /// By label.
    pub requests: Vec<LabelSummary>,
}

/// The requests of one label.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelSummary {
    /// The label.
    pub label: String,
    /// Their figures.
    #[serde(flatten)]
    pub figures: Figures,
}

impl Figures {
    /// From what was recorded over so many seconds.
    pub fn new(
        series: Series,
        intended: Option<Series>,
        received_bytes: u64,
        sent_bytes: u64,
        measured_s: f64,
    ) -> Self {
        Self {
            statistics: series.statistics(),
            intended: intended.as_ref().map(Series::statistics),
            per_s: series.len() as f64 / measured_s.max(1e-9),
            received_bytes,
            sent_bytes,
            series,
            intended_series: intended,
        }
    }

    /// What a patron feels: from when it was due where that is known, else from when it was sent.
    pub fn felt(&self) -> &Statistics {
        self.intended.as_ref().unwrap_or(&self.statistics)
    }

    /// The histogram of [`Figures::felt`].
    pub fn felt_series(&self) -> &Series {
        self.intended_series.as_ref().unwrap_or(&self.series)
    }
}
