//! Collects issues up to a limit. Messages beyond it are not formatted: a request can cause millions.

use super::{Issue, Severity};

/// Maximal number of errors, and of warnings: separate limits, so that warnings cannot hide an error.
pub const ISSUES_MAX: usize = 1_000;

/// What was found so far, in this order.
#[derive(Debug, Default)]
pub(super) struct Issues {
    issues: Vec<Issue>,
    errors: usize,
    warnings: usize,
}

impl Issues {
    /// Adds an issue unless its severity's limit is reached.
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

    /// All collected issues.
    pub(super) fn issues(self) -> Vec<Issue> {
        self.issues
    }
}
