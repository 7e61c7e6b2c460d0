//! MARC-8, the character set of records whose leader does not declare Unicode.
//!
//! Two sets are active at a time, one for low bytes (G0) and one for high bytes (G1); escape
//! sequences switch them. In MARC-8 diacritics precede their letter; they are moved behind it here.

mod eacc;
mod single_byte;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

const ESCAPE: u8 = 0x1B;
const REPLACEMENT: char = char::REPLACEMENT_CHARACTER;

/// Arabic superscript alef combines in Unicode, but follows its letter in MARC-8.
const SUPERSCRIPT_ALEF: char = '\u{0670}';

/// Decodes MARC-8 into text in normalization form C. Returns the text, and how many of its
/// characters replace undefined bytes.
pub fn decode(bytes: &[u8]) -> (String, usize) {
    let mut decoder = Decoder {
        g0: Set::Ascii,
        g1: Set::Single(&single_byte::ANSEL),
    };
    let (mut text, mut diacritics) = (String::with_capacity(bytes.len()), String::new());
    let mut replaced = 0;
    let mut rest = bytes;
    while !rest.is_empty() {
        if let Some(length) = decoder.escape(rest) {
            rest = &rest[length..];
            continue;
        }
        let (character, length) = decoder.character(rest);
        rest = &rest[length..];
        replaced += usize::from(character == REPLACEMENT);
        if is_combining_mark(character) && character != SUPERSCRIPT_ALEF {
            diacritics.push(character);
        } else {
            text.push(character);
            text.push_str(&diacritics);
            diacritics.clear();
        }
    }
    text.push_str(&diacritics);
    (text.nfc().collect(), replaced)
}

/// A character set that G0 or G1 can hold.
#[derive(Clone, Copy)]
enum Set {
    Ascii,
    Single(&'static single_byte::Table),
    /// Chinese, Japanese and Korean, three bytes to a character.
    EastAsian,
}

impl Set {
    /// The set that this final byte of an escape sequence names.
    fn named(byte: u8) -> Option<Set> {
        Some(match byte {
            b'B' => Set::Ascii,
            b'E' => Set::Single(&single_byte::ANSEL),
            b'N' => Set::Single(&single_byte::BASIC_CYRILLIC),
            b'Q' => Set::Single(&single_byte::EXTENDED_CYRILLIC),
            b'S' => Set::Single(&single_byte::BASIC_GREEK),
            b'2' => Set::Single(&single_byte::BASIC_HEBREW),
            b'3' => Set::Single(&single_byte::BASIC_ARABIC),
            b'4' => Set::Single(&single_byte::EXTENDED_ARABIC),
            b'1' => Set::EastAsian,
            _ => return None,
        })
    }

    /// The set that a two-byte escape sequence switches G0 to.
    fn named_briefly(byte: u8) -> Option<Set> {
        Some(match byte {
            b's' => Set::Ascii,
            b'g' => Set::Single(&single_byte::GREEK_SYMBOLS),
            b'b' => Set::Single(&single_byte::SUBSCRIPT),
            b'p' => Set::Single(&single_byte::SUPERSCRIPT),
            _ => return None,
        })
    }
}

struct Decoder {
    g0: Set,
    g1: Set,
}

impl Decoder {
    /// Applies the escape sequence at the beginning of these bytes, if there is one; returns its
    /// length.
    fn escape(&mut self, bytes: &[u8]) -> Option<usize> {
        let (&ESCAPE, rest) = bytes.split_first()? else {
            return None;
        };
        if let Some(set) = rest.first().and_then(|&byte| Set::named_briefly(byte)) {
            self.g0 = set;
            return Some(2);
        }
        // `ESC ( F` names a set of single bytes, `ESC $ F` and `ESC $ ( F` one of several;
        // ANSEL's own name is longer by an exclamation mark.
        let multibyte = usize::from(rest.first() == Some(&b'$'));
        let (high, named) = match rest.get(multibyte) {
            Some(b'(' | b',') => (false, multibyte + 1),
            Some(b')' | b'-') => (true, multibyte + 1),
            _ if multibyte == 1 => (false, 1),
            _ => return None,
        };
        let named = named + usize::from(rest.get(named) == Some(&b'!'));
        let set = Set::named(*rest.get(named)?)?;
        if high {
            self.g1 = set;
        } else {
            self.g0 = set;
        }
        Some(named + 2)
    }

    /// Decodes the first character of these bytes, which are not empty; returns its length too.
    fn character(&self, bytes: &[u8]) -> (char, usize) {
        let byte = bytes[0];
        let set = if byte < 0x80 { self.g0 } else { self.g1 };
        match (byte, set) {
            (0x00..=0x20 | 0x7F, _) => (char::from(byte), 1),
            // The marks of nonsorting text, and the two joiners.
            (0x88, _) => ('\u{98}', 1),
            (0x89, _) => ('\u{9C}', 1),
            (0x8D, _) => ('\u{200D}', 1),
            (0x8E, _) => ('\u{200C}', 1),
            (0x80..=0x9F, _) => (REPLACEMENT, 1),
            (_, Set::Ascii) => (char::from(byte & 0x7F), 1),
            (_, Set::Single(table)) => (single(table, byte), 1),
            (_, Set::EastAsian) => east_asian(bytes),
        }
    }
}

fn single(table: &single_byte::Table, byte: u8) -> char {
    let place = usize::from((byte & 0x7F).saturating_sub(0x20));
    match table.get(place) {
        None | Some(0) => REPLACEMENT,
        Some(&point) => char::from_u32(point.into()).unwrap_or(REPLACEMENT),
    }
}

fn east_asian(bytes: &[u8]) -> (char, usize) {
    match bytes.first_chunk::<3>() {
        Some(code) => match eacc::character(code.map(|byte| byte & 0x7F)) {
            Some(character) => (character, 3),
            // Spaces and controls stand as single bytes even among three-byte codes, so step by one
            // byte to resynchronize.
            None if code.iter().any(|&byte| byte & 0x7F < 0x21) => (REPLACEMENT, 1),
            None => (REPLACEMENT, 3),
        },
        None => (REPLACEMENT, bytes.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes), (expected.to_owned(), 0));
    }

    #[test]
    fn diacritics_follow_their_letter_and_compose() {
        check(b"Caf\xE2e", "Café");
        check(b"Dvo\xE9r\xE2ak, Anton\xE2in", "Dvořák, Antonín");
        check(b"pha\xF2\xE3an", "phaận");
        check(b"\xB2re \xA1\xE2od\xB1", "øre Łódł");
        check(b"\xEBt\xECs", "t\u{FE20}s\u{FE21}");
        check(b"o\xE8", "ö");
    }

    #[test]
    fn escape_sequences_exchange_sets() {
        check(b"\x1B(NrUSSKIJ\x1B(B text", "Русский text");
        check(b"\x1B)Qa\xC4\x1B)!E\xE2e", "aёé");
        check(b"H\x1Bb2\x1BsO, x\x1Bp2\x1Bs", "H₂O, x²");
        check(b"\x1Bga\x1Bs-rays", "α-rays");
        check(b"\x1B(2ylem\x1B(B", "שלום");
        check(b"\x1B(Sabd\x1B(B", "αβγ");
        check(b"\x1B$1!0!!0\"\x1B(B.", "一丁.");
    }

    #[test]
    fn bytes_without_meaning_are_replaced_and_counted() {
        assert_eq!(decode(b"a\xFFb\x1BZ"), ("a\u{FFFD}b\u{1B}Z".to_owned(), 1));
        assert_eq!(decode(b"\x1B$1!0"), ("\u{FFFD}".to_owned(), 1));
    }
}
