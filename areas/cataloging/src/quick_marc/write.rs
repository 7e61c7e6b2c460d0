//! Writes a MARC record in the editor's form.

use octavo_mapping::RecordKind;
use octavo_marc::{ControlField, DataField, Field, Leader, Record};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::elements::{
    AUTHORITY_008, COMMON_008, Element, HOLDINGS_008, LENGTH_008, LENGTH_008_HOLDINGS,
    MATERIAL_END_IN_008, MATERIAL_IN_008, TYPE, UNKNOWN_CATEGORY, category_of, of_006, of_material,
};
use super::{BLANK, DOLLAR, masked};

/// The leader with visible blanks.
#[must_use]
pub fn write_leader(leader: &Leader) -> String {
    masked(leader.as_str())
}

/// The fields in the record's order.
#[must_use]
pub fn write_fields(record: &Record, kind: RecordKind) -> Vec<Value> {
    let write = |field: &Field| write_field(field, &record.leader, kind);
    record.fields.iter().map(write).collect()
}

pub(super) fn write_field(field: &Field, leader: &Leader, kind: RecordKind) -> Value {
    match field {
        Field::Control(control) => json!({
            "tag": control.tag.as_str(),
            "content": control_content(control, leader, kind),
            "indicators": [],
        }),
        Field::Data(data) => {
            let indicators = data.indicators.map(indicator);
            let mut item = json!({
                "tag": data.tag.as_str(),
                "content": data_content(data),
                "indicators": indicators,
            });
            if let Some(authority) = linked_authority(data, kind) {
                item["linkDetails"] = json!({ "authorityId": authority });
            }
            item
        }
    }
}

fn indicator(indicator: char) -> String {
    match indicator {
        ' ' => BLANK.to_string(),
        other => other.to_string(),
    }
}

/// `$9` of a bibliographic field is the authority that controls it.
fn linked_authority(field: &DataField, kind: RecordKind) -> Option<Uuid> {
    let mut ids = field.values('9').filter(|_| kind == RecordKind::Bib);
    ids.find_map(|id| (id.len() == 36).then(|| Uuid::try_parse(id).ok())?)
}

/// Subfields in JSON as the editor's text.
#[must_use]
pub fn content_of(subfields: &Value) -> String {
    let subfields = subfields.as_array().into_iter().flatten();
    let pairs = subfields.filter_map(Value::as_object).flatten();
    let written: Vec<String> = pairs
        .map(|(code, value)| {
            let value = value.as_str().unwrap_or_default();
            format!("${code} {}", value.replace('$', DOLLAR))
        })
        .collect();
    written.join(" ")
}

fn data_content(field: &DataField) -> String {
    let subfields = field.subfields.iter();
    let written: Vec<String> = subfields
        .map(|subfield| format!("${} {}", subfield.code, subfield.value.replace('$', DOLLAR)))
        .collect();
    written.join(" ")
}

fn control_content(field: &ControlField, leader: &Leader, kind: RecordKind) -> Value {
    match (field.tag.as_str(), kind) {
        ("006", _) => Value::Object(of_field_006(&field.value)),
        ("007", _) => Value::Object(of_field_007(&field.value)),
        ("008", RecordKind::Bib) => Value::Object(of_field_008(&field.value, leader)),
        ("008", RecordKind::Holdings) => {
            let content = fixed(&field.value, LENGTH_008_HOLDINGS);
            Value::Object(parts(HOLDINGS_008, &content, 0))
        }
        ("008", RecordKind::Authority) => {
            let content = fixed(&field.value, LENGTH_008);
            Value::Object(parts(AUTHORITY_008, &content, 0))
        }
        _ => json!(field.value),
    }
}

fn of_field_006(value: &str) -> Map<String, Value> {
    let content: Vec<char> = masked(value).chars().collect();
    let kind = content.first().copied().unwrap_or(BLANK);
    let mut all = parts(&[TYPE], &content, 0);
    all.extend(parts(of_006(kind), &content, 0));
    all
}

fn of_field_007(value: &str) -> Map<String, Value> {
    let content: Vec<char> = masked(value).chars().collect();
    let category = content.first().and_then(|code| category_of(*code));
    let mut all = Map::new();
    match category {
        Some(category) => {
            all.insert("$categoryName".to_owned(), json!(category.name));
            all.extend(parts(category.elements, &content, 0));
        }
        None => {
            let whole: String = content.iter().collect();
            let code: String = content.iter().take(1).collect();
            all.insert("$categoryName".to_owned(), json!(UNKNOWN_CATEGORY));
            all.insert("Category".to_owned(), json!(code));
            all.insert("Value".to_owned(), json!(whole));
        }
    }
    all
}

fn of_field_008(value: &str, leader: &Leader) -> Map<String, Value> {
    let content = fixed(value, LENGTH_008);
    let (record_type, level) = (leader.record_type(), leader.bibliographic_level());
    let mut all = Map::new();
    all.insert("Type".to_owned(), json!(record_type.to_string()));
    all.insert("BLvl".to_owned(), json!(indicator(level)));
    all.extend(parts(COMMON_008, &content, 0));
    let material = &content[MATERIAL_IN_008..MATERIAL_END_IN_008];
    // Positions are relative to 006, whose first character is in the leader for 008.
    all.extend(parts(of_material(record_type, level), material, 1));
    all
}

/// The elements of a field whose first character has this number.
fn parts(elements: &[Element], content: &[char], first: usize) -> Map<String, Value> {
    let part = |element: &Element| {
        let characters = content
            .iter()
            .skip(element.position - first)
            .take(element.length);
        let value = if element.list {
            characters.map(|one| json!(one.to_string())).collect()
        } else {
            json!(characters.collect::<String>())
        };
        (element.name.to_owned(), value)
    };
    elements.iter().map(part).collect()
}

/// A field truncated or padded to its length.
fn fixed(value: &str, length: usize) -> Vec<char> {
    let mut content: Vec<char> = masked(value).chars().take(length).collect();
    content.resize(length, BLANK);
    content
}
