//! Why the embedded server did not start. Each message says what to do about it.

use std::path::{Path, PathBuf};

use crate::error::DatabaseError;

/// A failure to find, prepare, start or stop the embedded server.
#[derive(Debug, thiserror::Error)]
pub enum EmbeddedError {
    /// No usable PostgreSQL anywhere.
    #[error(
        "no PostgreSQL {wanted} found (looked in {searched}); install it (Debian: apt-get install \
         postgresql), run scripts/setup.sh, or set OCTAVO_PG_BIN to the directory that holds \
         `postgres` and `initdb`"
    )]
    NoBinaries {
        /// Versions that would do.
        wanted: String,
        /// Places looked at.
        searched: String,
    },
    /// The directory named by the operator holds no usable PostgreSQL.
    #[error(
        "{} cannot be used as PostgreSQL: {reason}; name the directory that holds `postgres` and \
         `initdb` with --postgres-bin or OCTAVO_PG_BIN, or leave both out to have it looked for",
        directory.display()
    )]
    UnsuitableBinaries {
        /// The directory.
        directory: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another octavo holds the data directory.
    #[error(
        "data directory {} is in use by octavo process {pid}; stop it or choose another --data-dir",
        data_dir.display()
    )]
    InUse {
        /// The data directory.
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
        /// The data directory.
        data_dir: PathBuf,
        /// Major version of the data.
        cluster: u32,
        /// Major versions found.
        found: String,
    },
    /// PostgreSQL's user cannot reach a path.
    #[error(
        "{} cannot be entered by user '{user}', which runs PostgreSQL because it refuses to run \
         as root, and {} lies below it; choose another place (--data-dir /var/lib/octavo), or \
         allow it: chmod o+x {}",
        directory.display(), path.display(), directory.display()
    )]
    NotTraversable {
        /// The directory in the way.
        directory: PathBuf,
        /// What lies below it.
        path: PathBuf,
        /// PostgreSQL's user.
        user: String,
    },
    /// Running as root with nobody to run PostgreSQL as.
    #[error(
        "PostgreSQL refuses to run as root and user '{user}' does not exist; create it or run \
         octavo as an ordinary user"
    )]
    NoUnprivilegedUser {
        /// The user asked for.
        user: String,
    },
    /// The cluster belongs to somebody else.
    #[error(
        "{} belongs to user id {owner}; run octavo as that user or as root, or choose another \
         --data-dir",
        path.display()
    )]
    NotOwner {
        /// The cluster's directory.
        path: PathBuf,
        /// Its owner.
        owner: u32,
    },
    /// The directory for the socket is not safely ours.
    #[error("socket directory {} cannot be used: {reason}", path.display())]
    SocketDirectory {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// `initdb` failed.
    #[error("initdb failed:\n{output}")]
    Initdb {
        /// The end of what it said.
        output: String,
    },
    /// The server ended while it was starting.
    #[error("PostgreSQL did not start; the end of {}:\n{tail}", log.display())]
    StartFailed {
        /// Its log.
        log: PathBuf,
        /// The log's last lines.
        tail: String,
    },
    /// The server took too long to accept connections.
    #[error("PostgreSQL was not ready after {seconds} s; see {}", log.display())]
    StartTimeout {
        /// Its log.
        log: PathBuf,
        /// The limit passed.
        seconds: u64,
    },
    /// The server runs but could not be used.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// A file operation failed.
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// On what.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
}

/// Names the action and the path in a file error.
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
