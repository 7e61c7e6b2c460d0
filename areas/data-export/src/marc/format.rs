//! The bytes of records in each format.

use octavo_marc::{Record, WriteError, write_iso2709, write_xml};

/// The format of exported records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// ISO 2709, one record after the other.
    Iso2709,
    /// MARCXML, one collection.
    Xml,
    /// MARC in JSON, one record a line.
    Json,
}

/// Why a record cannot be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unwritable {
    /// A length that exceeds the digits of ISO 2709.
    TooLong {
        /// The whole record's length where that is at fault.
        record_bytes: Option<usize>,
        /// Why, as a sentence.
        reason: String,
    },
    /// Any other reason.
    Other(String),
}

impl std::fmt::Display for Unwritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unwritable::TooLong { reason, .. } | Unwritable::Other(reason) => f.write_str(reason),
        }
    }
}

impl From<WriteError> for Unwritable {
    fn from(error: WriteError) -> Unwritable {
        let reason = error.to_string();
        match error {
            WriteError::RecordTooLong { bytes } => Unwritable::TooLong {
                record_bytes: Some(bytes),
                reason,
            },
            WriteError::FieldTooLong { .. } => Unwritable::TooLong {
                record_bytes: None,
                reason,
            },
            WriteError::DelimiterInValue { .. } => Unwritable::Other(reason),
        }
    }
}

/// The header before the first record.
#[must_use]
pub fn header(format: Format) -> &'static [u8] {
    match format {
        Format::Xml => {
            b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n"
        }
        Format::Iso2709 | Format::Json => b"",
    }
}

/// The footer after the last record.
#[must_use]
pub fn footer(format: Format) -> &'static [u8] {
    match format {
        Format::Xml => b"</collection>\n",
        Format::Iso2709 | Format::Json => b"",
    }
}

/// Appends a record, or nothing on error.
///
/// # Errors
/// When the format cannot represent it.
pub fn write(record: &Record, format: Format, output: &mut Vec<u8>) -> Result<(), Unwritable> {
    match format {
        Format::Iso2709 => output.extend_from_slice(&write_iso2709(record)?),
        Format::Xml => {
            let mut element = Vec::new();
            write_xml(record, &mut element)
                .map_err(|error| Unwritable::Other(error.to_string()))?;
            output.extend_from_slice(without_declaration(&element));
            output.push(b'\n');
        }
        Format::Json => {
            output.extend_from_slice(record.to_json_text().as_bytes());
            output.push(b'\n');
        }
    }
    Ok(())
}

fn without_declaration(document: &[u8]) -> &[u8] {
    let end = document.windows(2).position(|pair| pair == b"?>");
    match end {
        Some(end) if document.starts_with(b"<?xml") => &document[end + 2..],
        _ => document,
    }
}

#[cfg(test)]
mod tests {
    use octavo_marc::{MarcReader, parse_text};

    use super::*;

    fn all(format: Format) -> Vec<u8> {
        let mut bytes = header(format).to_vec();
        for text in ["245 10$aOne & <two>", "245 10$aDrei"] {
            write(&parse_text(text).unwrap(), format, &mut bytes).unwrap();
        }
        bytes.extend_from_slice(footer(format));
        bytes
    }

    #[test]
    fn files_are_read_back() {
        for format in [Format::Iso2709, Format::Xml] {
            let bytes = all(format);
            let records: Vec<Record> = MarcReader::open(bytes.as_slice())
                .unwrap()
                .map(Result::unwrap)
                .collect();
            let titles: Vec<_> = records
                .iter()
                .map(|record| record.data("245").next().unwrap().get('a').unwrap())
                .collect();
            assert_eq!(titles, ["One & <two>", "Drei"]);
        }
        let json = String::from_utf8(all(Format::Json)).unwrap();
        let lines: Vec<_> = json.lines().map(Record::from_json_text).collect();
        assert!(lines.len() == 2 && lines.iter().all(Result::is_ok));
    }

    #[test]
    fn what_iso_2709_cannot_hold_leaves_nothing_behind() {
        let mut record = parse_text("245 10$ax").unwrap();
        let long = parse_text(&format!("500   $a{}", "x".repeat(10_000))).unwrap();
        record.fields.extend(long.fields);
        let mut output = b"before".to_vec();
        let refused = write(&record, Format::Iso2709, &mut output).unwrap_err();
        assert!(matches!(
            refused,
            Unwritable::TooLong {
                record_bytes: None,
                ..
            }
        ));
        assert_eq!(output, b"before");
        assert!(write(&record, Format::Xml, &mut output).is_ok());
        let many =
            parse_text(&"500   $axxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n".repeat(3_000)).unwrap();
        let refused = write(&many, Format::Iso2709, &mut output).unwrap_err();
        assert!(matches!(refused, Unwritable::TooLong { record_bytes: Some(n), .. } if n > 99_999));
    }
}
