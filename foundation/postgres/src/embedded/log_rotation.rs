//! Limits the size of the server's log. The server appends to a file that it opened once, so the
//! file is copied and truncated rather than renamed; lines written in between are lost.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// The size at which the log is rotated, in bytes.
const LIMIT: u64 = 20 << 20;
/// The number of old logs kept.
const KEPT: u32 = 3;

/// Rotates `postgresql.log` to `.1`, `.1` to `.2` and so on, when it has grown too large.
pub(super) fn rotate_if_large(log: &Path) -> io::Result<bool> {
    rotate_above(log, LIMIT)
}

fn rotate_above(log: &Path, limit: u64) -> io::Result<bool> {
    match fs::metadata(log) {
        Ok(metadata) if metadata.len() > limit => {}
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    for number in (1..KEPT).rev() {
        match fs::rename(numbered(log, number), numbered(log, number + 1)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::copy(log, numbered(log, 1))?;
    OpenOptions::new().write(true).open(log)?.set_len(0)?;
    Ok(true)
}

fn numbered(log: &Path, number: u32) -> PathBuf {
    let mut name = log.as_os_str().to_owned();
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_log_moves_aside() {
        let directory = std::env::temp_dir().join(format!("octavo-log-{}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        let log = directory.join("postgresql.log");
        for round in 0..5 {
            fs::write(&log, format!("round {round}")).unwrap();
            assert!(rotate_above(&log, 3).unwrap());
        }
        assert_eq!(fs::read_to_string(&log).unwrap(), "");
        assert_eq!(fs::read_to_string(numbered(&log, 1)).unwrap(), "round 4");
        assert_eq!(fs::read_to_string(numbered(&log, 3)).unwrap(), "round 2");
        assert!(!numbered(&log, 4).exists());
        assert!(!rotate_above(&log, 3).unwrap());
        fs::remove_dir_all(&directory).unwrap();
    }
}
