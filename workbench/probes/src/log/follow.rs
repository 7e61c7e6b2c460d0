//! Follows a file that others append to, line by line; it may be rotated, truncated or not exist
//! yet.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Bytes that are read at once.
const PORTION_BYTES: usize = 64 << 10;
/// Bytes that are read from one file in one sample; the rest waits.
const LOOK_BYTES_MAX: u64 = 64 << 20;
/// Longer lines are cut.
const LINE_BYTES_MAX: usize = 64 << 10;

#[derive(Debug)]
pub(super) struct Follower {
    path: PathBuf,
    open: Option<Open>,
    /// The beginning of a line whose end is not written yet.
    partial: Vec<u8>,
    /// Whether the content of a file when it is first opened counts.
    whole: bool,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Device and inode: the file itself, whatever its name.
    identity: (u64, u64),
    read: u64,
}

impl Follower {
    pub(super) fn new(path: PathBuf, whole: bool) -> Self {
        Self {
            path,
            open: None,
            partial: Vec::new(),
            whole,
        }
    }

    /// Records the end of the file, so that only what follows counts.
    pub(super) fn begin(&mut self) -> io::Result<()> {
        let opened = self.open_file();
        // A file that is created later is read from its beginning.
        let start_at_end = !std::mem::replace(&mut self.whole, true);
        let mut open = opened?;
        if start_at_end {
            open.read = open.file.seek(SeekFrom::End(0))?;
        }
        self.open = Some(open);
        Ok(())
    }

    /// Calls `each` with every line that was completed since the last sample.
    pub(super) fn read_new_lines(&mut self, each: &mut dyn FnMut(&str)) -> io::Result<()> {
        if self.open.is_none() {
            self.open = Some(self.open_file()?);
        }
        self.read_on(each)?;
        if !self.was_replaced() {
            return Ok(());
        }
        // What was written between the sample and the rotation; then the new file.
        self.read_on(each)?;
        self.finish_line(each);
        self.open = None;
        self.open = Some(self.open_file()?);
        self.read_on(each)
    }

    /// The last line, even without its end.
    pub(super) fn finish_line(&mut self, each: &mut dyn FnMut(&str)) {
        if !self.partial.is_empty() {
            each(&String::from_utf8_lossy(&self.partial));
            self.partial.clear();
        }
    }

    fn open_file(&self) -> io::Result<Open> {
        let file = File::open(&self.path)?;
        let metadata = file.metadata()?;
        if !metadata.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        Ok(Open {
            identity: (metadata.dev(), metadata.ino()),
            file,
            read: 0,
        })
    }

    /// Whether another file has the name now. A name that is missing for a moment is not a change.
    fn was_replaced(&self) -> bool {
        let Some(open) = &self.open else {
            return false;
        };
        let now = std::fs::metadata(&self.path);
        now.is_ok_and(|now| (now.dev(), now.ino()) != open.identity)
    }

    fn read_on(&mut self, each: &mut dyn FnMut(&str)) -> io::Result<()> {
        let Some(open) = &mut self.open else {
            return Ok(());
        };
        if open.file.metadata()?.len() < open.read {
            // Truncated, as `copytruncate` does: its content is new.
            open.read = open.file.seek(SeekFrom::Start(0))?;
            self.partial.clear();
        }
        let mut portion = vec![0; PORTION_BYTES];
        let mut left = LOOK_BYTES_MAX;
        while left > 0 {
            let read = match open.file.read(&mut portion) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            open.read += read as u64;
            left = left.saturating_sub(read as u64);
            take_lines(&mut self.partial, &portion[..read], each);
        }
        Ok(())
    }
}

fn take_lines(partial: &mut Vec<u8>, bytes: &[u8], each: &mut dyn FnMut(&str)) {
    for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
        let room = LINE_BYTES_MAX.saturating_sub(partial.len());
        partial.extend_from_slice(&piece[..piece.len().min(room)]);
        if piece.ends_with(b"\n") {
            each(String::from_utf8_lossy(partial).trim_end());
            partial.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_put_together_and_long_ones_cut() {
        let mut partial = Vec::new();
        let mut lines: Vec<String> = Vec::new();
        let long = "x".repeat(LINE_BYTES_MAX);
        for portion in ["a\nb", "c\r\n\n", &long, &long, "\nend"] {
            take_lines(&mut partial, portion.as_bytes(), &mut |line| {
                lines.push(line.to_owned())
            });
        }
        assert_eq!(lines, ["a", "bc", "", long.as_str()]);
        assert_eq!(partial, b"end");
    }
}
