//! The machine that the probes run on: its hardware, and its load as a whole.

use std::fs;

use crate::recorder::Recorder;

/// Linux counts processor time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// Records the machine. `whose` prefixes each name when it is not the server's.
pub(crate) fn describe(recorder: &Recorder, whose: &str) {
    let fact = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            recorder.infrastructure(&format!("{whose}{name}"), value);
        }
    };
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    fact("processor", Some(model(&processors)));
    fact("processors", Some(count(&processors)));
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = kilobytes(&memory, "MemTotal:");
    fact(
        "memory",
        total.map(|kb| format!("{:.1} GB", kb * 1024.0 / 1e9)),
    );
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").ok();
    fact(
        "kernel",
        kernel.map(|text| format!("Linux {}", text.trim())),
    );
    let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = system
        .lines()
        .find_map(|line| line.strip_prefix("PRETTY_NAME="));
    fact("system", name.map(|name| name.trim_matches('"').to_owned()));
}

fn model(text: &str) -> String {
    let named = text.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "model name").then(|| value.trim().to_owned())
    });
    // ARM's processors have no name there.
    named.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

fn count(text: &str) -> String {
    let all = text
        .lines()
        .filter(|line| line.starts_with("processor"))
        .count();
    let usable = std::thread::available_parallelism().map_or(all, usize::from);
    match usable == all || all == 0 {
        true => usable.to_string(),
        false => format!("{usable} of {all}"),
    }
}

fn kilobytes(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Processor time of everything on the machine so far, in seconds.
pub(crate) fn processor_s() -> Option<f64> {
    busy_ticks(&fs::read_to_string("/proc/stat").ok()?).map(|ticks| ticks / TICKS_PER_SECOND)
}

/// User, nice, system, idle, waiting, interrupts, soft interrupts, stolen; the guests' time is in
/// the user's already.
fn busy_ticks(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let fields: Vec<f64> = line
        .split_ascii_whitespace()
        .map_while(|field| field.parse().ok())
        .collect();
    (fields.len() >= 7).then(|| fields[..3].iter().sum::<f64>() + fields[5..7].iter().sum::<f64>())
}

/// Memory in use, in MB.
pub(crate) fn memory_used_mb() -> Option<f64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let used = kilobytes(&text, "MemTotal:")? - kilobytes(&text, "MemAvailable:")?;
    Some(used * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[test]
    fn idle_and_waiting_time_is_not_work() {
        assert_eq!(
            busy_ticks("cpu  10 1 5 900 80 2 3 4 7 0\ncpu0 1 1"),
            Some(21.0)
        );
        assert_eq!(busy_ticks("cpu  10 1"), None);
        assert_eq!(busy_ticks(""), None);
    }

    #[test]
    fn processors_are_named_where_they_have_a_name() {
        assert_eq!(model("processor\t: 0\nmodel name\t: A: B\n"), "A: B");
        assert_eq!(model("processor\t: 0\n"), std::env::consts::ARCH);
    }

    #[test]
    fn this_machine_is_described() {
        let recorder = Recorder::new(Instant::now());
        describe(&recorder, "");
        let lines = recorder.take(Instant::now()).infrastructure;
        for name in ["processor", "processors", "memory", "kernel"] {
            let found = lines.iter().find(|(line, _)| line == name);
            assert!(found.is_some_and(|(_, value)| !value.is_empty()), "{name}");
        }
        assert!(processor_s().unwrap() > 0.0 && memory_used_mb().unwrap() > 0.0);
    }
}
