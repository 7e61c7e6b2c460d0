//! Search terms of MARC records: a set of numbers. The presence of tags, indicators and subfields is
//! packed into a number and so is exact; values are hashed. No I/O.

mod entry;
mod filter;
mod hash;

pub use entry::{Entry, entry};
pub use filter::{Condition, Filter, Recheck, Terms, filter, indicator_path, value_path};

use crate::expression::Tag;

/// The lengths of stored prefixes of each value.
pub const PREFIXES: [usize; 5] = [2, 4, 8, 12, 16];
/// Control fields with a term for each significant character.
const POSITIONED: [&str; 3] = ["006", "007", "008"];
/// Ranges of field 008 that are searched as one text: position and length. The date of entry, both
/// dates, the place of publication, the language.
const FIXED_TEXTS: [(u16, usize); 5] = [(0, 6), (7, 4), (11, 4), (15, 3), (35, 3)];
/// The field of these ranges.
const FIXED: &str = "008";
/// Later characters of control fields have no terms.
const POSITIONS: usize = 256;
/// Tags with additional terms of only letters and digits, or digits: numbers and codes.
const NUMBERS: std::ops::RangeInclusive<&str> = "001"..="099";
/// The sign for a code or indicator that is neither a lower-case letter nor a digit.
pub const UNUSUAL: char = '?';
/// The sign for a blank indicator.
pub const BLANK: char = '#';

const HAS_TAG: u8 = 1;
const HAS_INDICATOR: u8 = 2;
const HAS_CODE: u8 = 4;
const LEADER: u8 = 5;
const POSITION: u8 = 6;
const VALUE: u8 = 16;
const PREFIX: u8 = 17;
const DIGITS: u8 = 18;
const WORDLY: u8 = 19;
const LEADER_TEXT: u8 = 20;
const FIXED_TEXT: u8 = 21;

/// A field of this tag is there.
#[must_use]
pub fn has_tag(tag: Tag) -> i64 {
    packed(HAS_TAG, tag.as_str(), 0, '\0')
}

/// A field with this indicator is there.
#[must_use]
pub fn has_indicator(tag: Tag, number: u8, indicator: char) -> i64 {
    packed(HAS_INDICATOR, tag.as_str(), number, indicator)
}

/// A field with a subfield of this code is there.
#[must_use]
pub fn has_code(tag: Tag, code: char) -> i64 {
    packed(HAS_CODE, tag.as_str(), 0, code)
}

/// The leader has this character there.
#[must_use]
pub fn leader(at: u8, character: char) -> i64 {
    packed(LEADER, "", at, character)
}

/// The leader has this text there.
#[must_use]
pub fn leader_text(at: u8, text: &str) -> i64 {
    hash::hashed(LEADER_TEXT, "", char::from(b'0' + at), text)
}

/// A control field has this character there.
#[must_use]
pub fn position(tag: Tag, at: u8, character: char) -> i64 {
    packed(POSITION, tag.as_str(), at, character)
}

/// Field 008 has this text there, which is one of [`FIXED_TEXTS`].
#[must_use]
pub fn fixed_text(at: u16, text: &str) -> i64 {
    hash::hashed(FIXED_TEXT, FIXED, char::from(at as u8), text)
}

/// A subfield has this value.
#[must_use]
pub fn value(tag: Tag, code: char, text: &str) -> i64 {
    hash::hashed(VALUE, tag.as_str(), code, text)
}

/// A subfield's value begins with this, which has as many characters as one of [`PREFIXES`].
#[must_use]
pub fn prefix(tag: Tag, code: char, text: &str) -> i64 {
    hash::hashed(PREFIX, tag.as_str(), code, text)
}

/// A subfield's value has these digits, ignoring other characters.
#[must_use]
pub fn digits(tag: Tag, code: char, text: &str) -> i64 {
    hash::hashed(DIGITS, tag.as_str(), code, text)
}

/// A subfield's value has these letters and digits, ignoring other characters.
#[must_use]
pub fn wordly(tag: Tag, code: char, text: &str) -> i64 {
    hash::hashed(WORDLY, tag.as_str(), code, text)
}

/// Whether values of a tag have [`digits`] and [`wordly`] terms.
#[must_use]
pub fn is_number(tag: Tag) -> bool {
    NUMBERS.contains(&tag.as_str())
}

/// The possible codes of a value.
pub fn codes() -> impl Iterator<Item = char> {
    ('0'..='9').chain('a'..='z').chain([UNUSUAL])
}

#[must_use]
pub fn code_kept(code: char) -> char {
    if code.is_ascii_lowercase() || code.is_ascii_digit() {
        code
    } else {
        UNUSUAL
    }
}

#[must_use]
pub fn indicator_kept(indicator: char) -> char {
    match indicator {
        ' ' | BLANK => BLANK,
        other => code_kept(other),
    }
}

#[must_use]
pub fn only_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// The letters and digits of a text.
#[must_use]
pub fn only_wordly(text: &str) -> String {
    text.chars().filter(|one| one.is_alphanumeric()).collect()
}

/// Kind, tag, number and character side by side; positive.
fn packed(kind: u8, tag: &str, number: u8, character: char) -> i64 {
    let tag = tag
        .bytes()
        .fold(0_i64, |tag, byte| tag << 8 | i64::from(byte));
    i64::from(kind) << 56 | tag << 32 | i64::from(number) << 24 | i64::from(u32::from(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_different_things_differ() {
        let (title, isbn) = (
            Tag::new("245").expect("a tag"),
            Tag::new("020").expect("a tag"),
        );
        let all = [
            has_tag(title),
            has_tag(isbn),
            has_indicator(title, 1, '1'),
            has_indicator(title, 2, '1'),
            has_code(title, 'a'),
            has_code(isbn, 'a'),
            leader(5, 'c'),
            leader(6, 'c'),
            position(title, 5, 'c'),
            value(title, 'a', "x"),
            value(title, 'b', "x"),
            prefix(title, 'a', "x"),
            digits(title, 'a', "x"),
            wordly(title, 'a', "x"),
            leader_text(0, "x"),
            leader_text(12, "x"),
            fixed_text(7, "x"),
            fixed_text(11, "x"),
        ];
        let distinct: std::collections::HashSet<i64> = all.into_iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert!(all[..9].iter().all(|term| *term > 0));
        assert!(all[9..].iter().all(|term| *term < 0));
    }
}
