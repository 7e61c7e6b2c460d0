//! One record's bytes into a record.
//!
//! Lengths are taken as hints and terminators as facts, since hand-edited and badly converted
//! files get the former wrong.

use super::{ENTRY_LENGTH, FIELD_TERMINATOR, RECORD_TERMINATOR, SUBFIELD_DELIMITER};
use crate::charset::{Charset, Decoded, Legibility};
use crate::leader::decimal;
use crate::{ControlField, DataField, Field, Leader, Malformed, Record, Subfield, Tag, Warning};

/// Reads one record in ISO 2709 with what had to be repaired; its record terminator may be absent.
pub fn parse(bytes: &[u8]) -> Result<(Record, Vec<Warning>), Malformed> {
    let mut warnings = Vec::new();
    let body = match bytes.split_last() {
        Some((&RECORD_TERMINATOR, body)) => body,
        _ => {
            warnings.push(Warning::MissingTerminator);
            bytes
        }
    };
    if body.len() <= Leader::LENGTH {
        return Err(Malformed::TooShort { bytes: bytes.len() });
    }
    let (head, rest) = body.split_at(Leader::LENGTH);
    let leader = Leader::from_bytes(head);
    if let Some(declared) = leader
        .record_length()
        .filter(|&declared| declared != bytes.len())
    {
        warnings.push(Warning::LengthDiffers {
            declared,
            actual: bytes.len(),
        });
    }
    let directory_length = rest
        .iter()
        .position(|&byte| byte == FIELD_TERMINATOR)
        .ok_or(Malformed::DirectoryUnterminated)?;
    let (directory, data) = (&rest[..directory_length], &rest[directory_length + 1..]);
    let slices = locate_fields(&entries(directory)?, data, &mut warnings)?;

    let (charset, warning) = Charset::of(&leader, data);
    warnings.extend(warning);
    let mut reading = FieldReading {
        charset,
        legibility: Legibility::default(),
        warnings,
    };
    let fields = slices
        .into_iter()
        .map(|(tag, bytes)| reading.field(tag, bytes))
        .collect();
    reading.legibility.verdict()?;

    let mut record = Record { leader, fields };
    if !data.is_ascii() || charset == Charset::Marc8 {
        record.leader.set_unicode();
    }
    Ok((record, reading.warnings))
}

/// What a directory entry says; `None` where it does not spell a number.
struct Entry {
    tag: Tag,
    length: Option<usize>,
    start: Option<usize>,
}

fn entries(directory: &[u8]) -> Result<Vec<Entry>, Malformed> {
    directory
        .chunks_exact(ENTRY_LENGTH)
        .map(|entry| {
            let tag = Tag::from_bytes(&entry[..3])
                .ok_or_else(|| Malformed::Tag(String::from_utf8_lossy(&entry[..3]).into_owned()))?;
            Ok(Entry {
                tag,
                length: decimal(&entry[3..7]),
                start: decimal(&entry[7..]),
            })
        })
        .collect()
}

/// The bytes of each listed field, without terminators: by the directory where it is right, by
/// counting terminators where it is not.
fn locate_fields<'a>(
    entries: &[Entry],
    data: &'a [u8],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<(Tag, &'a [u8])>, Malformed> {
    let terminated = data.strip_suffix(&[FIELD_TERMINATOR]).unwrap_or(data);
    let pieces: Vec<&[u8]> = if data.is_empty() {
        Vec::new()
    } else {
        terminated.split(|&byte| byte == FIELD_TERMINATOR).collect()
    };
    let exact: Option<Vec<_>> = entries
        .iter()
        .map(|entry| Some((entry.tag, exact_field(entry, data)?)))
        .collect();
    if let Some(fields) = exact {
        if pieces.len() > fields.len() {
            warnings.push(Warning::UnlistedFields(pieces.len() - fields.len()));
        }
        return Ok(fields);
    }
    if pieces.len() != entries.len() {
        return Err(Malformed::DirectoryMismatch {
            listed: entries.len(),
            found: pieces.len(),
        });
    }
    warnings.push(Warning::DirectoryIgnored);
    Ok(entries.iter().map(|entry| entry.tag).zip(pieces).collect())
}

/// The field's bytes, if exactly one terminated field stands where the entry says.
fn exact_field<'a>(entry: &Entry, data: &'a [u8]) -> Option<&'a [u8]> {
    let (start, length) = (entry.start?, entry.length?);
    let follows_terminator = start == 0 || data.get(start - 1) == Some(&FIELD_TERMINATOR);
    let field = data.get(start..start.checked_add(length)?)?;
    let (&last, value) = field.split_last()?;
    let whole = last == FIELD_TERMINATOR && !value.contains(&FIELD_TERMINATOR);
    (follows_terminator && whole).then_some(value)
}

/// Turns fields' bytes into text, keeping count of repairs.
struct FieldReading {
    charset: Charset,
    legibility: Legibility,
    warnings: Vec<Warning>,
}

impl FieldReading {
    fn field(&mut self, tag: Tag, bytes: &[u8]) -> Field {
        if tag.is_control() {
            let value = self.text(tag, bytes);
            return Field::Control(ControlField { tag, value });
        }
        let mut pieces = bytes.split(|&byte| byte == SUBFIELD_DELIMITER);
        let head = self.text(tag, pieces.next().unwrap_or_default());
        let mut head = head.chars();
        let indicators = [head.next().unwrap_or(' '), head.next().unwrap_or(' ')];
        if !head.as_str().trim().is_empty() {
            self.warnings.push(Warning::TextBeforeSubfields(tag));
        }
        let mut subfields = Vec::new();
        for piece in pieces {
            match self.subfield(tag, piece) {
                Some(subfield) => subfields.push(subfield),
                None => self.warnings.push(Warning::SubfieldWithoutCode(tag)),
            }
        }
        Field::Data(DataField {
            tag,
            indicators,
            subfields,
        })
    }

    fn subfield(&mut self, tag: Tag, bytes: &[u8]) -> Option<Subfield> {
        let (&first, rest) = bytes.split_first()?;
        // An ASCII code is set apart before decoding, so that no diacritic can join it.
        if first.is_ascii() {
            let value = self.text(tag, rest);
            return Some(Subfield {
                code: char::from(first),
                value,
            });
        }
        let text = self.text(tag, bytes);
        let code = text.chars().next()?;
        Some(Subfield {
            code,
            value: text[code.len_utf8()..].to_owned(),
        })
    }

    fn text(&mut self, tag: Tag, bytes: &[u8]) -> String {
        let decoded = self.charset.decode(bytes);
        self.legibility.count(&decoded);
        let Decoded {
            text,
            replaced: count,
        } = decoded;
        if count > 0 {
            self.warnings.push(match self.charset {
                Charset::Utf8 => Warning::Utf8Repaired { tag, count },
                Charset::Marc8 => Warning::Marc8Repaired { tag, count },
            });
        }
        text
    }
}
