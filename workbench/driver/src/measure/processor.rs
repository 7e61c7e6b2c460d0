//! The processor time this process has used, to tell what the driver itself costs.

use std::time::Duration;

/// Linux counts it in hundredths of a second for every architecture's user space.
const TICK: Duration = Duration::from_millis(10);

/// User and system time so far; `None` where the system does not tell.
pub fn time_used() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The command name may hold blanks; the fields after its bracket do not.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let user: u32 = fields.get(11)?.parse().ok()?;
    let system: u32 = fields.get(12)?.parse().ok()?;
    Some(TICK * (user.saturating_add(system)))
}
