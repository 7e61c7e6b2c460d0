//! The result of a run with a condition (`--until`).

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Verdict {
    pub until: String,
    /// The highest rate in iterations a second at which it was not true.
    pub held_per_s: Option<f64>,
    /// The rate at which it was true; none when it never was.
    pub passed_per_s: Option<f64>,
    /// The value measured there, with its unit.
    pub measured: Option<String>,
}

impl Verdict {
    /// The result as a sentence.
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
