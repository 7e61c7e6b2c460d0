//! Finds the objects of a PDF by scanning it; its cross-reference table is not trusted.

use std::collections::BTreeMap;
use std::io::Read as _;

use flate2::read::ZlibDecoder;

use super::token::{Token, TokenKind, next, number, reference, value};

/// Objects of a document at most.
const OBJECTS_MAX: usize = 200_000;
/// Maximal uncompressed size of all object streams: guards against decompression bombs.
const UNPACKED_BYTES_MAX: u64 = 64 * 1024 * 1024;

/// A document's raw objects.
#[derive(Debug, Default)]
pub(super) struct Document {
    pub objects: BTreeMap<usize, Vec<u8>>,
    /// The number of the catalog.
    pub catalog: Option<usize>,
    is_encrypted: bool,
}

/// Reads a document; `None` when it is invalid or encrypted.
pub(super) fn read(bytes: &[u8]) -> Option<Document> {
    let head = &bytes[..bytes.len().min(1_024)];
    head.windows(5).position(|five| five == b"%PDF-")?;
    let mut document = Document::default();
    let mut packed = Vec::new();
    let mut at = 0;
    while let Some(token) = next(bytes, at) {
        at = token.end;
        if &bytes[token.begin..token.end] == b"trailer" {
            document.trailer(&bytes[at..]);
            continue;
        }
        let Some((number, begin)) = header(bytes, token) else {
            continue;
        };
        let (end, after) = extent(bytes, begin)?;
        let body = &bytes[begin..end];
        at = after;
        match kind(body) {
            Some(b"/XRef") => document.trailer(body),
            Some(b"/ObjStm") => packed.push(body),
            _ => {
                if document.objects.len() == OBJECTS_MAX {
                    return None;
                }
                document.objects.insert(number, body.to_vec());
            }
        }
    }
    if document.is_encrypted {
        return None;
    }
    let mut left = UNPACKED_BYTES_MAX;
    for body in packed {
        document.unpack(body, &mut left)?;
    }
    Some(document)
}

/// `12 0 obj`: the number, and where the object begins.
fn header(bytes: &[u8], token: Token) -> Option<(usize, usize)> {
    let number_of = number(bytes, token)?;
    let generation = next(bytes, token.end)?;
    number(bytes, generation)?;
    let word = next(bytes, generation.end)?;
    (&bytes[word.begin..word.end] == b"obj").then_some((number_of, word.end))
}

/// Where an object ends, and where to continue.
fn extent(bytes: &[u8], begin: usize) -> Option<(usize, usize)> {
    let mut at = begin;
    loop {
        let token = next(bytes, at)?;
        at = token.end;
        if token.kind != TokenKind::Word {
            continue;
        }
        match &bytes[token.begin..token.end] {
            b"endobj" => return Some((token.begin, token.end)),
            b"stream" => {
                let length = value(&bytes[begin..token.begin], b"/Length");
                let length =
                    length.filter(|found| reference(&bytes[begin..token.begin], *found).is_none());
                let length = length.and_then(|found| number(&bytes[begin..], found));
                let data = behind_line(bytes, token.end);
                let told = length.and_then(|length| data.checked_add(length));
                let is_end = |from: usize| {
                    next(bytes, from).is_some_and(|one| &bytes[one.begin..one.end] == b"endstream")
                };
                at = match told.filter(|end| *end <= bytes.len() && is_end(*end)) {
                    Some(end) => next(bytes, end)?.end,
                    None => data + find(&bytes[data..], b"endstream")? + b"endstream".len(),
                };
                return Some((at, at));
            }
            _ => {}
        }
    }
}

/// The data of a stream begin on the line after its word.
fn behind_line(bytes: &[u8], at: usize) -> usize {
    match (bytes.get(at), bytes.get(at + 1)) {
        (Some(b'\r'), Some(b'\n')) => at + 2,
        (Some(b'\n' | b'\r'), _) => at + 1,
        _ => at,
    }
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|some| some == wanted)
}

/// The `/Type` of a dictionary.
fn kind(body: &[u8]) -> Option<&[u8]> {
    let token = value(body, b"/Type")?;
    body.get(token.begin..token.end)
}

impl Document {
    /// Reads a trailer; the last one wins.
    fn trailer(&mut self, body: &[u8]) {
        if value(body, b"/Encrypt").is_some() {
            self.is_encrypted = true;
        }
        let root = value(body, b"/Root").and_then(|token| reference(body, token));
        self.catalog = root.map(|(number, _)| number).or(self.catalog);
    }

    /// Reads the objects of an object stream.
    fn unpack(&mut self, body: &[u8], left: &mut u64) -> Option<()> {
        let of = |key: &[u8]| value(body, key).and_then(|token| number(body, token));
        let (count, first) = (of(b"/N")?, of(b"/First")?);
        let data = behind_line(body, find(body, b"stream")? + b"stream".len());
        let mut plain = Vec::new();
        match value(body, b"/Filter") {
            None => plain.extend_from_slice(&body[data..]),
            Some(_) => {
                let decoder = ZlibDecoder::new(&body[data..]);
                let mut decoder = decoder.take(*left);
                let bytes = decoder.read_to_end(&mut plain).ok()?;
                *left -= bytes as u64;
            }
        }
        let mut at = 0;
        let mut entries = Vec::new();
        for _ in 0..count.min(OBJECTS_MAX) {
            let [name, place] = [(); 2].map(|()| {
                let token = next(&plain, at)?;
                at = token.end;
                number(&plain, token)
            });
            entries.push((name?, first.checked_add(place?)?));
        }
        for (at, (name, begin)) in entries.iter().enumerate() {
            let end = entries.get(at + 1).map_or(plain.len(), |(_, begin)| *begin);
            let object = plain.get(*begin..end)?;
            self.objects.entry(*name).or_insert_with(|| object.to_vec());
        }
        Some(())
    }
}
