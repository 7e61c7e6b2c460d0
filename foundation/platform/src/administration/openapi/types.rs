//! The record types of requests and responses that belong to no collection: their properties, one
//! row each, in `types.tsv`. Facts of the release that is announced.
//!
//! `property` is a dotted path, `[]` an element of a list, empty the type itself. `kind` is JSON's
//! or `uuid`, `date-time`, `any`, `one of a|b`, `=type`. Flags: `!` required, `r` set by the
//! server, `c` no further properties.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::schema::reference;

const TABLE: &str = include_str!("types.tsv");

/// The schemas by name.
pub(super) fn schemas() -> BTreeMap<String, Value> {
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    for row in TABLE.lines().skip(1) {
        let mut cells = row.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let (name, property, of, flags) = (cell(), cell(), cell(), cell());
        let root = schemas
            .entry(name.to_owned())
            .or_insert_with(|| json!({"type": "object"}));
        put(root, property, of, flags);
    }
    schemas
}

/// A `$ref` to a type, or to a list of it.
pub(super) fn named(name: &str) -> Value {
    match (name.strip_prefix("[]"), name) {
        (Some(element), _) => json!({"type": "array", "items": named(element)}),
        (None, "json") => json!({}),
        (None, "string" | "integer" | "boolean" | "object") => json!({"type": name}),
        (None, name) => reference(name),
    }
}

fn put(root: &mut Value, property: &str, of: &str, flags: &str) {
    let mut schema = kind(of);
    if flags.contains('c') {
        schema["additionalProperties"] = json!(false);
    }
    if flags.contains('r') {
        schema["readOnly"] = json!(true);
    }
    if property.is_empty() {
        *root = schema;
        return;
    }
    let (parent, name) = match property.strip_suffix("[]") {
        Some(list) => {
            at(root, list)["items"] = schema;
            return;
        }
        None => property.rsplit_once('.').unwrap_or(("", property)),
    };
    let parent = at(root, parent);
    parent["properties"][name] = schema;
    // Clients need not send what the server sets.
    if flags.contains('!') && !flags.contains('r') {
        match parent["required"].as_array_mut() {
            Some(required) => required.push(json!(name)),
            None => parent["required"] = json!([name]),
        }
    }
}

/// The schema at a path below another one.
fn at<'a>(root: &'a mut Value, path: &str) -> &'a mut Value {
    let mut place = root;
    for segment in path.split('.').filter(|segment| !segment.is_empty()) {
        let (name, lists) = match segment.find("[]") {
            Some(end) => (&segment[..end], (segment.len() - end) / 2),
            None => (segment, 0),
        };
        if !name.is_empty() {
            place = &mut place["properties"][name];
        }
        for _ in 0..lists {
            place = &mut place["items"];
        }
    }
    if !place.is_object() {
        *place = Value::Object(Map::new());
    }
    place
}

fn kind(of: &str) -> Value {
    if let Some(name) = of.strip_prefix('=') {
        return named(name);
    }
    if let Some(words) = of.strip_prefix("one of ") {
        return json!({"type": "string", "enum": words.split('|').collect::<Vec<_>>()});
    }
    match of {
        "uuid" | "date-time" => json!({"type": "string", "format": of}),
        "any" | "" => json!({}),
        of => json!({"type": of}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_become_a_schema() {
        let mut root = Value::Null;
        for (property, of, flags) in [
            ("", "object", "c"),
            ("id", "uuid", ""),
            ("notes", "array", "!"),
            ("notes[]", "object", ""),
            ("notes[].text", "string", "!"),
            ("notes[].at", "date-time", "r!"),
            ("kind", "one of Hold|Page", ""),
            ("item", "=item", ""),
        ] {
            put(&mut root, property, of, flags);
        }
        assert_eq!(
            root,
            json!({
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "id": {"type": "string", "format": "uuid"},
                    "notes": {"type": "array", "items": {
                        "type": "object",
                        "properties": {
                            "text": {"type": "string"},
                            "at": {"type": "string", "format": "date-time", "readOnly": true},
                        },
                        "required": ["text"],
                    }},
                    "kind": {"type": "string", "enum": ["Hold", "Page"]},
                    "item": {"$ref": "#/components/schemas/item"},
                },
                "required": ["notes"],
            })
        );
    }

    #[test]
    fn every_type_that_is_named_is_there() {
        let schemas = schemas();
        let mut places = Vec::new();
        for schema in schemas.values() {
            collect(schema, &mut places);
        }
        for place in places {
            let name = place.rsplit('/').next().unwrap_or_default();
            assert!(name == "errors" || schemas.contains_key(name), "{place}");
        }
    }

    fn collect(value: &Value, places: &mut Vec<String>) {
        match value {
            Value::Object(map) => {
                if let Some(Value::String(place)) = map.get("$ref") {
                    places.push(place.clone());
                }
                map.values().for_each(|inner| collect(inner, places));
            }
            Value::Array(list) => list.iter().for_each(|inner| collect(inner, places)),
            _ => {}
        }
    }
}
