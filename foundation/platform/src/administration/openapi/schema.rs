//! The shapes of records as JSON Schema 2020-12.

use octavo_records::shape::{ObjectShape, Property};
use octavo_records::{Collection, Shape, ValueKind};
use serde_json::{Map, Value, json};

/// A record of a collection.
pub(super) fn record(collection: &Collection) -> Value {
    object(&collection.shape.root)
}

/// A body or answer that is no record.
pub(super) fn shape(shape: &Shape) -> Value {
    object(&shape.root)
}

/// A page of its records.
pub(super) fn list(collection: &Collection) -> Value {
    let mut properties = Map::new();
    let records = json!({"type": "array", "items": reference(&collection.table)});
    properties.insert(collection.list_key.clone(), records);
    if !collection.total_in_info {
        properties.insert(
            "totalRecords".to_owned(),
            json!({"type": "integer", "minimum": 0}),
        );
    }
    if collection.result_info {
        properties.insert("resultInfo".to_owned(), json!({"type": "object"}));
    }
    json!({"type": "object", "properties": properties, "required": [collection.list_key]})
}

/// The name of the schema of pages of a table's records.
pub(super) fn list_name(table: &str) -> String {
    format!("{table}.list")
}

/// A `$ref` to a schema.
pub(super) fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The schema of FOLIO's list of errors.
pub(super) fn errors() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "properties": {
            "errors": {"type": "array", "items": {
                "type": "object",
                "properties": {
                    "message": text,
                    "type": text,
                    "code": text,
                    "parameters": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"key": text, "value": text},
                    }},
                },
                "required": ["message"],
            }},
            "total_records": {"type": "integer", "minimum": 0},
        },
        "required": ["errors"],
    })
}

fn object(shape: &ObjectShape) -> Value {
    let mut schema = json!({"type": "object"});
    if !shape.properties.is_empty() {
        let properties: Map<String, Value> = shape
            .properties
            .iter()
            .map(|one| (one.name.clone(), property(one)))
            .collect();
        schema["properties"] = Value::Object(properties);
    }
    // Clients need not send what the server sets.
    let required: Vec<&str> = shape
        .properties
        .iter()
        .filter(|property| property.required && !property.readonly && property.default.is_none())
        .map(|property| property.name.as_str())
        .collect();
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if !shape.open && !shape.dropping {
        schema["additionalProperties"] = json!(false);
    }
    schema
}

fn property(property: &Property) -> Value {
    let mut schema = kind(&property.kind);
    if property.readonly {
        schema["readOnly"] = json!(true);
    }
    if let Some(default) = &property.default {
        schema["default"] = default.clone();
    }
    let limits = property.limits;
    if let Some(least) = limits.from {
        schema["minimum"] = json!(least);
    }
    if let Some(most) = limits.to {
        schema["maximum"] = json!(most);
    }
    if let Some((least, most)) = limits.size {
        let (shortest, longest) = match property.kind {
            ValueKind::Array(_) => ("minItems", "maxItems"),
            _ => ("minLength", "maxLength"),
        };
        schema[shortest] = json!(least);
        schema[longest] = json!(most);
    }
    schema
}

fn kind(of: &ValueKind) -> Value {
    match of {
        ValueKind::Uuid => json!({"type": "string", "format": "uuid"}),
        ValueKind::Text(values) if values.is_empty() => json!({"type": "string"}),
        ValueKind::Text(values) => json!({"type": "string", "enum": values}),
        ValueKind::Integer => json!({"type": "integer"}),
        ValueKind::Number => json!({"type": "number"}),
        ValueKind::Boolean => json!({"type": "boolean"}),
        ValueKind::DateTime => json!({"type": "string", "format": "date-time"}),
        ValueKind::Object(shape) => object(shape),
        ValueKind::Array(element) => json!({"type": "array", "items": kind(element)}),
        ValueKind::Any => json!({}),
        ValueKind::Named(name) => reference(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_reported_whole() {
        let text = "id uuid\n\
                     name string required\n\
                     count integer\n\
                     at date-time readonly required\n\
                     status string one of Open | Closed\n\
                     notes array of array of object\n  text string required\n\
                     tags object open\n\
                     extra any\n";
        let described = record(&Collection::new("thing", "things", text));
        assert_eq!(
            described,
            json!({
                "type": "object",
                "properties": {
                    "at": {"type": "string", "format": "date-time", "readOnly": true},
                    "count": {"type": "integer"},
                    "extra": {},
                    "id": {"type": "string", "format": "uuid"},
                    "name": {"type": "string"},
                    "notes": {"type": "array", "items": {"type": "array", "items": {
                        "type": "object",
                        "properties": {"text": {"type": "string"}},
                        "required": ["text"],
                        "additionalProperties": false,
                    }}},
                    "status": {"type": "string", "enum": ["Open", "Closed"]},
                    "tags": {"type": "object"},
                },
                "required": ["name"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn a_shape_refers_to_others() {
        let text = "loan =circulation.loan required\nitems array of =item\n";
        let described = shape(&Shape::parse_referring(text).expect("well formed"));
        assert_eq!(
            described,
            json!({
                "type": "object",
                "properties": {
                    "items": {"type": "array", "items": {"$ref": "#/components/schemas/item"}},
                    "loan": {"$ref": "#/components/schemas/circulation.loan"},
                },
                "required": ["loan"],
                "additionalProperties": false,
            })
        );
    }
}
