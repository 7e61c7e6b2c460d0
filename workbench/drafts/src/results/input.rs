//! A result file as lines of limited length, decompressed. A truncated file ends where it ends:
//! runs get killed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use super::ReadError;

const BUFFER_BYTES: usize = 256 << 10;
const HEAD_BYTES: usize = 64 << 10;
/// Longer lines are skipped.
const LINE_BYTES_MAX: usize = 1 << 20;
const GZIP: [u8; 2] = [0x1f, 0x8b];

pub(super) struct Input {
    path: PathBuf,
    reader: Box<dyn BufRead>,
    /// The number of the last line, from 1.
    pub(super) line: u64,
    /// Whether the compressed file is truncated.
    pub(super) is_cut: bool,
}

/// The kind of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Line {
    /// A complete line.
    Whole,
    /// The file ended within it.
    Last,
    /// It was too long to be kept.
    TooLong,
}

impl Input {
    pub(super) fn open(path: &Path) -> Result<Self, ReadError> {
        let unreadable = |source| ReadError::Unreadable {
            file: path.to_owned(),
            source,
        };
        let file = File::open(path).map_err(unreadable)?;
        let mut file = BufReader::with_capacity(BUFFER_BYTES, file);
        let is_packed = file.fill_buf().map_err(unreadable)?.starts_with(&GZIP);
        let reader: Box<dyn BufRead> = match is_packed {
            true => Box::new(BufReader::with_capacity(
                BUFFER_BYTES,
                MultiGzDecoder::new(file),
            )),
            false => Box::new(file),
        };
        Ok(Self {
            path: path.to_owned(),
            reader,
            line: 0,
            is_cut: false,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn unreadable(&self, source: io::Error) -> ReadError {
        ReadError::Unreadable {
            file: self.path.clone(),
            source,
        }
    }

    /// The beginning of the file, without consuming it.
    pub(super) fn head(&mut self) -> Result<Vec<u8>, ReadError> {
        let mut head = vec![0; HEAD_BYTES];
        let mut length = 0;
        while length < head.len() {
            match self.reader.read(&mut head[length..]) {
                Ok(0) => break,
                Ok(more) => length += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if is_end(&error) => {
                    self.is_cut = true;
                    break;
                }
                Err(error) => return Err(self.unreadable(error)),
            }
        }
        head.truncate(length);
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        let start = io::Cursor::new(head.clone());
        self.reader = Box::new(BufReader::with_capacity(BUFFER_BYTES, start.chain(rest)));
        Ok(head)
    }

    /// Reads the next line without its end into `line`; `None` at the end of the file.
    pub(super) fn next(&mut self, line: &mut Vec<u8>) -> Result<Option<Line>, ReadError> {
        line.clear();
        let mut is_too_long = false;
        let mut some = false;
        loop {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) if is_end(&error) => {
                    self.is_cut = true;
                    &[]
                }
                Err(error) => {
                    return Err(ReadError::Unreadable {
                        file: self.path.clone(),
                        source: error,
                    });
                }
            };
            if buffer.is_empty() {
                if !some {
                    return Ok(None);
                }
                self.line += 1;
                return Ok(Some(if is_too_long {
                    Line::TooLong
                } else {
                    Line::Last
                }));
            }
            some = true;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let part = &buffer[..end.unwrap_or(buffer.len())];
            match line.len() + part.len() > LINE_BYTES_MAX {
                true => is_too_long = true,
                false => line.extend_from_slice(part),
            }
            let used = end.map_or(buffer.len(), |end| end + 1);
            self.reader.consume(used);
            if end.is_some() {
                self.line += 1;
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                return Ok(Some(if is_too_long {
                    Line::TooLong
                } else {
                    Line::Whole
                }));
            }
        }
    }

    /// The whole text of a file that has only figures.
    pub(super) fn whole(&mut self) -> Result<String, ReadError> {
        const BYTES_MAX: u64 = 256 << 20;
        let mut bytes = Vec::new();
        let mut limited = (&mut self.reader).take(BYTES_MAX);
        match limited.read_to_end(&mut bytes) {
            Err(error) if !is_end(&error) => Err(self.unreadable(error)),
            _ if bytes.len() as u64 == BYTES_MAX => {
                let reason = format!("more than {BYTES_MAX} bytes of figures");
                Err(self.unreadable(io::Error::other(reason)))
            }
            _ => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The rest as a reader, for parsers.
    pub(super) fn reader(&mut self) -> &mut dyn BufRead {
        &mut *self.reader
    }
}

fn is_end(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::UnexpectedEof
}
