//! The processor time of this process: the driver's own cost.

use std::time::Duration;

/// Linux counts it in hundredths of a second for every architecture's user space.
const TICK: Duration = Duration::from_millis(10);

/// User and system time so far; `None` where the system does not report it.
pub fn time_used() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The command name may contain blanks; the fields after its parenthesis do not.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let user: u32 = fields.get(11)?.parse().ok()?;
    let system: u32 = fields.get(12)?.parse().ok()?;
    Some(TICK * (user.saturating_add(system)))
}
