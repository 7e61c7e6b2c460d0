//! The data directory: everything that an installation stores outside of its database server.

use std::fs;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::Context;
use nix::unistd::Uid;

/// The directory from the command line, or the default for this user.
///
/// # Errors
/// When there is no home directory.
pub fn resolve(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        return std::path::absolute(given).context("the data directory's path cannot be resolved");
    }
    // The unprivileged user that PostgreSQL runs as cannot enter root's home.
    if Uid::effective().is_root() {
        return Ok(PathBuf::from("/var/lib/octavo"));
    }
    let base = std::env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share")));
    Ok(base
        .context("neither HOME nor XDG_DATA_HOME is set; name a directory with --data-dir")?
        .join("octavo"))
}

/// Creates the directory if it does not exist: closed to others, except for root's, which the
/// unprivileged user that PostgreSQL runs as has to pass through.
///
/// # Errors
/// When it cannot be created.
pub fn make(data_dir: &Path) -> anyhow::Result<()> {
    if data_dir.is_dir() {
        return Ok(());
    }
    let mode = if Uid::effective().is_root() {
        0o755
    } else {
        0o700
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(data_dir)
        // The umask restricts the mode given at creation.
        .and_then(|()| fs::set_permissions(data_dir, fs::Permissions::from_mode(mode)))
        .with_context(|| {
            format!(
                "the data directory {} cannot be made; choose another with --data-dir",
                data_dir.display()
            )
        })
}
