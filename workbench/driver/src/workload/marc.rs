//! MARC records generated for an import: fields with variables, written as ISO 2709, whose leader
//! and directory have lengths in bytes.

use rand::rngs::SmallRng;

use super::template::{Encoding, Template, TemplateError};
use super::variables::{Names, Variables};

/// The most records in one body.
pub(super) const RECORDS_MAX: usize = 50_000;
/// The most fields in one record.
pub(super) const FIELDS_MAX: usize = 200;
/// The directory has four digits for the length of a field.
const FIELD_BYTES_MAX: usize = 9_999;
/// The leader has five digits for the length of a record.
const RECORD_BYTES_MAX: usize = 99_999;

const SUBFIELD: char = '\u{1f}';
const FIELD_END: u8 = 0x1e;
const RECORD_END: u8 = 0x1d;
const LEADER_BYTES: usize = 24;
const ENTRY_BYTES: usize = 12;

/// A record template that is rendered repeatedly with the present values of variables and
/// functions.
#[derive(Debug, Clone)]
pub struct MarcRecords {
    records: usize,
    fields: Vec<Field>,
}

#[derive(Debug, Clone)]
struct Field {
    tag: String,
    data: Template,
}

/// Why a text is not a field.
#[derive(Debug, thiserror::Error)]
pub(super) enum FieldError {
    #[error("a field begins with three digits and a blank, as in `245 10$aTitle`")]
    Tag,
    #[error("a field from 010 on has two indicators and then subfields, as in `245 10$aTitle`")]
    Subfields,
    #[error(transparent)]
    Template(#[from] TemplateError),
}

impl MarcRecords {
    pub(super) fn new(records: usize) -> Self {
        Self {
            records,
            fields: Vec::new(),
        }
    }

    /// Adds a field written as `245 10$aTitle$cAuthor`.
    pub(super) fn add(&mut self, text: &str, names: &mut Names) -> Result<(), FieldError> {
        let (tag, data) = text.split_once(' ').ok_or(FieldError::Tag)?;
        if tag.len() != 3 || !tag.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(FieldError::Tag);
        }
        let has_subfields = !tag.starts_with("00");
        let data = if has_subfields {
            with_subfields(data)?
        } else {
            data.to_owned()
        };
        // Values are written without control characters, which would be read as ends of fields.
        let data = Template::parse(&data, Encoding::Header, true, names)?;
        let tag = tag.to_owned();
        self.fields.push(Field { tag, data });
        Ok(())
    }

    pub(super) fn fold(
        &self,
        variables: &Variables,
        is_constant: &impl Fn(usize) -> bool,
    ) -> MarcRecords {
        let fields = self.fields.iter().map(|field| Field {
            tag: field.tag.clone(),
            data: field.data.fold(variables, is_constant),
        });
        MarcRecords {
            records: self.records,
            fields: fields.collect(),
        }
    }

    pub(super) fn variables(&self) -> Vec<usize> {
        let fields = self.fields.iter();
        fields.flat_map(|field| field.data.variables()).collect()
    }

    /// Appends the records to `out`. A field that does not fit is cut, and fields that do not fit
    /// into a record are left out.
    pub(super) fn render(&self, variables: &Variables, random: &mut SmallRng, out: &mut Vec<u8>) {
        let (mut directory, mut data) = (Vec::new(), Vec::new());
        for _ in 0..self.records {
            directory.clear();
            data.clear();
            for field in &self.fields {
                let start = data.len();
                field.data.render(variables, random, &mut data);
                cut(&mut data, start + FIELD_BYTES_MAX - 1);
                data.push(FIELD_END);
                let entries = directory.len() + ENTRY_BYTES + 1;
                if LEADER_BYTES + entries + data.len() + 1 > RECORD_BYTES_MAX {
                    data.truncate(start);
                    break;
                }
                let entry = format!("{}{:04}{start:05}", field.tag, data.len() - start);
                directory.extend_from_slice(entry.as_bytes());
            }
            let base = LEADER_BYTES + directory.len() + 1;
            let length = base + data.len() + 1;
            let leader = format!("{length:05}nam a22{base:05}   4500");
            out.extend_from_slice(leader.as_bytes());
            out.extend_from_slice(&directory);
            out.push(FIELD_END);
            out.extend_from_slice(&data);
            out.push(RECORD_END);
        }
    }
}

