//! From the editor's form to a MARC record.
//!
//! A form field that equals the form of a stored field is that stored field, byte for byte. So details
//! that the form cannot show (blanks around a value, a fixed field of another length) survive edits of
//! other fields.

use std::collections::{HashMap, VecDeque};

use jiff::civil::Date;
use octavo_mapping::RecordKind;
use octavo_marc::{ControlField, DataField, Field, Leader, Record, Subfield, Tag};
use serde_json::{Map, Value};

use super::elements::{
    AUTHORITY_008, COMMON_008, Element, HOLDINGS_008, LENGTH_006, LENGTH_008, LENGTH_008_HOLDINGS,
    MATERIAL_IN_008, TYPE, category_of, of_006, of_material,
};
use super::write::write_field;
use super::{BLANK, DOLLAR, unmasked};

/// The entry date for a fixed field without one.
pub type Today = Date;

/// Why a form cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// A part of a fixed field has another length.
    #[error("Invalid {name} field length, must be {length} characters")]
    ElementLength {
        /// The part.
        name: &'static str,
        length: usize,
    },
    /// A value has the wrong type.
    #[error("Parameter '{path}' {problem}")]
    Malformed {
        /// The place, `fields[3].content`.
        path: String,
        /// The expected value.
        problem: &'static str,
    },
}

fn malformed(path: String, problem: &'static str) -> ReadError {
    ReadError::Malformed { path, problem }
}

/// Maximal number of fields.
const FIELDS_MAX: usize = 10_000;
/// Maximal number of subfields: more do not fit into a field of ISO 2709, which has at most 9,999 bytes.
const SUBFIELDS_MAX: usize = 5_000;

/// Reads a record of the editor.
///
/// # Errors
/// Place and reason of the first error.
pub fn read_record(
    leader: &str,
    fields: &[Value],
    kind: RecordKind,
    stored: Option<&Record>,
    today: Today,
) -> Result<Record, ReadError> {
    if fields.len() > FIELDS_MAX {
        return Err(malformed(
            "fields".to_owned(),
            "size must be between 0 and 10000",
        ));
    }
    let leader = Leader::from_bytes(unmasked(leader).as_bytes());
    let mut known = StoredFields::of(stored, kind);
    let mut record = Record {
        leader,
        fields: Vec::with_capacity(fields.len()),
    };
    for (at, item) in fields.iter().enumerate() {
        let path = format!("fields[{at}]");
        let field = match known.take(item) {
            Some(field) => field,
            None => read_field(&path, item, kind, today)?,
        };
        record.fields.push(field);
    }
    Ok(record)
}

/// The stored fields by their form, each used once.
struct StoredFields<'a> {
    shown: HashMap<String, VecDeque<&'a Field>>,
}

impl<'a> StoredFields<'a> {
    fn of(stored: Option<&'a Record>, kind: RecordKind) -> StoredFields<'a> {
        let mut shown: HashMap<String, VecDeque<&Field>> = HashMap::new();
        if let Some(record) = stored {
            for field in &record.fields {
                let key = key(&write_field(field, &record.leader, kind));
                shown.entry(key).or_default().push_back(field);
            }
        }
        StoredFields { shown }
    }

    fn take(&mut self, item: &Value) -> Option<Field> {
        self.shown.get_mut(&key(item))?.pop_front().cloned()
    }
}

/// A comparison key of form fields.
fn key(item: &Value) -> String {
    let [first, second] = indicators(&item["indicators"]);
    let content = match &item["content"] {
        // The order of properties is not significant.
        Value::Object(parts) => {
            let mut parts: Vec<String> = parts
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            parts.sort_unstable();
            parts.join("\u{1f}")
        }
        other => other.to_string(),
    };
    format!("{} {first}{second} {content}", item["tag"])
}

/// Normalises indicators to two characters.
fn indicators(value: &Value) -> [char; 2] {
    let at = |index: usize| {
        let text = value.get(index).and_then(Value::as_str).unwrap_or_default();
        match text.chars().next() {
            None | Some(BLANK) => ' ',
            Some(other) => other,
        }
    };
    [at(0), at(1)]
}

fn read_field(
    path: &str,
    item: &Value,
    kind: RecordKind,
    today: Today,
) -> Result<Field, ReadError> {
    let tag = item["tag"].as_str().and_then(Tag::new);
    let tag = tag.ok_or_else(|| malformed(format!("{path}.tag"), "must match \"^[0-9]{3}$\""))?;
    let content = &item["content"];
    let text = || {
        let text = content.as_str();
        text.ok_or_else(|| malformed(format!("{path}.content"), "must be a string"))
    };
    let control = |value: String| Ok(Field::Control(ControlField { tag, value }));
    let fixed = match (tag.as_str(), kind) {
        ("006", _) => Some(Fixed::Of006),
        ("007", _) => Some(Fixed::Of007),
        ("008", _) => Some(Fixed::Of008(kind)),
        _ => None,
    };
    match (fixed, content) {
        (Some(fixed), Value::Object(parts)) => control(unmasked(&fixed.join(parts, today)?)),
        (Some(_), Value::String(value)) => control(unmasked(value)),
        (Some(_), _) => Err(malformed(format!("{path}.content"), "must be an object")),
        (None, _) if tag.is_control() => control(text()?.to_owned()),
        (None, _) => {
            let subfields = subfields(&tag, text()?, kind);
            if subfields.len() > SUBFIELDS_MAX {
                let path = format!("{path}.content");
                return Err(malformed(path, "must have at most 5000 subfields"));
            }
            Ok(Field::Data(DataField {
                tag,
                indicators: indicators(&item["indicators"]),
                subfields,
            }))
        }
    }
}

fn subfields(tag: &Tag, content: &str, kind: RecordKind) -> Vec<Subfield> {
    let mut subfields = subfields_of(content);
    if *tag == "010" && kind != RecordKind::Holdings {
        for subfield in &mut subfields {
            if let Some(number) = control_number(&subfield.value) {
                subfield.value = number;
            }
        }
    }
    subfields
}

/// The subfields of `$a … $b …`. Values are trimmed. Text before the first `$` and subfields without a
/// value are dropped.
#[must_use]
pub fn subfields_of(content: &str) -> Vec<Subfield> {
    let mut starts: Vec<usize> = Vec::new();
    let mut characters = content.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if character == '$' && next.is_some_and(|next| next.is_ascii_alphanumeric()) {
            starts.push(at);
        }
    }
    let ends = starts.iter().skip(1).copied().chain([content.len()]);
    let pieces = starts.iter().zip(ends);
    let subfield = |(start, end): (&usize, usize)| {
        let piece = &content[start + 1..end];
        let code = piece.chars().next()?.to_ascii_lowercase();
        let value = piece[1..].trim().replace(DOLLAR, "$");
        (!value.is_empty()).then_some(Subfield { code, value })
    };
    pieces.filter_map(subfield).collect()
}

