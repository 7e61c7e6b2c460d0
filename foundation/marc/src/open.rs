//! Distinguishes ISO 2709 from MARCXML by the first byte.

use std::io::{self, BufRead};

use crate::frame::skip_while;
use crate::{Iso2709Reader, Record, RecordError, Warning, XmlReader};

/// The formats that a file can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The binary interchange format.
    Iso2709,
    /// MARCXML.
    Xml,
}

/// Reads records in whichever of the two formats the input has.
#[derive(Debug)]
pub enum MarcReader<R> {
    /// A binary file.
    Iso2709(Iso2709Reader<R>),
    /// A MARCXML file.
    Xml(XmlReader<R>),
}

impl<R: BufRead> MarcReader<R> {
    /// Detects the format: a `<`, after line ends and a byte order mark, means MARCXML, anything
    /// else ISO 2709.
    pub fn open(mut input: R) -> io::Result<MarcReader<R>> {
        // Blanks are not skipped: a leader begins with them where its length was never filled in.
        let skipped = |byte| matches!(byte, 0xEF | 0xBB | 0xBF | b'\r' | b'\n' | b'\t');
        let offset = skip_while(&mut input, skipped)?;
        let is_xml = input.fill_buf()?.first() == Some(&b'<');
        Ok(if is_xml {
            MarcReader::Xml(XmlReader::starting_at(input, offset))
        } else {
            MarcReader::Iso2709(Iso2709Reader::starting_at(input, offset))
        })
    }

    pub fn format(&self) -> Format {
        match self {
            MarcReader::Iso2709(_) => Format::Iso2709,
            MarcReader::Xml(_) => Format::Xml,
        }
    }

    /// The repairs of the record read last.
    pub fn warnings(&self) -> &[Warning] {
        match self {
            MarcReader::Iso2709(reader) => reader.warnings(),
            MarcReader::Xml(reader) => reader.warnings(),
        }
    }

    /// The bytes of the record read last, good or bad, as they stood in the input; empty where they
    /// could not be read, or were too many.
    pub fn raw(&self) -> &[u8] {
        match self {
            MarcReader::Iso2709(reader) => reader.raw(),
            MarcReader::Xml(reader) => reader.raw(),
        }
    }

    /// Where the record read last begins in the input, in bytes from 0.
    pub fn offset(&self) -> u64 {
        match self {
            MarcReader::Iso2709(reader) => reader.offset(),
            MarcReader::Xml(reader) => reader.offset(),
        }
    }
}

impl<R: BufRead> Iterator for MarcReader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            MarcReader::Iso2709(reader) => reader.next(),
            MarcReader::Xml(reader) => reader.next(),
        }
    }
}