/// Indicators and subfields with their delimiters: `$` begins a subfield, `${` a variable.
fn with_subfields(text: &str) -> Result<String, FieldError> {
    let starts = |at: usize| {
        let rest = text.get(at..)?.strip_prefix('$')?;
        let code = rest.chars().next()?;
        code.is_ascii_alphanumeric().then_some(())
    };
    if !text.is_char_boundary(2) || starts(2).is_none() {
        return Err(FieldError::Subfields);
    }
    let mut written = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        written.push(match letter {
            '$' if starts(at).is_some() => SUBFIELD,
            letter => letter,
        });
    }
    Ok(written)
}

/// Shortens to at most so many bytes, without cutting a character.
fn cut(data: &mut Vec<u8>, length: usize) {
    if data.len() <= length {
        return;
    }
    let is_inner = |byte: u8| byte & 0b1100_0000 == 0b1000_0000;
    let mut end = length;
    while end > 0 && is_inner(data[end]) {
        end -= 1;
    }
    data.truncate(end);
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn rendered(records: usize, fields: &[&str], title: &str) -> Vec<u8> {
        let mut names = Names::default();
        let mut marc = MarcRecords::new(records);
        for field in fields {
            marc.add(field, &mut names).unwrap();
        }
        let slot = names.used("title");
        let mut variables = Variables::new(&names);
        variables.set(slot, title);
        let mut out = Vec::new();
        marc.render(&variables, &mut SmallRng::seed_from_u64(1), &mut out);
        out
    }

    /// Reads a record by its leader and directory alone, as ISO 2709 defines it.
    fn read(record: &[u8]) -> Vec<(String, String)> {
        let number = |range: std::ops::Range<usize>| {
            let digits = std::str::from_utf8(&record[range]).unwrap();
            digits.parse::<usize>().unwrap()
        };
        assert_eq!(number(0..5), record.len());
        assert_eq!(record.last(), Some(&RECORD_END));
        let base = number(12..17);
        assert_eq!(record[base - 1], FIELD_END);
        let entries = (LEADER_BYTES..base - 1).step_by(ENTRY_BYTES);
        let field = |at: usize| {
            let (length, start) = (number(at + 3..at + 7), base + number(at + 7..at + 12));
            assert_eq!(record[start + length - 1], FIELD_END);
            let data = record[start..start + length - 1].to_vec();
            let tag = String::from_utf8(record[at..at + 3].to_vec()).unwrap();
            (tag, String::from_utf8(data).unwrap())
        };
        entries.map(field).collect()
    }

    #[test]
    fn records_are_what_their_leaders_say() {
        let fields = [
            "001 oct1",
            "245 10$aPrice: 5 $ ${title}$cLem, S.",
            "500   $aÜber",
        ];
        let bytes = rendered(3, &fields, "Solaris\u{1e}é");
        let records: Vec<_> = bytes.split_inclusive(|byte| *byte == RECORD_END).collect();
        assert_eq!(records.len(), 3);
        for record in records {
            let title = "10\u{1f}aPrice: 5 $ Solarisé\u{1f}cLem, S.";
            let expected = [("001", "oct1"), ("245", title), ("500", "  \u{1f}aÜber")];
            let fields = read(record);
            let fields: Vec<_> = fields
                .iter()
                .map(|(a, b)| (a.as_str(), b.as_str()))
                .collect();
            assert_eq!(fields, expected);
        }
    }

    #[test]
    fn what_is_too_long_is_cut_and_the_record_stays_readable() {
        let long = "é".repeat(9_000);
        let fields = ["245 10$a${title}"; 15];
        let record = rendered(1, &fields, &long);
        assert!(record.len() <= RECORD_BYTES_MAX);
        let fields = read(&record);
        assert_eq!(fields.len(), 9);
        assert!(fields.iter().all(|(_, data)| data.len() < FIELD_BYTES_MAX));
    }

    #[test]
    fn what_is_no_field_is_refused() {
        for text in [
            "245",
            "24 10$aT",
            "2x5 10$aT",
            "245 10",
            "245 1$aT",
            "245 10${title}",
            "é45 x",
        ] {
            let added = MarcRecords::new(1).add(text, &mut Names::default());
            assert!(added.is_err(), "{text}");
        }
        let unclosed = MarcRecords::new(1).add("245 10$a${x", &mut Names::default());
        assert!(matches!(unclosed, Err(FieldError::Template(_))));
    }
}
