//! A stream of records in MARCXML.
//!
//! The input is cut at record elements before any of it is parsed as XML, so that one malformed
//! record does not affect another.

use std::io::BufRead;

use super::parse::parse;
use crate::frame::{End, Failure, Frame, Framed, Progress, RECORD_BYTES_MAX, read_until};
use crate::{Malformed, Record, RecordError, Warning};

/// Reads MARCXML records one by one. A malformed record is returned as an error in its position,
/// and the next call reads the next record. Prefixes and namespaces are ignored.
#[derive(Debug)]
pub struct XmlReader<R> {
    input: R,
    offset: u64,
    record_bytes_max: usize,
    /// The start tag of a record that began before the previous one had ended.
    pending: Option<Frame>,
    progress: Progress,
}

/// A piece of input that ends with a tag.
struct Piece {
    offset: u64,
    bytes: Vec<u8>,
    /// The position in `bytes` where the tag begins.
    tag: usize,
    kind: ElementKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ElementKind {
    RecordStart,
    RecordEnd,
    Other,
}

impl<R: BufRead> XmlReader<R> {
    /// Reads from the start of the input.
    pub fn new(input: R) -> Self {
        XmlReader::starting_at(input, 0)
    }

    /// Reads from an input of which `offset` bytes are already consumed.
    pub(crate) fn starting_at(input: R, offset: u64) -> Self {
        XmlReader {
            input,
            offset,
            record_bytes_max: RECORD_BYTES_MAX,
            pending: None,
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

    /// The bytes of the record element read last, good or bad, as they stood in the input; empty
    /// where they could not be read, or were too many.
    pub fn raw(&self) -> &[u8] {
        &self.progress.raw
    }

    /// Where the record read last begins in the input, in bytes from 0.
    pub fn offset(&self) -> u64 {
        self.progress.offset
    }

    fn next_frame(&mut self) -> Framed {
        let Some(mut frame) = self.record_start()? else {
            return Ok(None);
        };
        let failure = |reason| {
            Err(Failure {
                offset: frame.offset,
                reason,
            })
        };
        let limit = self.record_bytes_max;
        let mut too_long = false;
        loop {
            let Some(piece) = self.piece()? else {
                self.progress.failed = true;
                return failure(Malformed::Truncated);
            };
            if piece.kind == ElementKind::RecordStart {
                self.pending = Some(piece.into_tag());
                return failure(Malformed::Xml("the record element has no end".to_owned()));
            }
            too_long |= frame.bytes.len() + piece.bytes.len() > limit;
            if !too_long {
                frame.bytes.extend_from_slice(&piece.bytes);
            }
            if piece.kind == ElementKind::RecordEnd {
                return if too_long {
                    failure(Malformed::TooLong { limit })
                } else {
                    Ok(Some(frame))
                };
            }
        }
    }

    /// The next record's start tag.
    fn record_start(&mut self) -> Framed {
        if let Some(start) = self.pending.take() {
            return Ok(Some(start));
        }
        while let Some(piece) = self.piece()? {
            if piece.kind == ElementKind::RecordStart {
                return Ok(Some(piece.into_tag()));
            }
        }
        Ok(None)
    }

    fn piece(&mut self) -> Result<Option<Piece>, Failure> {
        let (offset, limit) = (self.offset, self.record_bytes_max);
        let mut bytes = Vec::new();
        let (consumed, end) =
            read_until(&mut self.input, b'>', limit, &mut bytes).map_err(|error| Failure {
                offset,
                reason: Malformed::Io(error),
            })?;
        self.offset += consumed;
        match end {
            End::Delimiter => {}
            End::Input => return Ok(None),
            End::Limit => {
                return Err(Failure {
                    offset,
                    reason: Malformed::TooLong { limit },
                });
            }
        }
        let tag = bytes
            .iter()
            .rposition(|&byte| byte == b'<')
            .unwrap_or(bytes.len());
        let kind = kind(&bytes[tag..]);
        Ok(Some(Piece {
            offset,
            bytes,
            tag,
            kind,
        }))
    }
}

impl Piece {
    /// Drops everything before the tag.
    fn into_tag(mut self) -> Frame {
        let bytes = self.bytes.split_off(self.tag);
        Frame {
            offset: self.offset + self.tag as u64,
            bytes,
        }
    }
}

impl<R: BufRead> Iterator for XmlReader<R> {
    type Item = Result<Record, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.progress.failed {
            return None;
        }
        let framed = self.next_frame();
        self.progress.step(framed, parse)
    }
}

/// The meaning of this tag, from `<` to `>`.
fn kind(tag: &[u8]) -> ElementKind {
    let inner = tag.strip_prefix(b"<").unwrap_or_default();
    let (end, inner) = inner
        .strip_prefix(b"/")
        .map_or((false, inner), |inner| (true, inner));
    let length = inner
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
        .unwrap_or(inner.len());
    let name = inner[..length]
        .rsplit(|&byte| byte == b':')
        .next()
        .unwrap_or_default();
    match (name, end) {
        (b"record", true) => ElementKind::RecordEnd,
        (b"record", false) if !tag.ends_with(b"/>") => ElementKind::RecordStart,
        _ => ElementKind::Other,
    }
}
