//! The directory that holds everything an installation keeps besides its database server's own.

use std::path::PathBuf;

use anyhow::Context;

/// The directory that was asked for, or the default of this user.
///
/// # Errors
/// When there is no place to keep anything.
pub fn resolve(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(given) = given {
        return std::path::absolute(given).context("the data directory's path cannot be resolved");
    }
    // Root's home is closed to the unprivileged user that PostgreSQL runs as.
    if nix::unistd::Uid::effective().is_root() {
        return Ok(PathBuf::from("/var/lib/octavo"));
    }
    let base = std::env::var_os("XDG_DATA_HOME").map(PathBuf::from).or_else(|| {
        std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/share"))
    });
    Ok(base
        .context("neither HOME nor XDG_DATA_HOME is set; name a directory with --data-dir")?
        .join("octavo"))
}
