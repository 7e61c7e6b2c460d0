//! The process itself: processor time, memory, open files. From Linux's /proc; elsewhere they are left out.

use std::fs;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::text::{Exposition, Kind};

/// Clock ticks of a second in /proc; Linux shows the same number on every machine.
const TICKS: f64 = 100.0;

/// About when the process started: the first look at it is at its start.
static STARTED: LazyLock<f64> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs_f64()
});

/// Notes the start of the process.
pub(crate) fn started() {
    LazyLock::force(&STARTED);
}

pub(super) fn write(text: &mut Exposition) {
    let help = "When the process started, in seconds since 1970.";
    text.single(
        "process_start_time_seconds",
        Kind::Gauge,
        help,
        format!("{:.2}", *STARTED),
    );
    text.family("octavo_build_info", Kind::Gauge, "The release that runs.");
    let version = [("version", env!("CARGO_PKG_VERSION"))];
    text.sample("octavo_build_info", &version, 1);
    if let Some(seconds) = fs::read_to_string("/proc/self/stat")
        .ok()
        .as_deref()
        .and_then(cpu)
    {
        let help = "Processor time of all threads.";
        text.single("process_cpu_seconds_total", Kind::Counter, help, seconds);
    }
    if let Some(bytes) = fs::read_to_string("/proc/self/status")
        .ok()
        .as_deref()
        .and_then(memory)
    {
        let help = "Memory that is in use.";
        text.single("process_resident_memory_bytes", Kind::Gauge, help, bytes);
    }
    if let Ok(open) = fs::read_dir("/proc/self/fd") {
        text.single(
            "process_open_fds",
            Kind::Gauge,
            "Open files and connections.",
            open.count(),
        );
    }
}

/// Processor time from /proc/self/stat: user and system time are the 14th and 15th field. The second is a name
/// in parentheses, which may hold blanks.
fn cpu(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / TICKS)
}

/// Resident memory from /proc/self/status.
fn memory(status: &str) -> Option<u64> {
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_whatever_the_program_is_called() {
        let stat = "1 (a) b) S 1 1 1 0 -1 4194560 1 2 3 4 250 50 0 0 20 0";
        assert_eq!(cpu(stat), Some(3.0));
        assert_eq!(cpu("nonsense"), None);
        assert_eq!(memory("Name: x\nVmRSS:\t    1024 kB\n"), Some(1_048_576));
    }
}
