//! Writes a record in ISO 2709, always in UTF-8.

use super::{ENTRY_LENGTH, FIELD_TERMINATOR, RECORD_TERMINATOR, SUBFIELD_DELIMITER};
use crate::{DataField, Field, Leader, Record, Tag, WriteError};

const FIELD_BYTES_MAX: usize = 9_999;
const RECORD_BYTES_MAX: usize = 99_999;

/// Writes one record with its terminator. Lengths and addresses are computed anew; the leader
/// declares Unicode if the text is not ASCII; the rest of the leader is kept.
pub fn write(record: &Record) -> Result<Vec<u8>, WriteError> {
    let mut directory = Vec::with_capacity(record.fields.len() * ENTRY_LENGTH);
    let mut data = Vec::new();
    for field in &record.fields {
        let (tag, start) = (field.tag(), data.len());
        write_field(field, &mut data)?;
        let bytes = data.len() - start;
        if bytes > FIELD_BYTES_MAX {
            return Err(WriteError::FieldTooLong { tag, bytes });
        }
        directory.extend_from_slice(format!("{tag}{bytes:04}{start:05}").as_bytes());
    }
    let base = Leader::LENGTH + directory.len() + 1;
    let bytes = base + data.len() + 1;
    if bytes > RECORD_BYTES_MAX {
        return Err(WriteError::RecordTooLong { bytes });
    }
    let mut leader = record.leader;
    leader.set_number(0, 5, bytes);
    leader.set_number(12, 5, base);
    if !data.is_ascii() {
        leader.set_unicode();
    }
    let mut written = Vec::with_capacity(bytes);
    written.extend_from_slice(leader.as_bytes());
    written.extend_from_slice(&directory);
    written.push(FIELD_TERMINATOR);
    written.extend_from_slice(&data);
    written.push(RECORD_TERMINATOR);
    Ok(written)
}

fn write_field(field: &Field, data: &mut Vec<u8>) -> Result<(), WriteError> {
    match field {
        Field::Control(control) => write_text(control.tag, &control.value, data)?,
        Field::Data(field) => write_subfields(field, data)?,
    }
    data.push(FIELD_TERMINATOR);
    Ok(())
}

fn write_subfields(field: &DataField, data: &mut Vec<u8>) -> Result<(), WriteError> {
    for indicator in field.indicators {
        write_text(field.tag, indicator.encode_utf8(&mut [0; 4]), data)?;
    }
    for subfield in &field.subfields {
        data.push(SUBFIELD_DELIMITER);
        write_text(field.tag, subfield.code.encode_utf8(&mut [0; 4]), data)?;
        write_text(field.tag, &subfield.value, data)?;
    }
    Ok(())
}

fn write_text(tag: Tag, text: &str, data: &mut Vec<u8>) -> Result<(), WriteError> {
    let delimiters = RECORD_TERMINATOR..=SUBFIELD_DELIMITER;
    if text.bytes().any(|byte| delimiters.contains(&byte)) {
        return Err(WriteError::DelimiterInValue { tag });
    }
    data.extend_from_slice(text.as_bytes());
    Ok(())
}
