//! Parses one record element.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::charset::{Charset, Legibility};
use crate::frame::RECORD_FIELDS_MAX;
use crate::{ControlField, DataField, Field, Leader, Malformed, Record, Subfield, Tag, Warning};

/// Parses a record element. Elements of other namespaces are ignored.
pub(super) fn parse(bytes: &[u8]) -> Result<(Record, Vec<Warning>), Malformed> {
    let decoded = Charset::Utf8.decode(bytes);
    let mut legibility = Legibility::default();
    legibility.count(&decoded);
    legibility.verdict()?;

    let mut reader = Reader::from_str(&decoded.text);
    reader.config_mut().expand_empty_elements = true;
    let mut building = Building::default();
    loop {
        match reader.read_event().map_err(malformed)? {
            Event::Start(element) => building.start(&element)?,
            Event::End(element) => building.end(element.local_name().as_ref()),
            Event::Text(text) => building.text(&text.decode().map_err(malformed)?),
            Event::CData(text) => building.text(&text.decode().map_err(malformed)?),
            Event::GeneralRef(reference) => building.text(&resolve(&reference)?),
            Event::Eof => break,
            _ => {}
        }
    }
    let warnings = match (decoded.replaced, building.record.fields.first()) {
        (0, _) | (_, None) => Vec::new(),
        (count, Some(first)) => vec![Warning::Utf8Repaired {
            tag: first.tag(),
            count,
        }],
    };
    Ok((building.record, warnings))
}

fn malformed(error: impl std::fmt::Display) -> Malformed {
    Malformed::Xml(error.to_string())
}

fn resolve(reference: &BytesRef<'_>) -> Result<String, Malformed> {
    if let Some(character) = reference.resolve_char_ref().map_err(malformed)? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(malformed)?;
    resolve_predefined_entity(&name)
        .map(str::to_owned)
        .ok_or_else(|| Malformed::Xml(format!("the entity {name} is not declared")))
}

/// The record so far, and the element whose text is being collected.
#[derive(Default)]
struct Building {
    record: Record,
    data_field: Option<DataField>,
    open: Option<Open>,
}

enum Open {
    Leader(String),
    Control(ControlField),
    Subfield(Subfield),
}

impl Building {
    fn start(&mut self, element: &BytesStart<'_>) -> Result<(), Malformed> {
        let name = element.local_name();
        let is_field = matches!(name.as_ref(), b"controlfield" | b"datafield");
        if is_field && self.record.fields.len() >= RECORD_FIELDS_MAX {
            let limit = RECORD_FIELDS_MAX;
            return Err(Malformed::TooManyFields { limit });
        }
        match name.as_ref() {
            b"leader" => self.open = Some(Open::Leader(String::new())),
            b"controlfield" => {
                let tag = tag(element)?;
                self.open = Some(Open::Control(ControlField {
                    tag,
                    value: String::new(),
                }));
            }
            b"datafield" => {
                let indicators = [indicator(element, "ind1")?, indicator(element, "ind2")?];
                let tag = tag(element)?;
                self.data_field = Some(DataField {
                    tag,
                    indicators,
                    subfields: Vec::new(),
                });
            }
            b"subfield" => {
                let code = attribute(element, "code")?.and_then(|code| code.chars().next());
                let code = code.ok_or_else(|| malformed("a subfield has no code"))?;
                self.open = Some(Open::Subfield(Subfield {
                    code,
                    value: String::new(),
                }));
            }
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        match &mut self.open {
            Some(Open::Leader(value)) => value.push_str(text),
            Some(Open::Control(control)) => control.value.push_str(text),
            Some(Open::Subfield(subfield)) => subfield.value.push_str(text),
            None => {}
        }
    }

    fn end(&mut self, name: &[u8]) {
        match (name, self.open.take()) {
            (b"leader", Some(Open::Leader(leader))) => {
                self.record.leader = Leader::from_bytes(leader.as_bytes());
            }
            (b"controlfield", Some(Open::Control(control))) => {
                self.record.fields.push(Field::Control(control));
            }
            (b"subfield", Some(Open::Subfield(subfield))) => {
                if let Some(field) = &mut self.data_field {
                    field.subfields.push(subfield);
                }
            }
            (b"datafield", _) => self
                .record
                .fields
                .extend(self.data_field.take().map(Field::Data)),
            (_, open) => self.open = open,
        }
    }
}

fn tag(element: &BytesStart<'_>) -> Result<Tag, Malformed> {
    let tag = attribute(element, "tag")?.unwrap_or_default();
    Tag::new(&tag).ok_or(Malformed::Tag(tag))
}

fn indicator(element: &BytesStart<'_>, name: &str) -> Result<char, Malformed> {
    Ok(attribute(element, name)?
        .and_then(|value| value.chars().next())
        .unwrap_or(' '))
}

fn attribute(element: &BytesStart<'_>, name: &str) -> Result<Option<String>, Malformed> {
    let attribute = element.try_get_attribute(name).map_err(malformed)?;
    attribute
        .map(|attribute| {
            Ok(attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(malformed)?
                .into_owned())
        })
        .transpose()
}
