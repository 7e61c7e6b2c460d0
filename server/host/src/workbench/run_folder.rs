//! The folders of runs: one for each, with what was asked, and with what the run writes.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

const FACTS: &str = "facts.json";
pub(super) const REPORT: &str = "report.json";
pub(super) const PAGE: &str = "report.html";
/// Written when the process has ended, so that a run that a crash cut short is known as such.
const ENDED: &str = "ended.json";
/// The most runs kept for a tenant; the oldest go.
const RUNS_MAX: usize = 100;

/// What is known of a run from its start.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RunFacts {
    pub id: Uuid,
    pub name: String,
    pub workload: String,
    pub started_at: Timestamp,
    pub virtual_users: u32,
    pub ramp_up_seconds: u32,
    pub duration_seconds: u32,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum RunState {
    Running,
    Ended,
    Stopped,
    Failed,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct RunEnd {
    pub state: RunState,
    pub seconds: u64,
    /// Why it failed, in the words of the run.
    pub reason: Option<String>,
}

/// The runs of one tenant.
#[derive(Debug)]
pub(super) struct RunFolders(pub(super) PathBuf);

impl RunFolders {
    pub(super) fn of(&self, id: Uuid) -> PathBuf {
        self.0.join(id.to_string())
    }

    /// Makes the folder of a new run, and deletes the oldest ones above the limit.
    pub(super) fn make(&self, facts: &RunFacts) -> io::Result<PathBuf> {
        let mut earlier = self.list()?;
        while earlier.len() >= RUNS_MAX {
            if let Some((oldest, _)) = earlier.pop() {
                fs::remove_dir_all(self.of(oldest.id))?;
            }
        }
        let folder = self.of(facts.id);
        fs::create_dir_all(&folder)?;
        write(&folder.join(FACTS), facts)?;
        Ok(folder)
    }

    /// The runs, the latest first, with how they ended: none while one is under way or was cut short.
    pub(super) fn list(&self) -> io::Result<Vec<(RunFacts, Option<RunEnd>)>> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut runs = Vec::new();
        for entry in entries {
            // A folder that is being made or deleted has no facts.
            if let Some(facts) = read::<RunFacts>(&entry?.path().join(FACTS))? {
                let end = read(&self.of(facts.id).join(ENDED))?;
                runs.push((facts, end));
            }
        }
        runs.sort_by_key(|(facts, _)| std::cmp::Reverse(facts.started_at));
        Ok(runs)
    }

    pub(super) fn facts(&self, id: Uuid) -> io::Result<Option<(RunFacts, Option<RunEnd>)>> {
        let folder = self.of(id);
        let Some(facts) = read(&folder.join(FACTS))? else {
            return Ok(None);
        };
        Ok(Some((facts, read(&folder.join(ENDED))?)))
    }

    pub(super) fn end(&self, id: Uuid, end: &RunEnd) -> io::Result<()> {
        write(&self.of(id).join(ENDED), end)
    }

    /// A file that the run has written; none before.
    pub(super) fn file(&self, id: Uuid, name: &str) -> io::Result<Option<Vec<u8>>> {
        match fs::read(self.of(id).join(name)) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn write<T: Serialize>(path: &Path, value: &T) -> io::Result<()> {
    let part = path.with_extension("part");
    fs::write(&part, serde_json::to_vec_pretty(value)?)?;
    fs::rename(part, path)
}

fn read<T: for<'de> Deserialize<'de>>(path: &Path) -> io::Result<Option<T>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
