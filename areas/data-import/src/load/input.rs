//! The input of a load: records with their raw bytes.

use std::io::BufRead;

use octavo_marc::{MarcReader, Record, RecordError};

/// A record of the input, or what is in its place.
#[derive(Debug)]
pub struct InputRecord {
    /// The offset of its first byte.
    pub byte_offset: u64,
    /// Its bytes; empty if unreadable or too many.
    pub bytes: Vec<u8>,
    /// The record, or why it cannot be read.
    pub record: Result<Record, RecordError>,
}

/// The records of a file.
#[derive(Debug)]
pub struct Input<R>(MarcReader<R>);

impl<R: BufRead> Input<R> {
    /// Reads ISO 2709 or MARCXML, detected by content.
    ///
    /// # Errors
    /// When the input cannot be read.
    pub fn open(input: R) -> std::io::Result<Input<R>> {
        MarcReader::open(input).map(Input)
    }
}

impl<R: BufRead> Iterator for Input<R> {
    type Item = InputRecord;

    fn next(&mut self) -> Option<InputRecord> {
        let record = self.0.next()?;
        Some(InputRecord {
            byte_offset: self.0.offset(),
            bytes: self.0.raw().to_vec(),
            record,
        })
    }
}
