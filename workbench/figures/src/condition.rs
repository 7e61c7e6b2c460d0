//! Conditions on a finished run, to fail a build: `check-out p95 > 1.05x baseline`, `errors >
//! 0.1%`, `POST_circulation/check-in-by-barcode average > 100ms`.

use std::fmt;
use std::str::FromStr;

use crate::Statistics;
use crate::compare::{Entry, Measured};

/// A condition that a run must not meet.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    text: String,
    /// The transaction or request; none means every transaction.
    subject: Option<String>,
    figure: String,
    limit: Limit,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Limit {
    Milliseconds(f64),
    PerCent(f64),
    TimesBaseline(f64),
}

/// Returns a figure of a transaction or request, by both names, in ms.
pub type Baseline<'b> = dyn Fn(&str, &str) -> Option<f64> + 'b;

/// A condition that came true.
#[derive(Debug, Clone, PartialEq)]
pub struct Broken {
    /// The measured value, with the limit.
    pub description: String,
}

/// Why a condition cannot be checked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ConditionError {
    /// It cannot be parsed.
    #[error(
        "`{0}` is not a condition; write 'check-out p95 > 1.05x baseline', 'check-in average > 200ms', \
         'p99 > 1s' or 'errors > 1%'"
    )]
    Text(String),
    /// It names nothing that was measured.
    #[error(
        "`{condition}`: the run has no transaction or request like {subject:?}; it has {known}"
    )]
    Unknown {
        condition: String,
        subject: String,
        /// The names that exist.
        known: String,
    },
    /// It matches several names.
    #[error("`{condition}`: {subject:?} may be any of {known}; write more of the name")]
    Ambiguous {
        condition: String,
        subject: String,
        /// The names that it matches.
        known: String,
    },
    /// There is no baseline to compare with.
    #[error("`{0}` needs a baseline: give an earlier run, or --baseline and a release")]
    NoBaseline(String),
    /// The baseline lacks the figure.
    #[error("`{condition}`: the baseline has no {figure} of {name}")]
    NotInBaseline {
        condition: String,
        figure: String,
        name: String,
    },
}

impl FromStr for Condition {
    type Err = ConditionError;

