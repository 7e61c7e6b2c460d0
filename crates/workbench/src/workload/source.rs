//! Finding and reading workload files: the built-in ones, and any other by its path. Errors name
//! the file, the line and the column.

use std::ops::Range;
use std::path::Path;

use super::compile;
use super::format::WorkloadSection;
use super::plan::Workload;

/// Larger workload files are refused.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// A workload that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct BuiltIn {
    /// The name on the command line.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
}

/// The workloads that come with the program.
pub const BUILT_IN: [BuiltIn; 4] = [
    BuiltIn {
        name: "check-in-check-out",
        text: include_str!("../../../../workloads/check-in-check-out.toml"),
    },
    BuiltIn {
        name: "load-items",
        text: include_str!("../../../../workloads/load-items.toml"),
    },
    BuiltIn {
        name: "get-items",
        text: include_str!("../../../../workloads/get-items.toml"),
    },
    BuiltIn {
        name: "batch-lookup",
        text: include_str!("../../../../workloads/batch-lookup.toml"),
    },
];

/// Why a workload cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// Neither a built-in workload nor a file.
    #[error(
        "there is no workload `{name}`; built in are {}, and a path ending in .toml names a file",
        BUILT_IN.map(|one| one.name).join(", ")
    )]
    Unknown {
        /// What was asked for.
        name: String,
    },
    /// The file could not be read.
    #[error("cannot read the workload {path}: {source}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no workload.
    #[error("{file}:{line}:{column}: {message}")]
    Invalid {
        /// The file or built-in name.
        file: String,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

/// Something wrong at a place of the text.
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
    if let Some(built_in) = BUILT_IN.iter().find(|one| one.name == name) {
        return parse(built_in.name, built_in.text);
    }
    let is_path =
        name.contains('/') || Path::new(name).extension().is_some_and(|end| end == "toml");
    if !is_path {
        return Err(WorkloadError::Unknown {
            name: name.to_owned(),
        });
    }
    let unreadable = |source| WorkloadError::Unreadable {
        path: name.to_owned(),
        source,
    };
    let length = std::fs::metadata(name).map_err(unreadable)?.len();
    if length > FILE_BYTES_MAX {
        let source = std::io::Error::other(format!("{length} bytes; at most {FILE_BYTES_MAX}"));
        return Err(unreadable(source));
    }
    parse(name, &std::fs::read_to_string(name).map_err(unreadable)?)
}

/// Compiles the text of a workload; `file` is named in errors.
///
/// # Errors
/// When the text is no workload.
pub fn parse(file: &str, text: &str) -> Result<Workload, WorkloadError> {
    let invalid = |fault: Fault| {
        let (line, column) = place(text, fault.span.map_or(0, |span| span.start));
        WorkloadError::Invalid {
            file: file.to_owned(),
            line,
            column,
            message: fault.message,
        }
    };
    let section: WorkloadSection = toml::from_str(text).map_err(|error| {
        invalid(Fault {
            message: error.message().to_owned(),
            span: error.span(),
        })
    })?;
    compile::workload(section, text).map_err(invalid)
}

fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
