//! Match keys, by which a record of the input is found in the catalogue. Pure.

use std::str::FromStr;

use octavo_cataloging::bulk::Creating;
use octavo_mapping::fixed::{keep_control_number, normalize_oclc};
use octavo_marc::{ControlField, DataField, Field, Record, Subfield, Tag};
use serde_json::Value;

/// The match criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Match {
    /// 001 is the human-readable id of an instance.
    Hrid,
    /// 001, with 003, is the stored original control number of an instance.
    ControlNumber,
    /// A subfield, such as 035 `$a`, is an identifier of an instance.
    Identifier {
        /// The field.
        tag: Tag,
        /// The subfield.
        code: char,
    },
}

/// The fields that become identifiers.
const IDENTIFIERS: [&str; 9] = [
    "010", "019", "020", "022", "024", "028", "035", "074", "086",
];

/// Why a match criterion is invalid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is none of hrid, 001, 035a, or a field that becomes an identifier with its subfield, such \
     as 020.a"
)]
pub struct NoMatch(String);

impl FromStr for Match {
    type Err = NoMatch;

    fn from_str(text: &str) -> Result<Match, NoMatch> {
        let none = || NoMatch(text.to_owned());
        match text {
            "hrid" => return Ok(Match::Hrid),
            "001" => return Ok(Match::ControlNumber),
            _ => {}
        }
        let (tag, code) = match text.split_once('.') {
            Some(parts) => parts,
            None => text.split_at_checked(3).ok_or_else(none)?,
        };
        let mut codes = code.chars();
        match (Tag::new(tag), codes.next(), codes.next()) {
            (Some(name), Some(code), None) if IDENTIFIERS.contains(&tag) => {
                Ok(Match::Identifier { tag: name, code })
            }
            _ => Err(none()),
        }
    }
}

/// A match key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Hrid(String),
    Identifier { value: String, type_id: String },
}

impl Match {
    /// The keys of a record; an instance with one of them matches.
    pub(super) fn keys(&self, creating: &Creating, record: &Record) -> Vec<Key> {
        match self {
            Match::Hrid => {
                let hrid = record.control("001").map(str::trim).unwrap_or_default();
                match hrid {
                    "" => Vec::new(),
                    hrid => vec![Key::Hrid(hrid.to_owned())],
                }
            }
            Match::ControlNumber => {
                let is_number = |field: &&Field| ["001", "003"].contains(&field.tag().as_str());
                let mut numbers = only(record, record.fields.iter().filter(is_number).cloned());
                keep_control_number(&mut numbers);
                identifiers(creating, &numbers)
            }
            Match::Identifier { tag, code } => {
                let wanted = record.data_fields().filter(|field| field.tag == *tag);
                let fields = wanted.filter_map(|field| with_number(field, *code));
                let mut numbers = only(record, fields.map(Field::Data));
                let mut keys = identifiers(creating, &numbers);
                // Normalised as in the catalogue; loads of an earlier release stored them unnormalised.
                normalize_oclc(&mut numbers);
                let normal = identifiers(creating, &numbers);
                let more: Vec<Key> = normal
                    .into_iter()
                    .filter(|key| !keys.contains(key))
                    .collect();
                keys.extend(more);
                keys
            }
        }
    }
}

/// The field without numbers of another kind: invalid ISBNs are in the same field as valid ones.
fn with_number(field: &DataField, code: char) -> Option<DataField> {
    field.get(code)?;
    let mut field = field.clone();
    let others = ['a', 'y', 'z'];
    field
        .subfields
        .retain(|one| one.code == code || !others.contains(&one.code));
    Some(field)
}

/// A mappable record of these fields.
fn only(record: &Record, fields: impl Iterator<Item = Field>) -> Record {
    let tag = |text| Tag::new(text).expect("invariant: a tag of three digits");
    let title = DataField {
        tag: tag("245"),
        indicators: ['0', '0'],
        subfields: vec![Subfield {
            code: 'a',
            value: "-".to_owned(),
        }],
    };
    let general = ControlField {
        tag: tag("008"),
        value: String::new(),
    };
    let mut fields: Vec<Field> = fields.collect();
    if record.control("008").is_some() {
        fields.push(Field::Control(general));
    }
    fields.push(Field::Data(title));
    Record {
        leader: record.leader,
        fields,
    }
}

/// The identifiers of an instance of this record, mapped by the same rules as stored ones.
fn identifiers(creating: &Creating, record: &Record) -> Vec<Key> {
    let mapped = creating.rules.map(record, &creating.references);
    let found = mapped.entity.get("identifiers").and_then(Value::as_array);
    let mut keys: Vec<Key> = Vec::new();
    for identifier in found.into_iter().flatten() {
        let text = |name: &str| identifier[name].as_str().unwrap_or_default().to_owned();
        let key = Key::Identifier {
            value: text("value"),
            type_id: text("identifierTypeId"),
        };
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use octavo_library::SnapshotId;
    use octavo_mapping::{RecordKind, References, Rules};
    use octavo_marc::parse_text;

    use super::*;

    fn keys(by: &str, text: &str) -> Vec<String> {
        let kind = RecordKind::Bib;
        let creating = Creating {
            rules: Arc::new(Rules::parse(kind, &Rules::defaults(kind)).unwrap()),
            references: Arc::new(References::default()),
            snapshot_id: SnapshotId::default(),
            holdings: None,
        };
        let by: Match = by.parse().unwrap();
        let keys = by.keys(&creating, &parse_text(text).unwrap());
        keys.into_iter()
            .map(|key| match key {
                Key::Hrid(value) | Key::Identifier { value, .. } => value,
            })
            .collect()
    }

    #[test]
    fn keys_are_what_an_instance_keeps() {
        let text = "001 991\n003 NoOU\n020   $a9780306406157$z0306406152\n035   $a(OCoLC)42\n\
                    035   $a(X)7\n245 10$aBridges";
        assert_eq!(keys("hrid", text), ["991"]);
        assert_eq!(keys("001", text), ["(NoOU)991"]);
        assert_eq!(keys("035a", text), ["(OCoLC)42", "(X)7"]);
        assert_eq!(keys("020.a", text), ["9780306406157"]);
        assert_eq!(keys("020.z", text), ["0306406152"]);
        assert!(keys("022.a", text).is_empty());
        assert!(keys("hrid", "245 10$aBridges").is_empty());
        assert!(keys("001", "245 10$aBridges").is_empty());
    }

    #[test]
    fn other_fields_are_refused() {
        for text in ["", "245.a", "020", "020.ab", "0", "035.", "title", "é5a"] {
            assert!(text.parse::<Match>().is_err(), "{text}");
        }
    }
}
