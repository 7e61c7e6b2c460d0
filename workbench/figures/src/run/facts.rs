//! What was run, as it was asked for.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What was run, as it was asked for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunFacts {
    /// The workload's name.
    pub workload: String,
    /// The server.
    pub server: String,
    /// The tenant.
    pub tenant: String,
    /// When the set-up was done.
    pub started_at: Timestamp,
    /// Virtual users: the most that were wanted at once.
    pub virtual_users: usize,
    /// Worker threads of the driver, over all generators.
    pub threads: usize,
    /// Generator processes.
    #[serde(default = "one")]
    pub generators: usize,
    /// In seconds.
    pub ramp_up_s: f64,
    /// In seconds, ramp-up included.
    pub duration_s: f64,
    /// In seconds, from the begin of each stage; what began before it was over is not in the figures.
    pub warm_up_s: f64,
    /// "plan" or "none".
    pub think_time: String,
    /// The model: "closed loop", each virtual user sends when its last answer is there, or "open"
    /// with iterations a second, due whether the server keeps up or not.
    pub arrival: String,
    /// Branch names with their weights.
    pub distribution: Vec<(String, u32)>,
    /// The seed of all random choices.
    pub seed: u64,
    /// A name for the run: a release, a branch; for histories and comparisons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

fn one() -> usize {
    1
}

impl RunFacts {
    /// How a table's column or a plot's legend calls this run.
    pub fn called(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None => self.started_at.strftime("%Y-%m-%d %H:%M").to_string(),
        }
    }
}
