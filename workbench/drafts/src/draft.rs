//! A draft workload: its text, what could not be converted, and the plan's run options.

use crate::note::Note;
use crate::{har, jmx};

/// Larger plans and recordings are refused.
pub const FILE_BYTES_MAX: u64 = 256 << 20;

#[derive(Debug, Clone)]
pub struct Draft {
    /// A workload file of format 1.
    pub toml: String,
    /// What was left out or changed.
    pub notes: Vec<Note>,
    /// The plan's run options.
    pub run: RunOptions,
    /// The requests in the plan or recording.
    pub requests: usize,
    /// How many of them are in the draft.
    pub taken: usize,
}

/// Options for `workload run`, as far as a plan has them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunOptions {
    /// Threads of all thread groups.
    pub virtual_users: Option<u64>,
    /// The longest ramp-up, in seconds.
    pub ramp_up_seconds: Option<u64>,
    /// The longest duration, in seconds.
    pub duration_seconds: Option<u64>,
    /// Loops of each user; none when the plan runs until its time is over.
    pub loops: Option<u64>,
    /// Feeders, each with the plan's name of its file.
    pub feeders: Vec<(String, String)>,
}

impl RunOptions {
    /// The command line that runs a draft stored as `file`.
    pub fn command(&self, file: &str) -> String {
        let mut command = format!("octavo workload run {file}");
        if let Some(users) = self.virtual_users {
            command += &format!(" --virtual-users {users}");
        }
        if let Some(seconds) = self.ramp_up_seconds {
            command += &format!(" --ramp-up {seconds}s");
        }
        if let Some(seconds) = self.duration_seconds {
            command += &format!(" --duration {seconds}s");
        }
        if let Some(loops) = self.loops {
            let all = loops.saturating_mul(self.virtual_users.unwrap_or(1));
            command += &format!(" --iterations {all}");
        }
        for (feeder, file) in &self.feeders {
            command += &format!(" --feeder '{feeder}={file}'");
        }
        command
    }
}

/// Why there is no draft.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum DraftError {
    /// The text is not well formed.
    #[error("line {line}, column {column}: {reason}; {remedy}")]
    Malformed {
        /// From 1.
        line: usize,
        /// From 1.
        column: usize,
        reason: String,
        remedy: &'static str,
    },
    /// The file is of another kind.
    #[error("this is not a {wanted}: {found}; {remedy}")]
    Other {
        wanted: &'static str,
        found: String,
        remedy: &'static str,
    },
    /// A limit is exceeded.
    #[error("there are more than {limit} {of}; {remedy}")]
    TooMany {
        of: &'static str,
        limit: usize,
        remedy: &'static str,
    },
    /// No request is left.
    #[error("there is no request to convert: {reason}")]
    NoRequest {
        /// The reason and the remedy.
        reason: String,
    },
}

/// A draft of a JMeter plan (`.jmx`). Files that the plan includes are not read.
///
/// # Errors
/// When the text is not a plan, is too large, or has no HTTP request.
pub fn from_jmx(text: &str, name: &str) -> Result<Draft, DraftError> {
    from_jmx_with(text, name, &mut |_| None)
}

/// A draft of a JMeter plan; `include` returns the text of a file that the plan includes.
///
/// # Errors
/// When the text is not a plan, is too large, or has no HTTP request.
pub fn from_jmx_with(
    text: &str,
    name: &str,
    include: &mut dyn FnMut(&str) -> Option<String>,
) -> Result<Draft, DraftError> {
    jmx::draft(text, name, include)
}

/// A draft of a browser's recording (`.har`).
///
/// # Errors
/// When the text is not a recording, is too large, or has no request to a FOLIO.
pub fn from_har(text: &str, name: &str) -> Result<Draft, DraftError> {
    har::draft(text, name)
}

/// A workload's name from a file's: lower case, with hyphens.
pub(crate) fn workload_name(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        match letter {
            letter if letter.is_alphanumeric() => out.extend(letter.to_lowercase()),
            _ if out.is_empty() || out.ends_with('-') => {}
            _ => out.push('-'),
        }
    }
    let out = out.trim_end_matches('-');
    if out.is_empty() { "draft" } else { out }.to_owned()
}
