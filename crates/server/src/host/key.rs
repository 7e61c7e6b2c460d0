//! The key that tokens are signed with: made at the first start, readable by the owner only.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::{Context, bail};
use octavo_platform::token::Signer;
use rand::TryRngCore;
use rand::rngs::OsRng;

/// Reads the key of a data directory, making it if there is none.
///
/// # Errors
/// When the file cannot be read or written, or is not a key.
pub fn signing_key(data_dir: &Path) -> anyhow::Result<Vec<u8>> {
    let path = data_dir.join("signing.key");
    if !path.exists() {
        make(data_dir, &path).with_context(|| format!("{} cannot be made", path.display()))?;
    }
    let key = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
    if key.len() != Signer::KEY_BYTES {
        bail!(
            "{} is not a key of {} bytes; remove it to get a new one (everyone logs in again)",
            path.display(),
            Signer::KEY_BYTES
        );
    }
    Ok(key)
}

/// Makes a key under another name and then gives it its own, which only one of several processes
/// that start at once can do: the file is there whole or not at all.
fn make(data_dir: &Path, path: &Path) -> anyhow::Result<()> {
    let mut key = [0; Signer::KEY_BYTES];
    OsRng
        .try_fill_bytes(&mut key)
        .context("the system gives no random bytes")?;
    let fresh = data_dir.join(format!("signing.key.{}", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&fresh)
        .and_then(|mut file| file.write_all(&key).and_then(|()| file.sync_all()))
        .and_then(|()| match fs::hard_link(&fresh, path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
            other => other,
        });
    let removed = fs::remove_file(&fresh);
    written.and(removed)?;
    Ok(())
}
