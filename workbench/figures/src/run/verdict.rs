//! How a run with a condition (`--until`) ended.

use serde::{Deserialize, Serialize};

/// How a run with a condition ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verdict {
    /// The condition.
    pub until: String,
    /// Iterations a second up to which it was not true: the highest rate that met the limit.
    pub held_per_s: Option<f64>,
    /// Iterations a second at which it was; none when it never was.
    pub passed_per_s: Option<f64>,
    /// What was measured there, with its unit.
    pub measured: Option<String>,
}

impl Verdict {
    /// A sentence.
    pub fn sentence(&self) -> String {
        let per_s = |rate: f64| format!("{rate:.0} iterations/s");
        match (self.held_per_s, self.passed_per_s, &self.measured) {
            (held, Some(passed), Some(measured)) => {
                let held = held.map_or("no rate met the limit".to_owned(), |held| {
                    format!("the highest rate that met the limit is {}", per_s(held))
                });
                format!(
                    "{} came true at {} ({measured}): {held}.",
                    self.until,
                    per_s(passed)
                )
            }
            (_, _, Some(measured)) => format!("{} came true ({measured}).", self.until),
            (Some(held), ..) => format!("{} did not come true up to {}.", self.until, per_s(held)),
            _ => format!("{} did not come true.", self.until),
        }
    }
}
