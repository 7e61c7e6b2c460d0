//! The figures of one transaction or request.

use serde::{Deserialize, Serialize};

use crate::{Series, Statistics};

/// Times, bytes and rate under one name.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Figures {
    /// Times from the first byte sent to the last one received.
    pub statistics: Statistics,
    /// Times from when requests were due, in the open model: an iteration's first request from
    /// then, the following ones from the response before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended: Option<Statistics>,
    /// Samples a second.
    #[serde(default)]
    pub per_s: f64,
    /// Bytes of responses.
    #[serde(default)]
    pub received_bytes: u64,
    #[serde(default)]
    pub sent_bytes: u64,
    /// The histogram of `statistics`.
    #[serde(default)]
    pub series: Series,
    /// The histogram of `intended`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intended_series: Option<Series>,
}

/// A transaction and its requests.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct TransactionSummary {
    pub name: String,
    /// The sums of its requests' times; none for requests that are not summed up.
    #[serde(flatten)]
    pub figures: Option<Figures>,
    pub requests: Vec<LabelSummary>,
}

/// The requests of one label.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct LabelSummary {
    pub label: String,
    #[serde(flatten)]
    pub figures: Figures,
}

impl Figures {
    /// Figures of what was recorded over so many seconds.
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

    /// The times that patrons experience: from when it was due where that is known, otherwise from
    /// when it was sent.
    pub fn experienced(&self) -> &Statistics {
        self.intended.as_ref().unwrap_or(&self.statistics)
    }

    /// The histogram of [`Figures::experienced`].
    pub fn experienced_series(&self) -> &Series {
        self.intended_series.as_ref().unwrap_or(&self.series)
    }
}
