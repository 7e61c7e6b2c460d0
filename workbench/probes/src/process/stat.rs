//! Parses one process's files in `/proc`. Texts in, values out; what cannot be parsed is `None`.

use std::path::PathBuf;

/// Linux counts processor time in hundredths of a second for every architecture's user space.
pub(super) const TICKS_PER_SECOND: f64 = 100.0;

/// A process's line in `/proc/PID/stat`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stat {
    pub pid: i32,
    /// The name of the command, cut by Linux to 15 bytes.
    pub name: String,
    pub parent: i32,
    /// Whether it is a zombie.
    pub ended: bool,
    /// Processor time of its own.
    pub ticks: u64,
    /// Processor time of its reaped children.
    pub reaped: u64,
    /// When it started: together with its id this identifies a process, even if ids are reused.
    pub started: u64,
}

/// The resident memory of a process, in kB.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Resident {
    pub all: u64,
    /// The part that may be shared with other processes.
    pub shared: u64,
}

fn path(pid: i32, file: &str) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/{file}"))
}

fn read_text(pid: i32, file: &str) -> Option<String> {
    let bytes = std::fs::read(path(pid, file)).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// A living process or a zombie.
pub(crate) fn read(pid: i32) -> Option<Stat> {
    parse(&read_text(pid, "stat")?)
}

/// All processes.
pub(crate) fn read_all() -> Vec<Stat> {
    pids().filter_map(read).collect()
}

/// The ids of all processes.
pub(crate) fn pids() -> impl Iterator<Item = i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// The arguments of a process, its program first.
pub(crate) fn arguments(pid: i32) -> Vec<String> {
    let text = read_text(pid, "cmdline").unwrap_or_default();
    let parts = text.trim_end_matches('\0').split('\0');
    parts.map(str::to_owned).collect()
}

/// Its proportional share of memory: a page shared by several processes counts for each by its
/// part. Linux walks all pages for that, and allows it only to those who may inspect the process
/// anyway.
pub(super) fn proportional_kb(pid: i32) -> Option<u64> {
    kilobytes(&read_text(pid, "smaps_rollup")?, "Pss:")
}

/// Its resident memory, without a walk.
pub(super) fn resident(pid: i32) -> Option<Resident> {
    let text = read_text(pid, "status")?;
    // A zombie has no memory, and these lines are missing.
    let all = kilobytes(&text, "VmRSS:")?;
    let file = kilobytes(&text, "RssFile:").unwrap_or(0);
    let shared = file + kilobytes(&text, "RssShmem:").unwrap_or(0);
    Some(Resident { all, shared })
}

fn parse(text: &str) -> Option<Stat> {
    let (pid, rest) = text.split_once(" (")?;
    // The name may contain parentheses and blanks; the fields behind its last parenthesis do not.
    let (name, rest) = rest.rsplit_once(") ")?;
    let fields: Vec<&str> = rest.split_ascii_whitespace().collect();
    let number = |place: usize| fields.get(place)?.parse::<i64>().ok();
    let count = |place: usize| Some(number(place)?.max(0).unsigned_abs());
    Some(Stat {
        pid: pid.trim().parse().ok()?,
        name: name.to_owned(),
        parent: fields.get(1)?.parse().ok()?,
        ended: matches!(*fields.first()?, "Z" | "X"),
        ticks: count(11)?.saturating_add(count(12)?),
        reaped: count(13)?.saturating_add(count(14)?),
        started: count(19)?,
    })
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_may_hold_anything() {
        let text = "42 (a) b (c) R 7 1 1 0 -1 4194560 1 2 3 4 50 25 9 1 20 0 1 0 777 1 2 3";
        let expected = Stat {
            pid: 42,
            name: "a) b (c".to_owned(),
            parent: 7,
            ended: false,
            ticks: 75,
            reaped: 10,
            started: 777,
        };
        assert_eq!(parse(text), Some(expected));
        for text in ["", "42", "42 (x)", "42 (x) R", "x (y) R 1 2 3"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn memory_is_found_among_other_lines() {
        let text = "00400000-7ff [rollup]\nRss:   900 kB\nPss:     123 kB\nPss_Anon: 5 kB\n";
        assert_eq!(kilobytes(text, "Pss:"), Some(123));
        assert_eq!(kilobytes(text, "Shared:"), None);
        assert_eq!(kilobytes("Pss: much kB", "Pss:"), None);
    }

    #[test]
    fn this_process_is_seen() {
        let pid = i32::try_from(std::process::id()).unwrap();
        let stat = read(pid).unwrap();
        assert_eq!(stat.pid, pid);
        assert!(read_all().iter().any(|other| other.started == stat.started));
        assert!(resident(pid).unwrap().all > 1_000);
        assert!(!arguments(pid)[0].is_empty());
        assert_eq!(read(i32::MAX), None);
    }
}
