//! The limit on open files: each client connection is one.

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// Files that are not client connections: the database's, remote modules', logs, pipes.
const OTHER_FILES: u64 = 512;
/// With fewer, serving would make no sense.
const CONNECTIONS_MIN: u64 = 64;

/// Raises the limit as far as this user may, and returns how many client connections fit, at most
/// `wanted`. Systems give a process 1,024 files unless it asks for more.
#[must_use]
pub fn connections(wanted: usize) -> usize {
    let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE) else {
        return wanted;
    };
    let enough = (wanted as u64).saturating_add(OTHER_FILES);
    let mut allowed = soft;
    if soft < enough {
        let raised = enough.min(hard);
        if setrlimit(Resource::RLIMIT_NOFILE, raised, hard).is_ok() {
            allowed = raised;
        }
    }
    let fit = fitting(wanted, allowed);
    if fit < wanted {
        tracing::warn!(
            "{allowed} open files are allowed, so {fit} clients can be connected at once; \
             `ulimit -n {enough}` allows {wanted}"
        );
    }
    fit
}

fn fitting(wanted: usize, allowed: u64) -> usize {
    let room = allowed.saturating_sub(OTHER_FILES).max(CONNECTIONS_MIN);
    usize::try_from(room).unwrap_or(usize::MAX).min(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_files_are_kept_for_others() {
        assert_eq!(fitting(10_000, 20_000), 10_000);
        assert_eq!(fitting(10_000, 1_024), 512);
        assert_eq!(fitting(10_000, 100), 64);
    }
}
