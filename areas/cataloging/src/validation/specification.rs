//! The specification of 008 for the editor: its elements by type of material, with allowed values.

use std::collections::HashMap;

use octavo_mapping::RecordKind;
use serde_json::{Value, json};

use crate::quick_marc::format_of;

const TABLE: &str = include_str!("field_008.txt");

/// FOLIO's specification of field 008 of a kind of records.
#[must_use]
pub fn specification_of_008(kind: RecordKind) -> Value {
    json!({
        "tag": "008",
        "format": format_of(kind),
        "label": "General Information",
        "url": "https://www.loc.gov/marc/bibliographic/bd008.html",
        "repeatable": false,
        "required": true,
        "spec": {"types": types(kind)},
    })
}

fn section(kind: RecordKind) -> &'static str {
    match kind {
        RecordKind::Bib => "bibliographic",
        RecordKind::Holdings => "holdings",
        RecordKind::Authority => "authority",
    }
}

fn types(kind: RecordKind) -> Vec<Value> {
    let values = values();
    let mut types: Vec<Value> = Vec::new();
    let mut inside = false;
    for line in TABLE.lines() {
        if let Some(name) = line.strip_prefix("record ") {
            inside = name == section(kind);
        } else if !inside {
            continue;
        } else if let Some(head) = line.strip_prefix("type ") {
            let (code, conditions) = head.split_once(": ").unwrap_or((head, ""));
            let conditions: Vec<Value> = conditions.split(" / ").map(condition).collect();
            types.push(json!({"code": code, "identifiedBy": {"or": conditions}, "items": []}));
        } else if let Some(items) = types
            .last_mut()
            .and_then(|last| last["items"].as_array_mut())
        {
            let order = items.len();
            items.push(item(line, order, &values));
        }
    }
    types
}

/// The lists of values by their names.
fn values() -> HashMap<&'static str, Vec<Value>> {
    let mut lists: HashMap<&str, Vec<Value>> = HashMap::new();
    let mut current = None;
    for line in TABLE.lines() {
        if let Some(name) = line.strip_prefix("values ") {
            current = Some(name);
        } else if line.starts_with("record ") {
            current = None;
        } else if let (Some(list), Some(value)) = (current, line.strip_prefix('\t')) {
            let (code, name) = value.split_once('\t').unwrap_or((value, ""));
            let value = json!({"code": code, "name": name});
            lists.entry(list).or_default().push(value);
        }
    }
    lists
}

/// Positions of the leader with their characters: `6=a 7=acdm`.
fn condition(text: &str) -> Value {
    let positions = text.split(' ').filter_map(|position| {
        let (at, characters) = position.split_once('=')?;
        let characters: Vec<String> = characters.chars().map(String::from).collect();
        Some((at.to_owned(), json!(characters)))
    });
    let positions: serde_json::Map<String, Value> = positions.collect();
    json!({"tag": "LDR", "positions": positions})
}

fn item(line: &str, order: usize, values: &HashMap<&'static str, Vec<Value>>) -> Value {
    let mut columns = line.split('\t').skip(1);
    let mut column = || columns.next().unwrap_or_default();
    let (code, name) = (column(), column());
    let number = |text: &str| text.parse::<u32>().unwrap_or_default();
    let (position, length) = (number(column()), number(column()));
    let (form, list) = (column(), column());
    let mut item = json!({
        "code": code,
        "name": name,
        "order": order,
        "position": position,
        "length": length,
        "isArray": form.starts_with("list"),
        "readOnly": form.ends_with("readonly"),
    });
    if let Some(allowed) = values.get(list) {
        item["allowedValues"] = json!(allowed);
    }
    item
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_types_with_all_their_parts() {
        let count = |kind| {
            let specification = specification_of_008(kind);
            let types = specification["spec"]["types"].as_array().cloned();
            let types = types.unwrap_or_default();
            let items = types.iter().filter_map(|one| one["items"].as_array());
            (types.len(), items.map(Vec::len).sum::<usize>())
        };
        assert_eq!(count(RecordKind::Bib).0, 8);
        assert_eq!(count(RecordKind::Holdings), (1, 13));
        assert_eq!(count(RecordKind::Authority), (1, 23));
    }

    #[test]
    fn a_part_has_its_position_and_values() {
        let specification = specification_of_008(RecordKind::Bib);
        let books = &specification["spec"]["types"][0];
        assert_eq!(
            books["identifiedBy"]["or"][0],
            json!({"tag": "LDR", "positions": {"6": ["a"], "7": ["a", "c", "d", "m"]}})
        );
        assert_eq!(books["items"][0]["readOnly"], true);
        let illustrations = &books["items"][5];
        assert_eq!(illustrations["code"], "Ills");
        assert_eq!(illustrations["position"], 18);
        assert_eq!(illustrations["isArray"], true);
        let values = illustrations["allowedValues"].as_array().map(Vec::len);
        assert!(values.is_some_and(|count| count > 10));
    }
}
