//! Reading up to a delimiter without trusting the input's size, and the frames so read.

use std::io::{BufRead, ErrorKind, Result};

use crate::{Malformed, Record, RecordError, Warning};

/// The longest record that is read, in bytes. ISO 2709 allows 99,999; some systems write longer
/// ones all the same, and MARCXML has no limit.
pub const RECORD_BYTES_MAX: usize = 10 * 1024 * 1024;

/// The most fields of a record that is read from a file. The directory of a record of 99,999 bytes
/// lists 7,690 at most; code behind the reader need not be ready for a million.
pub const RECORD_FIELDS_MAX: usize = 20_000;

/// The bytes of one record, and the position of the first in the input.
#[derive(Debug)]
pub(crate) struct Frame {
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Why there is no frame, and where it would have begun.
pub(crate) struct Failure {
    pub(crate) offset: u64,
    pub(crate) reason: Malformed,
}

/// The next frame; `None` at the end of the input.
pub(crate) type Framed = std::result::Result<Option<Frame>, Failure>;

/// What a reader reports about the records read so far.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    number: u64,
    /// The repairs of the record read last.
    pub(crate) warnings: Vec<Warning>,
    /// The bytes of the record read last, good or bad.
    pub(crate) raw: Vec<u8>,
    /// The position of their first byte in the input.
    pub(crate) offset: u64,
    /// Whether the input failed, so that nothing more can be read.
    pub(crate) failed: bool,
}

impl Progress {
    /// Parses the next frame, or reports why that is impossible.
    pub(crate) fn step(
        &mut self,
        framed: Framed,
        parse: impl Fn(&[u8]) -> std::result::Result<(Record, Vec<Warning>), Malformed>,
    ) -> Option<std::result::Result<Record, RecordError>> {
        self.warnings.clear();
        let read = match framed {
            Ok(frame) => {
                let Frame { offset, bytes } = frame?;
                (self.raw, self.offset) = (bytes, offset);
                parse(&self.raw).map_err(|reason| Failure { offset, reason })
            }
            Err(failure) => {
                self.raw.clear();
                self.offset = failure.offset;
                Err(failure)
            }
        };
        self.number += 1;
        Some(match read {
            Ok((record, warnings)) => {
                self.warnings = warnings;
                Ok(record)
            }
            Err(Failure { offset, reason }) => {
                self.failed |= matches!(reason, Malformed::Io(_));
                Err(RecordError {
                    number: self.number,
                    offset,
                    reason,
                })
            }
        })
    }
}

/// How a piece of input ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At the delimiter, which is the last byte appended.
    Delimiter,
    /// At the end of the input.
    Input,
    /// At the limit: the rest was read and dropped, up to the delimiter or the end of the input.
    Limit,
}

/// Appends bytes up to and including the delimiter while `buffer` stays within `limit`. Returns
/// how many bytes were consumed, and how the piece ended.
pub(crate) fn read_until(
    input: &mut impl BufRead,
    delimiter: u8,
    limit: usize,
    buffer: &mut Vec<u8>,
) -> Result<(u64, End)> {
    let mut consumed = 0;
    let mut overflowed = false;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            let end = if overflowed { End::Limit } else { End::Input };
            return Ok((consumed, end));
        }
        let found = memchr::memchr(delimiter, available);
        let length = found.map_or(available.len(), |position| position + 1);
        overflowed |= buffer.len() + length > limit;
        if !overflowed {
            buffer.extend_from_slice(&available[..length]);
        }
        input.consume(length);
        consumed += length as u64;
        if found.is_some() {
            let end = if overflowed {
                End::Limit
            } else {
                End::Delimiter
            };
            return Ok((consumed, end));
        }
    }
}

/// Consumes bytes while `wanted`; returns their number.
pub(crate) fn skip_while(input: &mut impl BufRead, wanted: impl Fn(u8) -> bool) -> Result<u64> {
    let mut consumed = 0;
    loop {
        let available = match input.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let length = available.iter().take_while(|&&byte| wanted(byte)).count();
        let stop = length < available.len() || available.is_empty();
        input.consume(length);
        consumed += length as u64;
        if stop {
            return Ok(consumed);
        }
    }
}
