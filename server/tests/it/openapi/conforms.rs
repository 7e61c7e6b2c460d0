//! Whether a value conforms to a schema: types, enumerations, required and allowed properties.

use serde_json::Value;

/// The violations, with their paths in the value.
pub fn faults(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(document, schema, value, "", &mut found);
    found
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(place) = schema["$ref"].as_str() {
        let pointer = place.trim_start_matches('#');
        let named = document.pointer(pointer).expect("a schema that is there");
        return check(document, named, value, at, found);
    }
    if let Some(kind) = schema["type"].as_str()
        && !is(kind, value)
    {
        found.push(format!("{at}: no {kind} but {value}"));
        return;
    }
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{at}: {value} is none of {words:?}"));
    }
    match value {
        Value::Object(map) => {
            for name in schema["required"].as_array().into_iter().flatten() {
                let name = name.as_str().expect("a name");
                if !map.contains_key(name) {
                    found.push(format!("{at}: {name} is not there"));
                }
            }
            let closed = schema["additionalProperties"] == Value::Bool(false);
            for (name, inner) in map {
                match schema["properties"].get(name) {
                    Some(one) => check(document, one, inner, &format!("{at}.{name}"), found),
                    None if closed => found.push(format!("{at}: {name} is not described")),
                    None => {}
                }
            }
        }
        Value::Array(list) => {
            for inner in list {
                check(document, &schema["items"], inner, &format!("{at}[]"), found);
            }
        }
        _ => {}
    }
}

fn is(kind: &str, value: &Value) -> bool {
    match kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => {
            value.is_i64() || value.is_u64() || value.as_f64().is_some_and(|n| n.fract() == 0.0)
        }
        "number" => value.is_number(),
        other => panic!("{other} is no type"),
    }
}

#[test]
fn faults_are_seen() {
    let document = serde_json::json!({"a": {"type": "object", "required": ["id"],
        "additionalProperties": false, "properties": {
            "id": {"type": "string"}, "kinds": {"type": "array", "items": {"enum": ["x"]}}}}});
    let schema = serde_json::json!({"$ref": "#/a"});
    for (value, number) in [
        (serde_json::json!({"id": "1", "kinds": ["x"]}), 0),
        (serde_json::json!({"id": 1}), 1),
        (serde_json::json!({"kinds": ["y"], "other": 1}), 3),
        (serde_json::json!([]), 1),
    ] {
        assert_eq!(faults(&document, &schema, &value).len(), number, "{value}");
    }
}
