//! Finds and reads workload files: the built-in ones, and any other by its path. Errors name the
//! file, the line and the column.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::assemble::assemble;
use super::include::Source;
use super::plan::Workload;

/// Larger workload files are rejected.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// A workload that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// The name on the command line.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(BuiltIn {
            name: $name,
            text: include_str!(concat!("../../../../workloads/", $name, ".toml")),
        }),*]
    };
}

/// The workloads that come with the program.
pub const BUILT_IN: [BuiltIn; 15] = built_in![
    "check-in-check-out",
    "load-items",
    "get-items",
    "batch-lookup",
    "formatted-records",
    "instance-search",
    "inventory-views",
    "requests-and-renewals",
    "lend-request-pay",
    "users-and-permissions",
    "orders-crud",
    "orders-queries",
    "marc-import",
    "marc-export",
    "mixed-day",
];

/// Why a workload cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// Neither a built-in workload nor a file.
    #[error(
        "there is no workload `{name}`; built in are {}, and a path ending in .toml names a file",
        BUILT_IN.map(|one| one.name).join(", ")
    )]
    Unknown { name: String },
    #[error("cannot read the workload {path}: {source}")]
    Unreadable {
        path: String,
        source: std::io::Error,
    },
    #[error("{workload} has no branch `{name}`; it has {known}")]
    NoBranch {
        workload: String,
        name: String,
        /// The branches that exist.
        known: String,
    },
    #[error("{file}:{line}:{column}: {message}")]
    Invalid {
        /// The file or built-in name.
        file: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        message: String,
    },
}

/// An error at a position of the text.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) span: Option<Range<usize>>,
}

/// Loads a built-in workload by name, or a file by its path (anything with `/` or ending in `.toml`).
///
/// # Errors
/// When there is none, or when it cannot be read or compiled.
pub fn load(name: &str) -> Result<Workload, WorkloadError> {
    load_branches(name, &[])
}

/// The same with only some of its branches, and the feeders that they need; with all of them when
/// none is named.
///
/// # Errors
/// When there is no such workload or branch, or when it cannot be read or compiled.
pub fn load_branches(name: &str, only: &[String]) -> Result<Workload, WorkloadError> {
    if let Some(built_in) = BUILT_IN.iter().find(|one| one.name == name) {
        return assemble(Source::read(built_in.name, built_in.text, None)?, only);
    }
    let is_path =
        name.contains('/') || Path::new(name).extension().is_some_and(|end| end == "toml");
    if !is_path {
        return Err(WorkloadError::Unknown {
            name: name.to_owned(),
        });
    }
    let text = read_file(Path::new(name)).map_err(|source| WorkloadError::Unreadable {
        path: name.to_owned(),
        source,
    })?;
    assemble(Source::read(name, &text, folder_of(name))?, only)
}

/// Compiles the text of a workload; `file` is the name in errors, and includes are relative to its
/// folder.
///
/// # Errors
/// When the text is not a valid workload.
pub fn parse(file: &str, text: &str) -> Result<Workload, WorkloadError> {
    assemble(Source::read(file, text, folder_of(file))?, &[])
}

fn folder_of(file: &str) -> Option<PathBuf> {
    Path::new(file).parent().map(Path::to_owned)
}

/// Reads a workload file.
pub(super) fn read_file(path: &Path) -> std::io::Result<String> {
    let length = std::fs::metadata(path)?.len();
    if length > FILE_BYTES_MAX {
        let reason = format!("{length} bytes; at most {FILE_BYTES_MAX}");
        return Err(std::io::Error::other(reason));
    }
    std::fs::read_to_string(path)
}

/// An error with its line and column.
pub(super) fn place(file: &str, text: &str, fault: Fault) -> WorkloadError {
    let (line, column) = line_and_column(text, fault.span.map_or(0, |span| span.start));
    WorkloadError::Invalid {
        file: file.to_owned(),
        line,
        column,
        message: fault.message,
    }
}

fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
