//! One octavo per data directory: an flock on a file in it, which the system releases however the
//! process ends.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;

use nix::fcntl::{Flock, FlockArg};

use super::error::{EmbeddedError, io_error};

/// Held for as long as the data directory is in use.
#[derive(Debug)]
pub(super) struct DataDirLock {
    _file: Flock<File>,
}

impl DataDirLock {
    pub(super) fn acquire(data_dir: &Path) -> Result<Self, EmbeddedError> {
        let path = data_dir.join("octavo.lock");
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io_error("open", &path))?;
        match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
            Ok(mut file) => {
                let pid = std::process::id();
                file.set_len(0)
                    .and_then(|()| writeln!(file, "{pid}"))
                    .map_err(io_error("write", &path))?;
                Ok(Self { _file: file })
            }
            Err((file, nix::errno::Errno::EWOULDBLOCK)) => {
                let mut pid = String::new();
                let _ = file.take(32).read_to_string(&mut pid);
                let pid = match pid.trim() {
                    "" => "(unknown)".to_owned(),
                    pid => pid.to_owned(),
                };
                Err(EmbeddedError::InUse {
                    data_dir: data_dir.to_owned(),
                    pid,
                })
            }
            Err((_, errno)) => Err(io_error("lock", &path)(errno.into())),
        }
    }
}
