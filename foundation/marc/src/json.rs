//! FOLIO's MARC in JSON: `{"leader": "...", "fields": [{"001": "..."}, {"245": {...}}]}`.

use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::charset::has_nul;
use crate::{ControlField, DataField, Field, Leader, Record, Subfield, Tag};

/// Why a JSON document is not a MARC record, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{path}: {problem}")]
pub struct JsonError {
    /// The path, such as `fields[3].245.subfields[0]`.
    pub path: String,
    /// What is expected there.
    pub problem: &'static str,
}

impl Record {
    /// The record as FOLIO's MARC in JSON.
    pub fn to_json(&self) -> Value {
        let fields: Vec<Value> = self.fields.iter().map(field_to_json).collect();
        json!({"leader": self.leader.as_str(), "fields": fields})
    }

    /// Reads FOLIO's MARC in JSON. Missing indicators are blank; properties other than leader and
    /// fields are ignored; NUL becomes U+FFFD, as in the other formats.
    pub fn from_json(json: &Value) -> Result<Record, JsonError> {
        let leader = match json.get("leader") {
            Some(Value::String(leader)) => Leader::from_bytes(leader.as_bytes()),
            _ => return Err(problem("leader", "a string is expected")),
        };
        let Some(Value::Array(fields)) = json.get("fields") else {
            return Err(problem("fields", "an array is expected"));
        };
        let mut record = Record {
            leader,
            fields: Vec::with_capacity(fields.len()),
        };
        for (index, field) in fields.iter().enumerate() {
            let path = format!("fields[{index}]");
            let Value::Object(members) = field else {
                return Err(problem(&path, "an object is expected"));
            };
            for (tag, content) in members {
                record
                    .fields
                    .push(field_from_json(&format!("{path}.{tag}"), tag, content)?);
            }
        }
        Ok(record)
    }
}

fn field_to_json(field: &Field) -> Value {
    match field {
        Field::Control(control) => single(control.tag.as_str(), control.value.as_str().into()),
        Field::Data(data) => {
            let subfields: Vec<Value> = data
                .subfields
                .iter()
                .map(|subfield| single(&subfield.code.to_string(), subfield.value.as_str().into()))
                .collect();
            let [first, second] = data.indicators.map(|indicator| indicator.to_string());
            let content = json!({"ind1": first, "ind2": second, "subfields": subfields});
            single(data.tag.as_str(), content)
        }
    }
}

fn single(name: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(name.to_owned(), value)]))
}

fn field_from_json(path: &str, tag: &str, content: &Value) -> Result<Field, JsonError> {
    let tag = Tag::new(tag).ok_or_else(|| problem(path, "a tag is three letters or digits"))?;
    match content {
        Value::String(value) => Ok(Field::Control(ControlField {
            tag,
            value: without_nul(value.clone()),
        })),
        Value::Object(members) => {
            let indicators = [
                indicator(path, members.get("ind1"))?,
                indicator(path, members.get("ind2"))?,
            ];
            let subfields = subfields(path, members.get("subfields"))?;
            Ok(Field::Data(DataField {
                tag,
                indicators,
                subfields,
            }))
        }
        _ => Err(problem(path, "a string or an object is expected")),
    }
}

fn indicator(path: &str, value: Option<&Value>) -> Result<char, JsonError> {
    let text = match value {
        None | Some(Value::Null) => "",
        Some(Value::String(text)) => text,
        Some(_) => return Err(problem(path, "an indicator is a string")),
    };
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (None, _) => Ok(' '),
        (Some(indicator), None) => Ok(readable(indicator)),
        _ => Err(problem(path, "an indicator is one character")),
    }
}

fn subfields(path: &str, value: Option<&Value>) -> Result<Vec<Subfield>, JsonError> {
    let path = format!("{path}.subfields");
    let Some(Value::Array(items)) = value else {
        return Err(problem(&path, "an array is expected"));
    };
    let mut subfields = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let path = || format!("{path}[{index}]");
        let Value::Object(members) = item else {
            return Err(problem(&path(), "an object is expected"));
        };
        for (code, value) in members {
            let mut characters = code.chars();
            let (Some(code), None) = (characters.next(), characters.next()) else {
                return Err(problem(&path(), "a subfield code is one character"));
            };
            let Value::String(value) = value else {
                return Err(problem(&path(), "a subfield value is a string"));
            };
            subfields.push(Subfield {
                code: readable(code),
                value: without_nul(value.clone()),
            });
        }
    }
    Ok(subfields)
}

/// The text with U+FFFD for each NUL, which PostgreSQL cannot store.
pub(crate) fn without_nul(text: String) -> String {
    if has_nul(&text) {
        text.replace('\0', "\u{FFFD}")
    } else {
        text
    }
}

/// The same of one character.
pub(crate) fn readable(character: char) -> char {
    match character {
        '\0' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

fn problem(path: &str, problem: &'static str) -> JsonError {
    JsonError {
        path: path.to_owned(),
        problem,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_the_way_there_and_back() {
        let json = json!({
            "leader": "00000nam a2200000   4500",
            "fields": [
                {"001": "in0001"},
                {"650": {"ind1": " ", "ind2": "0", "subfields": [{"a": "Jazz"}, {"x": "1"}]}},
                {"651": {"ind1": " ", "ind2": "0", "subfields": [{"a": "Oslo"}]}},
                {"650": {"ind1": " ", "ind2": "7", "subfields": [{"a": "Blues"}]}},
            ]
        });
        let record = Record::from_json(&json).unwrap();
        assert_eq!(record.to_json(), json);
        assert_eq!(record.to_json().to_string(), json.to_string());
    }

    #[test]
    fn what_no_database_keeps_is_replaced() {
        let json = json!({"leader": "\u{0}", "fields": [
            {"001": "a\u{0}b"},
            {"245": {"ind1": "\u{0}", "ind2": "0", "subfields": [{"\u{0}": "c"}, {"a": "\u{0}"}]}},
        ]});
        let record = Record::from_json(&json).unwrap();
        assert_eq!(
            record.to_json()["fields"],
            json!([
                {"001": "a\u{FFFD}b"},
                {"245": {"ind1": "\u{FFFD}", "ind2": "0",
                    "subfields": [{"\u{FFFD}": "c"}, {"a": "\u{FFFD}"}]}},
            ])
        );
        let text = json.to_string();
        assert!(text.contains("\\u0000"), "{text}");
        assert_eq!(Record::from_json_text(&text).unwrap(), record);
    }

    #[track_caller]
    fn refused(fields: Value, message: &str) {
        let json = json!({"leader": "", "fields": fields});
        assert_eq!(Record::from_json(&json).unwrap_err().to_string(), message);
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_place() {
        refused(json!(1), "fields: an array is expected");
        refused(json!([[]]), "fields[0]: an object is expected");
        refused(
            json!([{"12": "x"}]),
            "fields[0].12: a tag is three letters or digits",
        );
        refused(
            json!([{"245": 1}]),
            "fields[0].245: a string or an object is expected",
        );
        refused(
            json!([{"245": {}}]),
            "fields[0].245.subfields: an array is expected",
        );
        refused(
            json!([{"245": {"subfields": [{"ab": "x"}]}}]),
            "fields[0].245.subfields[0]: a subfield code is one character",
        );
    }
}
