//! Issues as they are found, as many as are told. What nobody is told is not put into words: a request
//! can name millions.

use super::{Issue, Severity};

/// Errors that are told at most, and warnings. Each has its own measure, so that no number of warnings
/// hides an error.
pub const ISSUES_MAX: usize = 1_000;

/// What was found so far, in this order.
#[derive(Debug, Default)]
pub(super) struct Issues {
    issues: Vec<Issue>,
    errors: usize,
    warnings: usize,
}

impl Issues {
    /// Adds an issue if there are not too many as grave as this one.
    pub(super) fn add(&mut self, severity: Severity, issue: impl FnOnce(Severity) -> Issue) {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if *count < ISSUES_MAX {
            *count += 1;
            self.issues.push(issue(severity));
        }
    }

    /// All that is told.
    pub(super) fn issues(self) -> Vec<Issue> {
        self.issues
    }
}
