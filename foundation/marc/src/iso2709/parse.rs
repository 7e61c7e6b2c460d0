//! Parses one record's bytes.
//!
//! Lengths are hints and terminators are facts, since hand-edited and badly converted files get the
//! former wrong.

use std::ops::Range;

use memchr::{memchr, memchr_iter};

use super::{ENTRY_LENGTH, FIELD_TERMINATOR, RECORD_TERMINATOR, SUBFIELD_DELIMITER};
use crate::charset::{Charset, Decoded, Legibility, has_nul};
use crate::frame::RECORD_FIELDS_MAX;
use crate::leader::decimal;
use crate::{ControlField, DataField, Field, Leader, Malformed, Record, Subfield, Tag, Warning};

/// Parses one record in ISO 2709 and returns the repairs; its record terminator may be absent.
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
    let directory_length =
        memchr(FIELD_TERMINATOR, rest).ok_or(Malformed::DirectoryUnterminated)?;
    let (directory, data) = (&rest[..directory_length], &rest[directory_length + 1..]);
    let places = locate_fields(&entries(directory)?, data, &mut warnings)?;

    let (charset, warning) = Charset::of(&leader, data);
    warnings.extend(warning);
    let plain = match charset {
        Charset::Utf8 => std::str::from_utf8(data).ok().filter(|text| !has_nul(text)),
        Charset::Marc8 => None,
    };
    let mut record = Record {
        leader,
        fields: Vec::with_capacity(places.len()),
    };
    if let Some(text) = plain {
        // A field's range begins and ends beside terminators, which are single-byte characters.
        let fields = places
            .into_iter()
            .map(|(tag, place)| plain_field(tag, &text[place], &mut warnings));
        record.fields.extend(fields);
    } else {
        let mut reading = FieldReading {
            charset,
            legibility: Legibility::default(),
            warnings,
        };
        let fields = places
            .into_iter()
            .map(|(tag, place)| reading.field(tag, &data[place]));
        record.fields.extend(fields);
        reading.legibility.verdict()?;
        warnings = reading.warnings;
    }
    if !data.is_ascii() || charset == Charset::Marc8 {
        record.leader.set_unicode();
    }
    Ok((record, warnings))
}

/// A directory entry; `None` for what is not a number.
struct Entry {
    tag: Tag,
    length: Option<usize>,
    start: Option<usize>,
}

fn entries(directory: &[u8]) -> Result<Vec<Entry>, Malformed> {
    let entries = directory.chunks_exact(ENTRY_LENGTH);
    if entries.len() > RECORD_FIELDS_MAX {
        let limit = RECORD_FIELDS_MAX;
        return Err(Malformed::TooManyFields { limit });
    }
    entries
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

/// The range of each listed field in the data, without its terminator: by the directory where it is
/// right, otherwise by counting terminators.
fn locate_fields(
    entries: &[Entry],
    data: &[u8],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<(Tag, Range<usize>)>, Malformed> {
    let terminated = data.strip_suffix(&[FIELD_TERMINATOR]).unwrap_or(data);
    let terminators = memchr_iter(FIELD_TERMINATOR, terminated);
    let found = match data {
        [] => 0,
        _ => terminators.clone().count() + 1,
    };
    if let Some(fields) = exact_fields(entries, data) {
        let listed = distinct(&fields);
        if found > listed {
            warnings.push(Warning::UnlistedFields(found - listed));
        }
        return Ok(fields);
    }
    if found != entries.len() {
        return Err(Malformed::DirectoryMismatch {
            listed: entries.len(),
            found,
        });
    }
    let mut start = 0;
    let pieces = terminators.chain([terminated.len()]).map(|end| {
        let piece = start..end;
        start = end + 1;
        piece
    });
    warnings.push(Warning::DirectoryIgnored);
    Ok(entries.iter().map(|entry| entry.tag).zip(pieces).collect())
}

/// The fields' ranges, if one terminated field stands where each entry says.
///
/// Their sum must not exceed the data: a directory of a hundred kilobytes that names one long field
/// thousands of times would become gigabytes. Entries that share a field within that sum cost no
/// more than the data itself and are accepted.
fn exact_fields(entries: &[Entry], data: &[u8]) -> Option<Vec<(Tag, Range<usize>)>> {
    let mut left = data.len();
    let places = entries.iter().map(|entry| {
        // The directory's lengths include the terminators, as the data do.
        left = left.checked_sub(entry.length?)?;
        Some((entry.tag, exact_field(entry, data)?))
    });
    places.collect()
}

/// The number of distinct ranges; in a well-formed record they ascend.
fn distinct(fields: &[(Tag, Range<usize>)]) -> usize {
    if fields.is_sorted_by(|(_, one), (_, next)| one.start < next.start) {
        return fields.len();
    }
    let mut starts: Vec<usize> = fields.iter().map(|(_, place)| place.start).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.len()
}

/// The field's range, if exactly one terminated field stands where the entry says.
fn exact_field(entry: &Entry, data: &[u8]) -> Option<Range<usize>> {
    let (start, length) = (entry.start?, entry.length?);
    let follows_terminator = start == 0 || data.get(start - 1) == Some(&FIELD_TERMINATOR);
    let field = data.get(start..start.checked_add(length)?)?;
    let (&last, value) = field.split_last()?;
    let whole = last == FIELD_TERMINATOR && memchr(FIELD_TERMINATOR, value).is_none();
    (follows_terminator && whole).then_some(start..start + value.len())
}

/// Parses a field in which no character needs repair.
fn plain_field(tag: Tag, text: &str, warnings: &mut Vec<Warning>) -> Field {
    if tag.is_control() {
        let value = text.to_owned();
        return Field::Control(ControlField { tag, value });
    }
    let bytes = text.as_bytes();
    let first = memchr(SUBFIELD_DELIMITER, bytes).unwrap_or(bytes.len());
    let mut head = text[..first].chars();
    let indicators = [head.next().unwrap_or(' '), head.next().unwrap_or(' ')];
    if !head.as_str().trim().is_empty() {
        warnings.push(Warning::TextBeforeSubfields(tag));
    }
    let mut subfields = Vec::with_capacity(4);
    let mut start = first + 1;
    while start <= bytes.len() {
        let end = memchr(SUBFIELD_DELIMITER, &bytes[start..]);
        let end = end.map_or(bytes.len(), |length| start + length);
        let piece = &text[start..end];
        match piece.chars().next() {
            Some(code) => subfields.push(Subfield {
                code,
                value: piece[code.len_utf8()..].to_owned(),
            }),
            None => warnings.push(Warning::SubfieldWithoutCode(tag)),
        }
        start = end + 1;
    }
    Field::Data(DataField {
        tag,
        indicators,
        subfields,
    })
}

/// Decodes fields, counting repairs.
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
        // An ASCII code is split off before decoding, so that no diacritic can combine with it; NUL is decoded, which
        // replaces it.
        if first.is_ascii() && first != 0 {
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
