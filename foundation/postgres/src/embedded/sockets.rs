//! A directory for the server's socket that only octavo's user can enter: any other local user who
//! could would be the database's superuser.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::error::{EmbeddedError, io_error};
use super::owner::Owner;

/// Longest path of a Unix socket, without the terminating NUL.
const PATH_LIMIT: usize = 107;
/// Longest file name that PostgreSQL creates: "/.s.PGSQL." and a port.
const FILE_NAME: usize = "/.s.PGSQL.65535".len();

/// `run` in the data directory, or a directory with a short name when that path is too long.
pub(super) fn prepare(data_dir: &Path, owner: &Owner) -> Result<PathBuf, EmbeddedError> {
    let near = data_dir.join("run");
    // A comma would split the setting's value in two.
    if fits(&near) && !near.as_os_str().as_bytes().contains(&b',') {
        return make_private(near, owner);
    }
    make_private(short_base().join(short_name(data_dir)), owner)
}

/// Removes a directory outside the data directory, once the server has ended.
pub(super) fn tidy(directory: &Path, data_dir: &Path) {
    if !directory.starts_with(data_dir) {
        // Not empty, or gone already: then it is not ours to remove.
        let _ = fs::remove_dir(directory);
    }
}

fn fits(directory: &Path) -> bool {
    directory.as_os_str().len() + FILE_NAME <= PATH_LIMIT
}

fn short_base() -> PathBuf {
    if nix::unistd::geteuid().is_root() && Path::new("/run").is_dir() {
        return PathBuf::from("/run");
    }
    std::env::var_os("XDG_RUNTIME_DIR")
        .map(PathBuf::from)
        .filter(|path| path.is_dir() && path.as_os_str().len() < 60)
        .unwrap_or_else(|| PathBuf::from("/tmp"))
}

/// The same name for the same data directory, so that a running server is found again.
fn short_name(data_dir: &Path) -> String {
    let digest = Sha256::digest(data_dir.as_os_str().as_bytes());
    digest
        .iter()
        .take(8)
        .fold(String::from("octavo-"), |mut name, byte| {
            let _ = write!(name, "{byte:02x}");
            name
        })
}

fn make_private(path: PathBuf, owner: &Owner) -> Result<PathBuf, EmbeddedError> {
    match fs::DirBuilder::new().mode(0o700).create(&path) {
        Ok(()) => owner.own(&path)?,
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(io_error("create", &path)(error)),
    }
    // Without following links: in /tmp anybody may have put one there.
    let metadata = fs::symlink_metadata(&path).map_err(io_error("examine", &path))?;
    let reason = if !metadata.is_dir() {
        "it is not a directory".to_owned()
    } else if metadata.uid() != owner.uid() {
        format!(
            "it belongs to user id {}, not {}",
            metadata.uid(),
            owner.uid()
        )
    } else if metadata.mode() & 0o077 != 0 {
        format!(
            "others may enter it (mode {:04o})",
            metadata.mode() & 0o7777
        )
    } else {
        return Ok(path);
    };
    Err(EmbeddedError::SocketDirectory { path, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_paths_do_not_fit() {
        assert!(fits(Path::new("/var/lib/octavo/run")));
        assert!(!fits(Path::new(&format!("/{}", "x".repeat(100)))));
        let name = short_name(Path::new("/some/where"));
        assert_eq!(name.len(), "octavo-".len() + 16);
        assert_eq!(name, short_name(Path::new("/some/where")));
    }
}
