//! The search entry of a stored record.

use std::collections::HashSet;

use octavo_marc::{Field, Record};
use serde_json::Value;
use uuid::Uuid;

use super::{BLANK, FIXED, FIXED_TEXTS, POSITIONED, POSITIONS, PREFIXES};
use crate::expression::Tag;

/// Maximal number of terms; the rest of a larger record is not searchable.
const TERMS_MAX: usize = 50_000;
/// Longer values are not treated as numbers.
const NUMBER_MAX: usize = 64;

/// The search terms of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The described instance, holdings or authority.
    pub external_id: Option<Uuid>,
    /// The number of its type ([`Entry::kind`]).
    pub kind: i16,
    /// Whether it is deleted.
    pub deleted: bool,
    /// Whether it is hidden from discovery.
    pub suppressed: bool,
    /// The day of field 005 as a number.
    pub changed: Option<i32>,
    /// The terms, sorted, without duplicates.
    pub terms: Vec<i64>,
}

impl Entry {
    /// The number of a record type.
    #[must_use]
    pub fn kind(record_type: &str) -> Option<i16> {
        match record_type {
            "MARC_BIB" => Some(1),
            "MARC_HOLDING" => Some(2),
            "MARC_AUTHORITY" => Some(3),
            _ => None,
        }
    }
}

/// The entry of a stored document; `None` if it is not current MARC.
#[must_use]
pub fn entry(document: &Value) -> Option<Entry> {
    let record_type = document["recordType"].as_str()?;
    let kind = Entry::kind(record_type)?;
    let deleted = match document["state"].as_str()? {
        "ACTUAL" => false,
        "DELETED" => true,
        _ => return None,
    };
    let record = Record::from_json(document.get("content")?).ok()?;
    let described = match record_type {
        "MARC_BIB" => "instanceId",
        "MARC_HOLDING" => "holdingsId",
        _ => "authorityId",
    };
    let external_id = document["externalIdsHolder"][described].as_str();
    let changed = record.control("005").and_then(|value| value.get(..8));
    let changed = changed.filter(|day| day.bytes().all(|byte| byte.is_ascii_digit()));
    Some(Entry {
        external_id: external_id.and_then(|id| Uuid::try_parse(id).ok()),
        kind,
        deleted,
        suppressed: document["suppressDiscovery"] == true,
        changed: changed.and_then(|day| day.parse().ok()),
        terms: terms(&record),
    })
}

fn terms(record: &Record) -> Vec<i64> {
    let mut kept = TermSet(HashSet::with_capacity(512));
    kept.leader(record.leader.as_str());
    for field in &record.fields {
        let Some(tag) = Tag::new(field.tag().as_str()) else {
            continue;
        };
        kept.put(super::has_tag(tag));
        match field {
            Field::Control(control) => {
                kept.put(super::has_indicator(tag, 1, BLANK));
                kept.put(super::has_indicator(tag, 2, BLANK));
                kept.positions(tag, &control.value);
                kept.value(tag, '0', &control.value);
            }
            Field::Data(data) => {
                for (number, indicator) in (1..).zip(data.indicators) {
                    let indicator = super::indicator_kept(indicator);
                    kept.put(super::has_indicator(tag, number, indicator));
                }
                for subfield in &data.subfields {
                    kept.value(tag, super::code_kept(subfield.code), &subfield.value);
                }
            }
        }
    }
    let mut terms: Vec<i64> = kept.0.into_iter().collect();
    terms.sort_unstable();
    terms
}

struct TermSet(HashSet<i64>);

impl TermSet {
    fn put(&mut self, term: i64) {
        if self.0.len() < TERMS_MAX {
            self.0.insert(term);
        }
    }

