//! `octavo workload draft`: reads a plan or a recording, writes a workload file, and prints on
//! standard error what could not be converted.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::draft::{self, Draft, DraftError, FILE_BYTES_MAX};
use crate::note;

/// Help after the options.
pub const HELP: &str = "\
Examples:
  octavo workload draft circulation_checkInCheckOut_orchid.jmx --output desk.toml
  octavo workload draft folio.example.org.har --name my-morning > my-morning.toml

A JMeter plan or a browser's recording (developer tools, network, \"Save all as HAR with content\")
becomes a workload file. It is a draft: what could not be taken stands on standard error, each thing
with its line in the plan. Tokens, cookies and passwords of a recording are not written.

Exit status: 0, or 2 when there is no draft.";

/// The exit status for a draft.
const CLEAN: u8 = 0;
/// The exit status for no draft.
const UNUSABLE: u8 = 2;

#[derive(Debug, Args)]
pub struct DraftArgs {
    /// A JMeter plan (.jmx) or a browser's recording (.har)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The workload's name [default: that of the file]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Write the draft here instead of to standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Why a file gave no draft.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    #[error("cannot read {file}: {source}")]
    Unreadable {
        file: PathBuf,
        source: std::io::Error,
    },
    #[error("{file} has {bytes} bytes; at most {FILE_BYTES_MAX} are read: record or save less")]
    TooLarge { file: PathBuf, bytes: u64 },
    /// Its extension is neither that of a plan nor of a recording.
    #[error("{file} is neither .jmx nor .har; rename it to what it is")]
    Unknown { file: PathBuf },
    /// No draft can be made of it.
    #[error("{file}: {source}")]
    NoDraft { file: PathBuf, source: DraftError },
    #[error("cannot write {file}: {source}")]
    Unwritable {
        file: PathBuf,
        source: std::io::Error,
    },
}

/// Runs the command; returns the exit status.
///
/// # Errors
/// When the draft cannot be printed.
pub fn run(arguments: &DraftArgs) -> anyhow::Result<u8> {
    let draft = match read(arguments) {
        Ok(draft) => draft,
        Err(error) => {
            eprintln!("error: {error}");
            return Ok(UNUSABLE);
        }
    };
    eprint!("{}", note::to_text(&draft.notes));
    let shown = arguments
        .output
        .as_deref()
        .unwrap_or(Path::new("DRAFT.toml"));
    eprintln!(
        "taken: {} of {} requests\nrun it: {}",
        draft.taken,
        draft.requests,
        draft.run.command(&shown.display().to_string())
    );
    match &arguments.output {
        None => match std::io::stdout().write_all(draft.toml.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(CLEAN),
        },
        Some(file) => match std::fs::write(file, &draft.toml) {
            Ok(()) => Ok(CLEAN),
            Err(source) => {
                let file = file.clone();
                eprintln!("error: {}", CliError::Unwritable { file, source });
                Ok(UNUSABLE)
            }
        },
    }
}

/// Makes the requested draft.
///
/// # Errors
/// When the file cannot be read, or gives no draft.
pub fn read(arguments: &DraftArgs) -> Result<Draft, CliError> {
    let file = arguments.file.clone();
    let unreadable = |source| CliError::Unreadable {
        file: file.clone(),
        source,
    };
    let bytes = std::fs::metadata(&file).map_err(unreadable)?.len();
    if bytes > FILE_BYTES_MAX {
        return Err(CliError::TooLarge { file, bytes });
    }
    let ending = file.extension().and_then(|ending| ending.to_str());
    let ending = ending.unwrap_or_default().to_lowercase();
    if !matches!(ending.as_str(), "jmx" | "har") {
        return Err(CliError::Unknown { file });
    }
    let text = std::fs::read(&file).map_err(unreadable)?;
    // Plans from other systems have other encodings in comments, which a draft does not need.
    let text = String::from_utf8_lossy(&text);
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = arguments.name.as_deref().unwrap_or(&stem);
    let folder = file.parent().unwrap_or(Path::new("")).to_owned();
    let draft = match ending.as_str() {
        "har" => draft::from_har(&text, name),
        _ => draft::from_jmx_with(&text, name, &mut |path| included(&folder, path)),
    };
    draft.map_err(|source| CliError::NoDraft { file, source })
}

/// A file that a plan includes, looked up in the plan's folder and its parents, because plans name
/// it relative to where JMeter was started.
fn included(folder: &Path, path: &str) -> Option<String> {
    let path = Path::new(path);
    let is_plan = path.extension().is_some_and(|ending| ending == "jmx");
    let is_below = path.components().all(|part| {
        matches!(
            part,
            std::path::Component::Normal(_) | std::path::Component::CurDir
        )
    });
    if !is_plan || !is_below {
        return None;
    }
    let folder = folder.canonicalize().ok()?;
    let found = folder
        .ancestors()
        .map(|one| one.join(path))
        .find(|one| one.is_file())?;
    let is_small = std::fs::metadata(&found).ok()?.len() <= FILE_BYTES_MAX;
    let text = is_small.then(|| std::fs::read(found).ok()).flatten()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
