//! Options for short runs, and temporary files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use octavo_client::{Limits, Trust};
use octavo_driver::drive::{Control, ProgressStyle, RunOptions};
use octavo_driver::session::Target;
use octavo_driver::workload::{self, Workload};

pub fn target(url: &str) -> Target {
    Target {
        url: url.to_owned(),
        trust: Trust::System,
        tenant: "diku".to_owned(),
        username: "diku_admin".to_owned(),
        password: "admin".to_owned(),
    }
}

pub fn check_in_check_out() -> Workload {
    workload::load("check-in-check-out").unwrap()
}

/// One request an iteration: the example in the workloads' README.
pub fn look_up() -> Workload {
    let readme = include_str!("../../../../workloads/README.md");
    let (_, rest) = readme.split_once("```toml\n").unwrap();
    workload::parse("README.md", rest.split_once("```").unwrap().0).unwrap()
}

/// A run of so many iterations by one user without pauses; the time is only a safety net.
pub fn options(url: &str, workload: Workload, iterations: u64) -> RunOptions {
    RunOptions {
        workload,
        target: target(url),
        virtual_users: 1,
        ramp_up: Duration::ZERO,
        duration: Duration::from_secs(120),
        rate: None,
        until: None,
        warm_up: Duration::ZERO,
        think: false,
        weights: None,
        seed: 42,
        threads: 2,
        files: Vec::new(),
        rows_from_tenant: None,
        iterations: Some(iterations),
        jtl: None,
        stages: Vec::new(),
        offset: Duration::ZERO,
        share: (0, 1),
        name: None,
        control: Control::default(),
        progress: ProgressStyle::Silent,
        limits: Limits::default(),
    }
}

/// A file in the temporary folder, removed when dropped.
pub struct TempFile {
    path: PathBuf,
    /// Another file that it needs.
    other: Option<Box<TempFile>>,
}

impl TempFile {
    pub fn new(text: &str) -> Self {
        Self::named("", text)
    }

    pub fn new_toml(text: &str) -> Self {
        Self::named(".toml", text)
    }

    fn named(end: &str, text: &str) -> Self {
        let name = format!("octavo-driver-{}{end}", uuid::Uuid::new_v4());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self { path, other: None }
    }

    /// Keeps another file for as long as this one.
    pub fn with(mut self, other: TempFile) -> Self {
        self.other = Some(Box::new(other));
        self
    }

    pub fn inner(&self) -> &TempFile {
        self.other.as_ref().unwrap()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}
