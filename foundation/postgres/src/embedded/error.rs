//! Why the embedded server did not start. Each message names the remedy.

use std::path::{Path, PathBuf};

use crate::error::DatabaseError;

/// A failure to find, prepare, start or stop the embedded server.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    #[error(
        "no PostgreSQL {wanted} found (looked in {searched}); install it (Debian: apt-get install \
         postgresql), run scripts/setup.sh, or set OCTAVO_PG_BIN to the directory that holds \
         `postgres` and `initdb`"
    )]
    NoBinaries {
        /// The accepted versions.
        wanted: String,
        /// The directories that were searched.
        searched: String,
    },
    /// The directory that the operator named has no usable PostgreSQL.
    #[error(
        "{} cannot be used as PostgreSQL: {reason}; name the directory that holds `postgres` and \
         `initdb` with --postgres-bin or OCTAVO_PG_BIN, or leave both out to have it looked for",
        directory.display()
    )]
    UnsuitableBinaries { directory: PathBuf, reason: String },
    /// Another octavo uses the data directory.
    #[error(
        "data directory {} is in use by octavo process {pid}; stop it or choose another --data-dir",
        data_dir.display()
    )]
    InUse {
        data_dir: PathBuf,
        /// The other process, or "(unknown)".
        pid: String,
    },
    /// The data were written by another major version.
    #[error(
        "data directory {} was made by PostgreSQL {cluster}, but only PostgreSQL {found} was \
         found; install PostgreSQL {cluster} or set OCTAVO_PG_BIN to its bin directory, or move \
         the data to {found} with pg_upgrade or with a dump and restore",
        data_dir.display()
    )]
    WrongVersion {
        data_dir: PathBuf,
        /// Major version of the data.
        cluster: u32,
        /// Major versions found.
        found: String,
    },
    /// PostgreSQL's user cannot enter a path.
    #[error(
        "{} cannot be entered by user '{user}', which runs PostgreSQL because it refuses to run \
         as root, and {} lies below it; choose another place (--data-dir /var/lib/octavo), or \
         allow it: chmod o+x {}",
        directory.display(), path.display(), directory.display()
    )]
    NotTraversable {
        /// The directory without access.
        directory: PathBuf,
        /// The path below it.
        path: PathBuf,
        user: String,
    },
    /// Running as root without a user to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root and user '{user}' does not exist; create it or run \
         octavo as an ordinary user"
    )]
    NoUnprivilegedUser {
        /// The user in question.
        user: String,
    },
    /// The cluster belongs to another user.
    #[error(
        "{} belongs to user id {owner}; run octavo as that user or as root, or choose another \
         --data-dir",
        path.display()
    )]
    NotOwner { path: PathBuf, owner: u32 },
    /// The directory of the socket could be accessed by others.
    #[error("socket directory {} cannot be used: {reason}", path.display())]
    SocketDirectory { path: PathBuf, reason: String },
    #[error("initdb failed:\n{output}")]
    Initdb {
        /// The end of its output.
        output: String,
    },
    /// The server ended during its start.
    #[error("PostgreSQL did not start; the end of {}:\n{tail}", log.display())]
    StartFailed {
        log: PathBuf,
        /// The log's last lines.
        tail: String,
    },
    /// The server took too long to accept connections.
    #[error("PostgreSQL was not ready after {seconds} s; see {}", log.display())]
    StartTimeout {
        log: PathBuf,
        /// The time-out.
        seconds: u64,
    },
    /// The server runs but could not be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A file operation failed.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was attempted.
        action: &'static str,
        path: PathBuf,
        source: std::io::Error,
    },
}

/// Adds the action and the path to a file error.
pub(super) fn io_error(
    action: &'static str,
    path: &Path,
) -> impl FnOnce(std::io::Error) -> EmbeddedError + use<> {
    let path = path.to_owned();
    move |source| EmbeddedError::Io {
        action,
        path,
        source,
    }
}
