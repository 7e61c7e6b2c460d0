//! Writes records as MARCXML.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

use super::NAMESPACE;
use crate::{DataField, Field, Record};

/// Writes one record as a document's only element.
pub fn write_record(record: &Record, output: impl io::Write) -> io::Result<()> {
    let mut writer = started(output)?;
    element(&mut writer, record, true)
}

/// Writes records as a collection.
pub fn write_collection<'a>(
    records: impl IntoIterator<Item = &'a Record>,
    output: impl io::Write,
) -> io::Result<()> {
    let mut writer = started(output)?;
    writer
        .create_element("collection")
        .with_attribute(("xmlns", NAMESPACE))
        .write_inner_content(|writer| {
            records
                .into_iter()
                .try_for_each(|record| element(writer, record, false))
        })?;
    Ok(())
}

fn started<W: io::Write>(output: W) -> io::Result<Writer<W>> {
    let mut writer = Writer::new(output);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    Ok(writer)
}

fn element<W: io::Write>(writer: &mut Writer<W>, record: &Record, root: bool) -> io::Result<()> {
    let start = writer.create_element("record");
    let start = if root {
        start.with_attribute(("xmlns", NAMESPACE))
    } else {
        start
    };
    start.write_inner_content(|writer| {
        let leader = BytesText::new(record.leader.as_str());
        writer.create_element("leader").write_text_content(leader)?;
        record.fields.iter().try_for_each(|field| match field {
            Field::Control(control) => writer
                .create_element("controlfield")
                .with_attribute(("tag", control.tag.as_str()))
                .write_text_content(BytesText::new(&legal(&control.value)))
                .map(drop),
            Field::Data(data) => data_field(writer, data),
        })
    })?;
    Ok(())
}

fn data_field<W: io::Write>(writer: &mut Writer<W>, field: &DataField) -> io::Result<()> {
    let [first, second] = field
        .indicators
        .map(|indicator| legal(&indicator.to_string()));
    writer
        .create_element("datafield")
        .with_attribute(("tag", field.tag.as_str()))
        .with_attribute(("ind1", first.as_str()))
        .with_attribute(("ind2", second.as_str()))
        .write_inner_content(|writer| {
            field.subfields.iter().try_for_each(|subfield| {
                writer
                    .create_element("subfield")
                    .with_attribute(("code", legal(&subfield.code.to_string()).as_str()))
                    .write_text_content(BytesText::new(&legal(&subfield.value)))
                    .map(drop)
            })
        })?;
    Ok(())
}

/// The text with a replacement character for each that XML 1.0 forbids.
fn legal(text: &str) -> String {
    text.replace(is_illegal, "\u{FFFD}")
}

fn is_illegal(character: char) -> bool {
    let control = character < ' ' && !matches!(character, '\t' | '\n' | '\r');
    control || matches!(character, '\u{FFFE}' | '\u{FFFF}')
}