    fn from_str(text: &str) -> Result<Self, ConditionError> {
        let wrong = || ConditionError::Text(text.to_owned());
        let (left, right) = text.split_once('>').ok_or_else(wrong)?;
        let mut words: Vec<&str> = left.split_whitespace().collect();
        let figure = words.pop().ok_or_else(wrong)?.to_owned();
        if figure != "errors" && Statistics::default().by_name(&figure).is_none() {
            return Err(wrong());
        }
        let subject = Some(words.join(" ")).filter(|subject| !subject.is_empty());
        let right = right.trim().replace(' ', "");
        let number = |unit: &str| {
            let number = right.strip_suffix(unit)?.parse::<f64>().ok()?;
            (number.is_finite() && number >= 0.0).then_some(number)
        };
        let limit = match figure.as_str() {
            "errors" => number("%").map(Limit::PerCent),
            _ => number("xbaseline")
                .or_else(|| number("×baseline"))
                .map(Limit::TimesBaseline)
                .or_else(|| number("ms").map(Limit::Milliseconds))
                .or_else(|| number("s").map(|seconds| Limit::Milliseconds(1000.0 * seconds))),
        };
        Ok(Self {
            text: text.trim().to_owned(),
            subject,
            figure,
            limit: limit.ok_or_else(wrong)?,
        })
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Condition {
    /// What in a run meets the condition. `baseline` returns a figure of a name in ms.
    ///
    /// # Errors
    /// When the condition does not fit the run.
    pub fn judge(
        &self,
        run: &Measured,
        baseline: Option<&Baseline<'_>>,
    ) -> Result<Vec<Broken>, ConditionError> {
        let mut broken = Vec::new();
        for entry in self.entries(run)? {
            let (measured, limit, unit) = match self.limit {
                Limit::PerCent(limit) => {
                    let samples = entry.statistics.samples.max(1) as f64;
                    (100.0 * entry.statistics.errors as f64 / samples, limit, "%")
                }
                Limit::Milliseconds(limit) => (self.figure_of(entry), limit, "ms"),
                Limit::TimesBaseline(times) => {
                    let figure =
                        baseline.ok_or_else(|| ConditionError::NoBaseline(self.text.clone()))?;
                    let before = figure(&entry.name, &self.figure);
                    let before = before.ok_or_else(|| ConditionError::NotInBaseline {
                        condition: self.text.clone(),
                        figure: self.figure.clone(),
                        name: entry.name.clone(),
                    })?;
                    (self.figure_of(entry), times * before, "ms")
                }
            };
            if measured > limit {
                let description = format!(
                    "{} came true: {} {} is {measured:.2} {unit}, the limit {limit:.2} {unit}",
                    self.text, entry.name, self.figure
                );
                broken.push(Broken { description });
            }
        }
        Ok(broken)
    }

    fn figure_of(&self, entry: &Entry) -> f64 {
        entry.statistics.by_name(&self.figure).unwrap_or(0.0)
    }

    /// Its subjects: an exact name, otherwise transactions whose names contain it, otherwise
    /// requests.
    fn entries<'r>(&self, run: &'r Measured) -> Result<Vec<&'r Entry>, ConditionError> {
        let Some(subject) = &self.subject else {
            let transactions = run.entries.iter().filter(|entry| entry.transaction);
            let transactions: Vec<_> = transactions.collect();
            return Ok(match transactions.is_empty() {
                true => run.entries.iter().collect(),
                false => transactions,
            });
        };
        let plain = |text: &str| text.to_lowercase().replace(['-', '_', ' '], "");
        let wanted = plain(subject);
        let found = |accept: &dyn Fn(&Entry) -> bool| -> Vec<&'r Entry> {
            run.entries.iter().filter(|entry| accept(entry)).collect()
        };
        let known = |entries: &[&Entry]| {
            let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
            names.join(", ")
        };
        for candidates in [
            found(&|entry| plain(&entry.name) == wanted),
            found(&|entry| entry.transaction && plain(&entry.name).contains(&wanted)),
            found(&|entry| plain(&entry.name).contains(&wanted)),
        ] {
            match candidates.len() {
                0 => {}
                1 => return Ok(candidates),
                _ => {
                    return Err(ConditionError::Ambiguous {
                        condition: self.text.clone(),
                        subject: subject.clone(),
                        known: known(&candidates),
                    });
                }
            }
        }
        Err(ConditionError::Unknown {
            condition: self.text.clone(),
            subject: subject.clone(),
            known: known(&run.entries.iter().collect::<Vec<_>>()),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Series;

    fn run() -> Measured {
        let entry = |name: &str, transaction: bool, ms: u64| {
            let mut series = Series::default();
            (0..99).for_each(|_| series.record(Duration::from_millis(ms), true));
            series.record(Duration::from_millis(ms), false);
            Entry {
                name: name.to_owned(),
                transaction,
                statistics: series.statistics(),
                series,
                steps: Vec::new(),
            }
        };
        Measured {
            called: String::new(),
            workload: None,
            virtual_users: None,
            open: false,
            entries: vec![
                entry("Check-In Controller", true, 40),
                entry("Check-Out Controller", true, 60),
                entry("POST_circulation/check-out-by-barcode", false, 10),
                entry("GET_groups", false, 5),
            ],
        }
    }

    fn broken(text: &str) -> Result<usize, ConditionError> {
        let baseline = |name: &str, figure: &str| {
            (name == "Check-Out Controller" && figure == "p95").then_some(55.0)
        };
        let condition: Condition = text.parse()?;
        Ok(condition.judge(&run(), Some(&baseline))?.len())
    }

    #[test]
    fn conditions_come_true_or_do_not() {
        assert_eq!(broken("check-out p95 > 1.05x baseline"), Ok(1));
        assert_eq!(broken("check-out p95 > 1.2 x baseline"), Ok(0));
        assert_eq!(broken("p95 > 50ms"), Ok(1));
        assert_eq!(broken("average > 0.03 s"), Ok(2));
        assert_eq!(broken("errors > 0.5%"), Ok(2));
        assert_eq!(broken("errors > 1%"), Ok(0));
        assert_eq!(broken("get groups p50 > 4ms"), Ok(1));
        assert_eq!(
            broken("POST_circulation/check-out-by-barcode p99.9 > 9 ms"),
            Ok(1)
        );
    }

    #[test]
    fn what_cannot_be_judged_says_why() {
        for text in [
            "",
            "p95",
            "p95 > 5",
            "check-out > 5ms",
            "errors > 5ms",
            "p95 > -1ms",
            "p95 > x baseline",
        ] {
            assert!(
                matches!(broken(text), Err(ConditionError::Text(_))),
                "{text}"
            );
        }
        let ambiguous = broken("controller p95 > 1ms").unwrap_err().to_string();
        assert!(
            ambiguous.contains("Check-In Controller, Check-Out Controller"),
            "{ambiguous}"
        );
        let unknown = broken("renewal p95 > 1ms").unwrap_err().to_string();
        assert!(unknown.contains("GET_groups"), "{unknown}");
        let missing = broken("check-in p95 > 1x baseline")
            .unwrap_err()
            .to_string();
        assert!(
            missing.contains("no p95 of Check-In Controller"),
            "{missing}"
        );
        let condition: Condition = "check-out p95 > 1x baseline".parse().unwrap();
        let none = condition.judge(&run(), None).unwrap_err().to_string();
        assert!(none.contains("--baseline"), "{none}");
    }
}
