//! Free space on the disk of a database on this machine.

use std::path::Path;

use nix::sys::statvfs::statvfs;

const MIB: u64 = 1 << 20;
/// With less than this PostgreSQL may be unable to write: one segment of its log takes 16 MB.
const NEEDED: u64 = 32 * MIB;
/// With less than this the operator is warned.
const COMFORTABLE: u64 = 512 * MIB;

/// The message when there is too little space to work; `None` when there is enough, or it is
/// unknown.
pub(crate) fn shortage(directory: &Path) -> Option<String> {
    let free = free_bytes(directory)?;
    (free < NEEDED).then(|| {
        format!(
            "the disk of the database is full: {} MB left at {}; free some space, and writes resume by \
             themselves",
            free / MIB,
            directory.display()
        )
    })
}

/// The warning before that.
pub(crate) fn warning(directory: &Path) -> Option<String> {
    let free = free_bytes(directory)?;
    (free < COMFORTABLE).then(|| {
        format!(
            "the disk of the database has {} MB left at {}",
            free / MIB,
            directory.display()
        )
    })
}

/// The free space for users other than root.
pub(crate) fn free_bytes(directory: &Path) -> Option<u64> {
    let disk = statvfs(directory).ok()?;
    Some(disk.blocks_available().saturating_mul(disk.fragment_size()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_a_place_that_is_not_there() {
        assert_eq!(shortage(Path::new("/nowhere/at/all")), None);
        assert!(free_bytes(Path::new("/")).is_some());
    }
}
