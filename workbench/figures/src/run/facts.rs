//! The facts of a run: its options and circumstances.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The options and circumstances of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunFacts {
    pub workload: String,
    pub server: String,
    pub tenant: String,
    /// When the set-up was done.
    pub started_at: Timestamp,
    /// The most virtual users at once.
    pub virtual_users: usize,
    /// Worker threads of the driver, of all generators together.
    pub threads: usize,
    #[serde(default = "one")]
    pub generators: usize,
    /// In seconds.
    pub ramp_up_s: f64,
    /// In seconds, ramp-up included.
    pub duration_s: f64,
    /// In seconds, from the beginning of each stage; requests that began before its end are not in
    /// the figures.
    pub warm_up_s: f64,
    /// "plan" or "none".
    pub think_time: String,
    /// The model: "closed loop", in which each virtual user continues when it is answered, or
    /// "open" with iterations a second, due whether the server keeps up or not.
    pub arrival: String,
    /// Branch names with their weights.
    pub distribution: Vec<(String, u32)>,
    /// The seed of all random choices.
    pub seed: u64,
    /// A name for the run in histories and comparisons: a release, a branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

fn one() -> usize {
    1
}

impl RunFacts {
    /// The name of this run in a table's column or a plot's legend.
    pub fn called(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => self.started_at.strftime("%Y-%m-%d %H:%M").to_string(),
        }
    }
}
