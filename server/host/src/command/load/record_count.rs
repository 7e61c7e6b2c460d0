//! Counts the records of a MARC file while it is read for something else.

use std::io::{self, Read};

/// Ends each record of ISO 2709.
const RECORD_TERMINATOR: u8 = 0x1D;
/// The length of a record in MARCXML, roughly: only its order of magnitude matters.
const XML_RECORD_BYTES: u64 = 4_000;

/// Passes bytes on and counts the records among them.
#[derive(Debug)]
pub(super) struct RecordCount<R> {
    input: R,
    bytes: u64,
    terminators: u64,
}

impl<R> RecordCount<R> {
    pub(super) fn of(input: R) -> RecordCount<R> {
        RecordCount {
            input,
            bytes: 0,
            terminators: 0,
        }
    }

    /// The records so far; an estimate for MARCXML.
    pub(super) fn records(&self) -> u64 {
        match self.terminators {
            0 => self.bytes / XML_RECORD_BYTES,
            some => some,
        }
    }
}

impl<R: Read> Read for RecordCount<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        let read = buffer.get(..length).unwrap_or_default();
        self.bytes += read.len() as u64;
        self.terminators += read
            .iter()
            .filter(|byte| **byte == RECORD_TERMINATOR)
            .count() as u64;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(bytes: &[u8]) -> u64 {
        let mut counting = RecordCount::of(bytes);
        let mut all = Vec::new();
        counting.read_to_end(&mut all).unwrap();
        assert_eq!(all, bytes);
        counting.records()
    }

    #[test]
    fn records_are_counted_by_their_terminators_or_estimated() {
        assert_eq!(count(b"one\x1dtwo\x1d"), 2);
        assert_eq!(count(&vec![b'x'; 9_000]), 2);
        assert_eq!(count(b""), 0);
    }
}
