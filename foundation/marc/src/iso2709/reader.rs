//! A stream of records in ISO 2709.
//!
//! Terminators separate the records, so one with wrong lengths does not affect another.

use std::io::BufRead;

use super::{FIELD_TERMINATOR, RECORD_TERMINATOR, parse};
use crate::frame::{
    End, Failure, Frame, Framed, Progress, RECORD_BYTES_MAX, read_until, skip_while,
};
use crate::leader::decimal;
use crate::{Leader, Malformed, Record, RecordError, Warning};

/// Reads records in ISO 2709 one by one. A malformed record is returned as an error in its
/// position, and the next call reads the next record.
#[derive(Debug)]
pub struct Iso2709Reader<R> {
    input: R,
    /// Bytes of the input consumed so far.
    offset: u64,
    record_bytes_max: usize,
    /// Several records in one frame because the terminators between them are missing, and how many
    /// of its bytes have been used.
    joined: Vec<u8>,
    taken: usize,
    progress: Progress,
}

impl<R: BufRead> Iso2709Reader<R> {
    /// Reads from the start of the input.
    pub fn new(input: R) -> Self {
        Iso2709Reader::starting_at(input, 0)
    }

    /// Reads from an input of which `offset` bytes are already consumed.
    pub(crate) fn starting_at(input: R, offset: u64) -> Self {
        Iso2709Reader {
            input,
            offset,
            record_bytes_max: RECORD_BYTES_MAX,
            joined: Vec::new(),
            taken: 0,
            progress: Progress::default(),
        }
    }

    /// Sets the longest record accepted, in bytes.
    pub fn with_record_bytes_max(mut self, bytes: usize) -> Self {
        self.record_bytes_max = bytes;
        self
    }

    /// The repairs of the record read last.
    pub fn warnings(&self) -> &[Warning] {
        &self.progress.warnings
    }

    /// The bytes of the record read last, good or bad, as they stood in the input; empty where they
    /// could not be read, or were too many.
    pub fn raw(&self) -> &[u8] {
        &self.progress.raw
    }

    /// Where the record read last begins in the input, in bytes from 0.
    pub fn offset(&self) -> u64 {
        self.progress.offset
    }

    fn next_frame(&mut self) -> Framed {
        if self.joined.is_empty() {
            let frame = self.read_frame()?;
            match frame {
                Some(frame) if unterminated_length(&frame.bytes).is_some() => {
                    (self.joined, self.taken) = (frame.bytes, 0);
                }
                frame => return Ok(frame),
            }
        }
        Ok(Some(self.next_joined()))
    }

    /// The next of the joined records. Only its bytes are copied: what follows may be long and hold
    /// many more.
    fn next_joined(&mut self) -> Frame {
        let rest = &self.joined[self.taken..];
        let offset = self.offset - rest.len() as u64;
        let length = unterminated_length(rest).unwrap_or(rest.len());
        let mut bytes = std::mem::take(&mut self.progress.raw);
        bytes.clear();
        bytes.extend_from_slice(&rest[..length]);
        self.taken += length;
        if self.taken == self.joined.len() {
            self.joined = Vec::new();
        }
        Frame { offset, bytes }
    }

    fn read_frame(&mut self) -> Framed {
        let failure = |offset, reason| Err(Failure { offset, reason });
        match skip_while(&mut self.input, is_filler) {
            Ok(skipped) => self.offset += skipped,
            Err(error) => return failure(self.offset, Malformed::Io(error)),
        }
        let (offset, limit) = (self.offset, self.record_bytes_max);
        let mut bytes = std::mem::take(&mut self.progress.raw);
        bytes.clear();
        let end = match read_until(&mut self.input, RECORD_TERMINATOR, limit, &mut bytes) {
            Ok((consumed, end)) => {
                self.offset += consumed;
                end
            }
            Err(error) => return failure(offset, Malformed::Io(error)),
        };
        match end {
            End::Limit => failure(offset, Malformed::TooLong { limit }),
            End::Input if bytes.is_empty() => Ok(None),
            // A record without its record terminator may still be complete, if its last field is
            // terminated.
            End::Input if bytes.last() != Some(&FIELD_TERMINATOR) => {
                failure(offset, Malformed::Truncated)
            }
            End::Input | End::Delimiter => Ok(Some(Frame { offset, bytes })),
        }
    }
}

impl<R: BufRead> Iterator for Iso2709Reader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.progress.failed {
            return None;
        }
        let framed = self.next_frame();
        self.progress.step(framed, parse)
    }
}

/// Bytes that some tools write between records.
fn is_filler(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | 0 | 0x1A)
}

/// The length of the first record in this frame when its terminator is missing and another record
/// follows.
fn unterminated_length(frame: &[u8]) -> Option<usize> {
    let length = decimal(frame.get(..5)?)?;
    let ends_field = frame.get(length.checked_sub(1)?) == Some(&FIELD_TERMINATOR);
    let next = frame.get(length..length + Leader::LENGTH)?;
    let is_leader = decimal(&next[..5]).is_some()
        && decimal(&next[12..17]).is_some()
        && &next[10..12] == b"22"
        && &next[20..22] == b"45";
    (length > Leader::LENGTH && ends_field && is_leader).then_some(length)
}
