//! Values inside a record as PostgreSQL sees them: found by a dotted path, and printed as `jsonb`
//! prints them. Knows nothing of queries.

use serde_json::Value;

use super::decimal::Decimal;

/// The value at a dotted path through objects, not arrays; null counts as missing.
pub fn at<'a>(record: &'a Value, path: &str) -> Option<&'a Value> {
    let mut value = record;
    for name in path.split('.') {
        value = value.as_object()?.get(name)?;
    }
    (!value.is_null()).then_some(value)
}

/// A value as text: a string is itself, anything else its JSON.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => printed(other),
    }
}

/// JSON as PostgreSQL prints `jsonb`.
fn printed(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) => value.to_string(),
        Value::Number(number) => Decimal::parse(&number.to_string()).unwrap().to_string(),
        Value::String(text) => quoted(text),
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(printed).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Object(map) => {
            // Shorter keys come first.
            let mut members: Vec<_> = map.iter().collect();
            members.sort_by_key(|(key, _)| (key.len(), key.as_bytes()));
            let members: Vec<String> = members
                .into_iter()
                .map(|(key, value)| format!("{}: {}", quoted(key), printed(value)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            control if control < ' ' => json.push_str(&format!("\\u{:04x}", u32::from(control))),
            other => json.push(other),
        }
    }
    json.push('"');
    json
}

/// JSON with a blank for each escape.
pub fn without_escapes(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let mut characters = json.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            plain.push(character);
            continue;
        }
        plain.push(' ');
        if characters.next() == Some('u') {
            characters.by_ref().take(4).for_each(drop);
        }
    }
    plain
}
