//! Temporary files.

use std::path::{Path, PathBuf};

/// A file in the temporary folder, removed when dropped.
pub struct TempFile(PathBuf);

impl TempFile {
    pub fn new(text: &str) -> Self {
        let name = format!("octavo-client-{}", uuid::Uuid::new_v4());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
