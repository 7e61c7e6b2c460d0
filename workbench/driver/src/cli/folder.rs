//! A run's report folder: its record, the written reports, percentile listings. Existing files are
//! replaced by renaming, so that neither a reader nor a crash ever leaves half a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use octavo_figures::Series;
use octavo_figures::run::{FORMAT, Run};
use serde::{Deserialize, Serialize};

const RECORD: &str = "run.json";
const ARGUMENTS: &str = "arguments.json";
/// A larger record is not ours.
const RECORD_BYTES_MAX: u64 = 1 << 30;

/// A report folder.
#[derive(Debug, Clone)]
pub(super) struct Folder(PathBuf);

/// How a run was started, so that it can be resumed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct RunRequest {
    /// The arguments after `workload run`, without the password and with the seed.
    pub(super) words: Vec<String>,
    /// Its planned length in seconds.
    pub(super) planned_s: f64,
}

impl Folder {
    /// Creates the folder if it does not exist.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        fs::create_dir_all(path)
            .with_context(|| format!("cannot make the folder {}", path.display()))?;
        Ok(Self(path.to_owned()))
    }

    /// An existing folder.
    pub(super) fn open(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    /// Stores how the run was started.
    pub(super) fn keep_asked(&self, asked: &RunRequest) -> anyhow::Result<()> {
        self.replace(ARGUMENTS, &serde_json::to_string_pretty(asked)?)
    }

    /// How the run was started.
    pub(super) fn asked(&self) -> anyhow::Result<RunRequest> {
        let path = self.0.join(ARGUMENTS);
        let text = fs::read_to_string(&path).with_context(|| {
            format!(
                "{} cannot be read; only a run with --report can be resumed",
                path.display()
            )
        })?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is not such a file", path.display()))
    }

    /// Stores the record of a run.
    pub(super) fn keep(&self, run: &Run) -> anyhow::Result<()> {
        self.replace(RECORD, &serde_json::to_string(run)?)
    }

    /// Writes a file of the folder.
    pub(super) fn replace(&self, name: &str, text: &str) -> anyhow::Result<()> {
        replace(&self.0.join(name), text)
    }

    /// Writes all files of a completed run.
    pub(super) fn write(&self, run: &Run, reports: &[(&str, String)]) -> anyhow::Result<()> {
        self.keep(run)?;
        for (name, text) in reports {
            self.replace(name, text)?;
        }
        let listings = self.0.join("percentiles");
        fs::create_dir_all(&listings)
            .with_context(|| format!("cannot make the folder {}", listings.display()))?;
        for (name, transaction, figures) in run.all() {
            if transaction {
                let listing = |series: &Series, from: &str| {
                    let file = listings.join(format!("{}-{from}.hgrm", file_name(name)));
                    replace(&file, &series.hgrm())
                };
                listing(&figures.series, "from-sending")?;
                if let Some(intended) = &figures.intended_series {
                    listing(intended, "from-due")?;
                }
            }
        }
        Ok(())
    }
}

/// A record in a format of a later release.
#[derive(Debug, thiserror::Error)]
#[error(
    "{file} was written by a later release of this program (format {format}, this one reads {FORMAT})"
)]
pub(super) struct TooNew {
    file: String,
    format: u32,
}

/// Reads the record of a run from its folder or file.
pub(super) fn read_run(path: &Path) -> anyhow::Result<Run> {
    let file = match path.is_dir() {
        true => path.join(RECORD),
        false => path.to_owned(),
    };
    let shown = file.display();
    let about = fs::metadata(&file).with_context(|| format!("{shown} cannot be read"))?;
    if about.len() > RECORD_BYTES_MAX {
        return Err(anyhow!(
            "{shown} has {} bytes; no record of a run is so large",
            about.len()
        ));
    }
    let text = fs::read_to_string(&file).with_context(|| format!("{shown} cannot be read"))?;
    let run: Run = serde_json::from_str(&text)
        .with_context(|| format!("{shown} is not a record of `workload run`"))?;
    if run.format > FORMAT {
        return Err(TooNew {
            file: shown.to_string(),
            format: run.format,
        }
        .into());
    }
    Ok(run)
}

pub(super) fn read_runs(paths: &[PathBuf]) -> anyhow::Result<Vec<Run>> {
    paths.iter().map(|path| read_run(path)).collect()
}

/// Writes a temporary file and renames it.
pub(super) fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    let cannot = || format!("cannot write {}", path.display());
    let beside = path.with_extension("part");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // What is left of a file on a full disk is useless.
        let _: io::Result<()> = fs::remove_file(&beside);
    }
    written.with_context(cannot)
}

/// A name without characters that file systems reject.
pub(super) fn file_name(name: &str) -> String {
    let plain = |letter: char| match letter.is_alphanumeric() || "-_.".contains(letter) {
        true => letter,
        false => '-',
    };
    let name: String = name.chars().take(100).map(plain).collect();
    name.trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_file_names() {
        assert_eq!(file_name("Check-Out Controller"), "Check-Out-Controller");
        assert_eq!(
            file_name("../GET inventory/items?query=barcode=="),
            "GET-inventory-items-query-barcode"
        );
    }
}
