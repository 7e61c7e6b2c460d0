//! One server process: starting, recognizing, awaiting and ending it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::process::Child;

/// How often a process that is not a child is checked.
const WATCH_EVERY: Duration = Duration::from_millis(200);

/// A running server.
#[derive(Debug)]
pub(super) enum Postmaster {
    /// Started by this process.
    Child(Child),
    /// Left by an earlier octavo: it can only be polled.
    Adopted { pid: i32, cluster: PathBuf },
}

impl Postmaster {
    pub(super) fn pid(&self) -> Option<i32> {
        match self {
            Self::Child(child) => child.id().and_then(|pid| i32::try_from(pid).ok()),
            Self::Adopted { pid, .. } => Some(*pid),
        }
    }

    /// Waits for the end and describes its cause.
    pub(super) async fn wait(&mut self) -> String {
        match self {
            Self::Child(child) => match child.wait().await {
                Ok(status) => status.to_string(),
                Err(error) => error.to_string(),
            },
            Self::Adopted { pid, cluster } => {
                while is_postmaster_of(*pid, cluster) {
                    tokio::time::sleep(WATCH_EVERY).await;
                }
                "it is gone".to_owned()
            }
        }
    }

    /// Fast shutdown; immediate shutdown, then a kill, when that takes longer than `patience`.
    pub(super) async fn stop(&mut self, patience: Duration) {
        let steps = [
            (Signal::SIGINT, patience),
            (Signal::SIGQUIT, Duration::from_secs(5)),
            (Signal::SIGKILL, Duration::from_secs(5)),
        ];
        for (signal, wait) in steps {
            let Some(pid) = self.pid() else { return };
            send(pid, signal);
            if tokio::time::timeout(wait, self.wait()).await.is_ok() {
                return;
            }
            tracing::warn!(pid, %signal, "PostgreSQL did not end in time");
        }
    }
}

/// Sends a signal; a process that has ended is not an error.
pub(super) fn send(pid: i32, signal: Signal) {
    if let Err(errno) = kill(Pid::from_raw(pid), signal)
        && errno != Errno::ESRCH
    {
        tracing::warn!(pid, %signal, %errno, "could not signal PostgreSQL");
    }
}

/// The content of a running server's `postmaster.pid`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PidFile {
    pub pid: i32,
    pub port: u16,
    pub socket_directory: PathBuf,
}

pub(super) fn pid_file_path(cluster: &Path) -> PathBuf {
    cluster.join("postmaster.pid")
}

impl PidFile {
    pub(super) fn read(cluster: &Path) -> Option<Self> {
        Self::parse(&std::fs::read_to_string(pid_file_path(cluster)).ok()?)
    }

    /// Lines: pid, data directory, start time, port, socket directory, address, key, status.
    fn parse(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        Some(Self {
            pid: lines.first()?.trim().parse().ok().filter(|pid| *pid > 1)?,
            port: lines.get(3)?.trim().parse().ok()?,
            socket_directory: PathBuf::from(lines.get(4)?.trim()),
        })
    }
}

/// Whether the process lives and is the server of this cluster: after a reboot the id may belong to
/// any process.
pub(super) fn is_postmaster_of(pid: i32, cluster: &Path) -> bool {
    match kill(Pid::from_raw(pid), None) {
        Ok(()) | Err(Errno::EPERM) => {}
        Err(_) => return false,
    }
    let process = PathBuf::from(format!("/proc/{pid}"));
    if !process
        .parent()
        .is_some_and(|proc| proc.join("self").exists())
    {
        return true; // Without /proc there is no evidence against it.
    }
    match std::fs::read_link(process.join("cwd")) {
        // A server's working directory is its cluster.
        Ok(directory) => directory == cluster,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            std::fs::read_to_string(process.join("comm"))
                .is_ok_and(|name| name.trim() == "postgres")
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pid_file_is_read_line_by_line() {
        let text = "4711\n/data/cluster\n1700000000\n5432\n/data/run\n\n  1 2\nready   \n";
        let expected = PidFile {
            pid: 4711,
            port: 5432,
            socket_directory: PathBuf::from("/data/run"),
        };
        assert_eq!(PidFile::parse(text), Some(expected));
        assert_eq!(PidFile::parse(""), None);
        assert_eq!(PidFile::parse("-1\n\n\n5432\n/x\n"), None);
    }

    #[test]
    fn another_process_is_not_the_server() {
        let us = i32::try_from(std::process::id()).unwrap();
        assert!(!is_postmaster_of(us, Path::new("/nowhere")));
        assert!(!is_postmaster_of(i32::MAX, Path::new("/nowhere")));
    }
}