    fn leader(&mut self, leader: &str) {
        let characters = leader_characters(leader);
        for (at, character) in (0_u8..).zip(characters.chars()) {
            if matches!(at, 5..=11 | 17..=22) {
                self.put(super::leader(at, character));
            }
        }
        for (at, length) in [(0, 5), (12, 5)] {
            let text: String = characters.chars().skip(at).take(length).collect();
            self.put(super::leader_text(at as u8, &text));
        }
    }

    fn positions(&mut self, tag: Tag, value: &str) {
        if !POSITIONED.contains(&tag.as_str()) {
            return;
        }
        for (at, character) in value.chars().enumerate().take(POSITIONS) {
            if is_significant(character) {
                self.put(super::position(tag, at as u8, character));
            }
        }
        if tag.as_str() == FIXED {
            for (at, length) in FIXED_TEXTS {
                let text: String = value.chars().skip(usize::from(at)).take(length).collect();
                if !text.is_empty() {
                    self.put(super::fixed_text(at, &text));
                }
            }
        }
    }

    fn value(&mut self, tag: Tag, code: char, value: &str) {
        self.put(super::has_code(tag, code));
        self.put(super::value(tag, code, value));
        for characters in PREFIXES {
            // A value of just this length is its own prefix.
            match value.char_indices().nth(characters) {
                Some((end, _)) => self.put(super::prefix(tag, code, &value[..end])),
                None if value.chars().count() == characters => {
                    self.put(super::prefix(tag, code, value));
                }
                None => break,
            }
        }
        if super::is_number(tag) && value.len() <= NUMBER_MAX && !tag.is_control() {
            // A value that consists only of these is found by the value term itself.
            let (digits, wordly) = (super::only_digits(value), super::only_wordly(value));
            if digits != value {
                self.put(super::digits(tag, code, &digits));
            }
            if wordly != value {
                self.put(super::wordly(tag, code, &wordly));
            }
        }
    }
}

/// The leader in lower case with `#` for blanks, except position 5.
fn leader_characters(leader: &str) -> String {
    let kept = |(at, one): (usize, char)| match one {
        ' ' => BLANK,
        other if at == 5 => other,
        other => other.to_ascii_lowercase(),
    };
    leader.chars().enumerate().map(kept).collect()
}

/// Whether a character of a fixed field is significant.
pub(super) fn is_significant(character: char) -> bool {
    !matches!(character, ' ' | '|')
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_current_marc_has_an_entry() {
        let id = Uuid::from_u128(7);
        let mut document = json!({
            "recordType": "MARC_BIB", "state": "DELETED", "suppressDiscovery": true,
            "externalIdsHolder": {"instanceId": id},
            "content": {"leader": "00000CAM a2200000   4500", "fields": [
                {"005": "20141107001016.0"},
                {"245": {"ind1": "1", "ind2": " ", "subfields": [{"a": "Jazz"}, {"a": "Jazz"}]}},
                {"LKR": {"ind1": " ", "ind2": " ", "subfields": [{"a": "no number"}]}},
            ]},
        });
        let found = entry(&document).expect("an entry");
        assert_eq!((found.external_id, found.kind), (Some(id), 1));
        assert_eq!((found.deleted, found.suppressed), (true, true));
        assert_eq!(found.changed, Some(20_141_107));
        let title = Tag::new("245").expect("a tag");
        for term in [
            super::super::has_tag(title),
            super::super::has_indicator(title, 1, '1'),
            super::super::has_indicator(title, 2, '#'),
            super::super::value(title, 'a', "Jazz"),
            super::super::prefix(title, 'a', "Ja"),
            super::super::prefix(title, 'a', "Jazz"),
            super::super::leader(6, 'a'),
            super::super::leader(18, '#'),
            super::super::leader(5, 'C'),
        ] {
            assert!(found.terms.binary_search(&term).is_ok());
        }
        assert!(found.terms.is_sorted());
        document["state"] = json!("OLD");
        assert_eq!(entry(&document), None);
        document["state"] = json!("ACTUAL");
        document["content"] = json!("nonsense");
        assert_eq!(entry(&document), None);
    }
}
