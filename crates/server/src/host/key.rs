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
    fs::create_dir_all(data_dir)
        .with_context(|| format!("{} cannot be made", data_dir.display()))?;
    let path = data_dir.join("signing.key");
    let mut key = vec![0; Signer::KEY_BYTES];
    OsRng.try_fill_bytes(&mut key).context("the system gives no random bytes")?;
    // Only one of several processes that start at once makes the file; the others read it.
    match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
        Ok(mut file) => {
            file.write_all(&key)
                .and_then(|()| file.sync_all())
                .with_context(|| format!("{} cannot be written", path.display()))?;
            return Ok(key);
        }
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => {
            return Err(error).with_context(|| format!("{} cannot be made", path.display()));
        }
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
