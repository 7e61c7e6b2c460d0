//! The character set of a record's bytes, and their decoding.

use crate::{Leader, Malformed, Warning, marc8};

const ESCAPE: u8 = 0x1B;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Charset {
    Utf8,
    Marc8,
}

/// Text, and how many of its characters replace undecodable bytes.
pub(crate) struct Decoded {
    pub(crate) text: String,
    pub(crate) replaced: usize,
}

impl Charset {
    /// Decides by the leader, unless the bytes prove it wrong: UTF-8 sequences hardly ever occur in
    /// MARC-8 by chance, and many systems convert records without changing the leader.
    pub(crate) fn of(leader: &Leader, bytes: &[u8]) -> (Charset, Option<Warning>) {
        let escapes = bytes.contains(&ESCAPE);
        if leader.is_unicode() || (bytes.is_ascii() && !escapes) {
            (Charset::Utf8, None)
        } else if !escapes && std::str::from_utf8(bytes).is_ok() {
            (Charset::Utf8, Some(Warning::Utf8DespiteLeader))
        } else {
            (Charset::Marc8, None)
        }
    }

    /// Decodes bytes, with replacement characters for undecodable ones.
    ///
    /// NUL is replaced too: it has no meaning in a catalogue, and PostgreSQL cannot store it.
    pub(crate) fn decode(self, bytes: &[u8]) -> Decoded {
        let mut decoded = match self {
            Charset::Utf8 => decode_utf8(bytes),
            Charset::Marc8 => {
                let (text, replaced) = marc8::decode(bytes);
                Decoded { text, replaced }
            }
        };
        if has_nul(&decoded.text) {
            decoded.replaced += decoded.text.matches('\0').count();
            decoded.text = decoded.text.replace('\0', "\u{FFFD}");
        }
        decoded
    }
}

/// Whether a text has NUL, which jsonb cannot hold.
pub(crate) fn has_nul(text: &str) -> bool {
    memchr::memchr(0, text.as_bytes()).is_some()
}

fn decode_utf8(bytes: &[u8]) -> Decoded {
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded {
            text: text.to_owned(),
            replaced: 0,
        },
        Err(_) => {
            let replaced = bytes
                .utf8_chunks()
                .filter(|chunk| !chunk.invalid().is_empty())
                .count();
            Decoded {
                text: String::from_utf8_lossy(bytes).into_owned(),
                replaced,
            }
        }
    }
}

/// Counts characters over a record and rejects it when more were replaced than decoded.
#[derive(Default)]
pub(crate) struct Legibility {
    characters: usize,
    replaced: usize,
}

impl Legibility {
    pub(crate) fn count(&mut self, decoded: &Decoded) {
        self.characters += decoded.text.chars().count();
        self.replaced += decoded.replaced;
    }

    pub(crate) fn verdict(&self) -> Result<(), Malformed> {
        if self.replaced * 2 > self.characters {
            Err(Malformed::Undecodable)
        } else {
            Ok(())
        }
    }
}