/// A Library of Congress control number with its significant blanks.
fn control_number(value: &str) -> Option<String> {
    let digits_at = value.find(|c: char| c.is_ascii_digit())?;
    let (letters, digits) = value.split_at(digits_at);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let prefix = letters.trim_end();
    let plain = prefix.bytes().all(|byte| byte.is_ascii_lowercase()) && letters.len() <= 3;
    match (digits.len(), prefix.len()) {
        (8, 0..=3) if plain => Some(format!("{prefix:3}{digits} ")),
        (10, 0 | 1) if plain && letters == prefix => Some(format!("{prefix:2}{digits}")),
        _ => None,
    }
}

/// A fixed field that is split into elements.
enum Fixed {
    Of006,
    Of007,
    Of008(RecordKind),
}

impl Fixed {
    fn join(&self, parts: &Map<String, Value>, today: Today) -> Result<String, ReadError> {
        let mut joined = match self {
            Fixed::Of006 => {
                let mut joined = Joined::blank(LENGTH_006);
                joined.put(&[TYPE], parts, 0, 0)?;
                joined.put(of_006(first(parts, "Type")), parts, 0, 0)?;
                return Ok(joined.text());
            }
            Fixed::Of007 => match category_of(first(parts, "Category")) {
                Some(category) => {
                    let mut joined = Joined::blank(category.length);
                    joined.put(category.elements, parts, 0, 0)?;
                    return Ok(joined.text());
                }
                None => return Ok(part(parts, "Value").unwrap_or_default()),
            },
            Fixed::Of008(RecordKind::Bib) => {
                let mut joined = Joined::blank(LENGTH_008);
                joined.put(COMMON_008, parts, 0, 0)?;
                let material = of_material(first(parts, "Type"), first(parts, "BLvl"));
                joined.put(material, parts, 1, MATERIAL_IN_008)?;
                joined
            }
            Fixed::Of008(RecordKind::Holdings) => {
                let mut joined = Joined::blank(LENGTH_008_HOLDINGS);
                joined.put(HOLDINGS_008, parts, 0, 0)?;
                joined
            }
            Fixed::Of008(RecordKind::Authority) => {
                let mut joined = Joined::blank(LENGTH_008);
                joined.put(AUTHORITY_008, parts, 0, 0)?;
                joined
            }
        };
        joined.date(today);
        Ok(joined.text())
    }
}

/// Characters of a fixed field being assembled.
struct Joined(Vec<char>);

impl Joined {
    fn blank(length: usize) -> Joined {
        Joined(vec![BLANK; length])
    }

    /// Writes elements: position `first` of an element is index `offset`.
    fn put(
        &mut self,
        elements: &[Element],
        parts: &Map<String, Value>,
        first: usize,
        offset: usize,
    ) -> Result<(), ReadError> {
        for element in elements {
            let Some(value) = part(parts, element.name) else {
                continue;
            };
            let characters: Vec<char> = value.chars().collect();
            // Without an entry date today is used.
            if characters.len() != element.length {
                if element.length == 6 && element.position == 0 {
                    continue;
                }
                return Err(ReadError::ElementLength {
                    name: element.name,
                    length: element.length,
                });
            }
            let at = offset + element.position - first;
            self.0[at..at + element.length].copy_from_slice(&characters);
        }
        Ok(())
    }

    /// The first six characters are the entry date.
    fn date(&mut self, today: Today) {
        let entered: String = self.0.iter().take(6).collect();
        let said = entered.chars().all(|c| c.is_ascii_digit()) && entered != "000000";
        if !said {
            let day = today.strftime("%y%m%d").to_string();
            for (place, digit) in self.0.iter_mut().zip(day.chars()) {
                *place = digit;
            }
        }
    }

    fn text(&self) -> String {
        self.0.iter().collect()
    }
}

/// A part as text; a list is its characters one after the other.
fn part(parts: &Map<String, Value>, name: &str) -> Option<String> {
    match parts.get(name)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(items) => Some(items.iter().filter_map(Value::as_str).collect()),
        other => Some(other.to_string()),
    }
}

fn first(parts: &Map<String, Value>, name: &str) -> char {
    let text = part(parts, name);
    text.and_then(|text| text.chars().next()).unwrap_or(BLANK)
}
