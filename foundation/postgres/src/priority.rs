//! Lets PostgreSQL's processes that do background work give way to those that answer requests. PostgreSQL itself has no
//! priorities, so this is for a database whose processes run on this machine.

use rustix::process::{Pid, getpriority_process, setpriority_process};

/// How much a process gives way, in steps of `nice`: where another wants the processor too, it has a tenth of that one's share, and a request
/// that becomes ready goes first. It still goes on, with the locks that it holds, on a machine that is never idle.
const NICE: i32 = 10;

/// Lowers the priority of a process, for as long as it runs: it takes rights to raise one again. Where that is not
/// allowed the work is done as any other.
pub(crate) fn lower(process_id: i32) {
    let Some(pid) = Pid::from_raw(process_id) else {
        return;
    };
    let lowered = getpriority_process(Some(pid))
        .and_then(|usual| setpriority_process(Some(pid), usual + NICE));
    if let Err(error) = lowered {
        tracing::debug!(process_id, %error, "background work has the priority of requests");
        return;
    }
    // Linux shares processors among sessions first where it groups processes by them, and each backend is a session of its
    // own: then only the priority of the group counts.
    let group = format!("/proc/{process_id}/autogroup");
    if let Err(error) = std::fs::write(group, NICE.to_string()) {
        tracing::trace!(process_id, %error, "processes are not grouped by their sessions");
    }
}
