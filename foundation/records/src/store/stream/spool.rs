//! An unlinked temporary file for what a client has not read yet. Limited in number and in bytes
//! over all streams; deleted with its last user, or with the process.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use tokio::sync::OwnedSemaphorePermit;

use super::{PIECE_BYTES, SPOOL_IDLE_MAX, SPOOLED_BYTES_MAX, Shared};

/// Why a chunk could not be written to a file.
#[derive(Debug, thiserror::Error)]
pub(super) enum SpoolError {
    #[error("too many slow clients are reading large lists at once")]
    TooMany,
    #[error(
        "what slow clients have not read yet exceeds {} GiB",
        SPOOLED_BYTES_MAX >> 30
    )]
    Full,
    #[error("the temporary directory (TMPDIR, else /var/tmp) cannot take the rest: {0}")]
    Disk(#[from] io::Error),
}

/// One file, written by the pump and read by the body at the same time.
#[derive(Debug)]
pub(super) struct Spool {
    file: Arc<File>,
    shared: Arc<Shared>,
    written: AtomicU64,
    read: AtomicU64,
    /// The permit for the file; taken when the file is given up before it is read.
    place: Mutex<Option<OwnedSemaphorePermit>>,
}

impl Spool {
    pub(super) fn open(shared: &Arc<Shared>) -> Result<Spool, SpoolError> {
        let place = Arc::clone(&shared.spools)
            .try_acquire_owned()
            .map_err(|_| SpoolError::TooMany)?;
        Ok(Spool {
            file: Arc::new(nameless()?),
            shared: Arc::clone(shared),
            written: AtomicU64::new(0),
            read: AtomicU64::new(0),
            place: Mutex::new(Some(place)),
        })
    }

    pub(super) async fn append(&self, piece: Bytes) -> Result<(), SpoolError> {
        let length = piece.len() as u64;
        let all = self
            .shared
            .spooled_bytes
            .fetch_add(length, Ordering::AcqRel)
            + length;
        let at = self.written.load(Ordering::Acquire);
        let outcome = match all > SPOOLED_BYTES_MAX {
            true => Err(SpoolError::Full),
            false => self
                .aside(move |file| file.write_all_at(&piece, at))
                .await
                .map_err(SpoolError::Disk),
        };
        match outcome {
            Ok(()) => self.written.store(at + length, Ordering::Release),
            Err(_) => self.forget(length),
        }
        outcome
    }

    /// The next chunk, empty when everything that was written has been read.
    pub(super) async fn next(&self) -> io::Result<Bytes> {
        let at = self.read.load(Ordering::Acquire);
        let left = self.written.load(Ordering::Acquire) - at;
        if left == 0 {
            return Ok(Bytes::new());
        }
        let length = left.min(PIECE_BYTES as u64) as usize;
        let piece = self
            .aside(move |file| {
                let mut piece = vec![0; length];
                file.read_exact_at(&mut piece, at).map(|()| piece)
            })
            .await?;
        self.read.store(at + length as u64, Ordering::Release);
        Ok(Bytes::from(piece))
    }

    /// Completes when nobody has read for [`SPOOL_IDLE_MAX`].
    pub(super) async fn deserted(&self) {
        loop {
            let before = self.read.load(Ordering::Acquire);
            tokio::time::sleep(SPOOL_IDLE_MAX).await;
            if self.read.load(Ordering::Acquire) == before {
                return;
            }
        }
    }

    /// Frees the disk space and the permit, though the reader still holds the file.
    pub(super) fn give_up(&self) {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        if place.take().is_some() {
            // Others need the space; if it cannot be freed now, it is when the reader drops the
            // file.
            let _ = self.file.set_len(0);
            self.forget(self.written.load(Ordering::Acquire));
        }
    }

    fn forget(&self, bytes: u64) {
        self.shared.spooled_bytes.fetch_sub(bytes, Ordering::AcqRel);
    }

    /// Works on the file on a blocking thread, where waiting for a disk delays nobody.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&File) -> io::Result<T> + Send + 'static,
    ) -> io::Result<T> {
        let file = Arc::clone(&self.file);
        tokio::task::spawn_blocking(move || work(&file))
            .await
            .map_err(io::Error::other)?
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A file that only this process can reach: it is unlinked before anything is written. Not in
/// `/tmp`, which is memory on many systems.
fn nameless() -> io::Result<File> {
    let directory = std::env::var_os("TMPDIR").map_or_else(|| "/var/tmp".into(), PathBuf::from);
    let path = directory.join(format!("octavo-{}", uuid::Uuid::new_v4()));
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file)
}
