//! Values of custom fields: validation, and removal of deleted options.

use serde_json::{Map, Value};

use super::definition::{Definition, Form, form, option_ids, text};
use super::formats;

/// FOLIO's limits, in UTF-16 units.
const SHORT_CHARS_MAX: usize = 150;
const LONG_CHARS_MAX: usize = 1_500;
/// An error quotes at most this many characters of a value.
const QUOTED_CHARS_MAX: usize = 200;
/// Values of one repeatable field at most.
const VALUES_MAX: usize = 1_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// FOLIO's message.
    pub message: String,
    /// The field's reference, or `customFields` for an unknown field.
    pub key: String,
    /// The value as JSON, or the unknown reference.
    pub value: String,
}

/// All errors in the custom fields of a record.
#[must_use]
pub fn check(values: &Map<String, Value>, definitions: &[Definition]) -> Vec<FieldError> {
    let mut errors = Vec::new();
    for (reference, value) in values {
        let definition = definitions
            .iter()
            .find(|definition| text(definition, "refId") == reference);
        let Some(definition) = definition else {
            let shown: String = reference.chars().take(QUOTED_CHARS_MAX).collect();
            errors.push(FieldError {
                message: format!("Custom field with refId {shown} is not found"),
                key: "customFields".to_owned(),
                value: shown,
            });
            continue;
        };
        if let Err(message) = check_field(value, definition) {
            errors.push(FieldError {
                message,
                key: reference.clone(),
                value: value.to_string().chars().take(QUOTED_CHARS_MAX).collect(),
            });
        }
    }
    errors
}

fn check_field(value: &Value, definition: &Definition) -> Result<(), String> {
    let kind = text(definition, "type");
    let repeatable = definition.get("isRepeatable") == Some(&Value::Bool(true));
    if value.as_array().is_some_and(|list| list.len() > VALUES_MAX) {
        return Err(format!("A field has at most {VALUES_MAX} values"));
    }
    match form(definition) {
        Form::Checkbox if value.is_boolean() => Ok(()),
        Form::Checkbox => Err(format!("Field with type {kind} must be a boolean")),
        Form::Date => {
            let date = string(value, kind)?;
            match formats::is_date(date) {
                true => Ok(()),
                false => Err(format!("Invalid date format: {}", quoted(date))),
            }
        }
        Form::Text => match value {
            Value::Array(list) if repeatable => {
                list.iter().try_for_each(|one| check_text(one, definition))
            }
            one => check_text(one, definition),
        },
        Form::Select => match value {
            Value::Array(list) if repeatable || kind == "MULTI_SELECT_DROPDOWN" => list
                .iter()
                .try_for_each(|one| check_option(one, definition)),
            _ if repeatable => Err(format!("Field with type {kind} must be an array")),
            one => check_option(one, definition),
        },
    }
}

fn string<'a>(value: &'a Value, kind: &str) -> Result<&'a str, String> {
    value
        .as_str()
        .ok_or_else(|| format!("Field with type {kind} must be a string"))
}

fn check_text(value: &Value, definition: &Definition) -> Result<(), String> {
    let kind = text(definition, "type");
    let given = string(value, kind)?;
    let most = match kind {
        "TEXTBOX_LONG" => LONG_CHARS_MAX,
        _ => SHORT_CHARS_MAX,
    };
    let format = definition
        .get("textField")
        .and_then(|field| field["fieldFormat"].as_str())
        .unwrap_or("TEXT");
    match format {
        "EMAIL" if !formats::is_email(given) => {
            return Err(format!("Invalid Email format: {}", quoted(given)));
        }
        "NUMBER" if !formats::is_number(given) => {
            return Err(format!("Invalid Number format: {}", quoted(given)));
        }
        "URL" if !formats::is_url(given) => return Err(format!("Invalid URL: {}", quoted(given))),
        "TEXT" if given.trim().is_empty() => return Err("Invalid Text format".to_owned()),
        _ => {}
    }
    if given.encode_utf16().count() > most {
        return Err(format!("Maximum length of the value is {most}"));
    }
    Ok(())
}

fn check_option(value: &Value, definition: &Definition) -> Result<(), String> {
    let given = string(value, text(definition, "type"))?;
    let allowed = option_ids(definition);
    if allowed.contains(&given) {
        return Ok(());
    }
    Err(format!(
        "Field {} can only have following values: [{}]",
        text(definition, "refId"),
        allowed.join(", ")
    ))
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_CHARS_MAX).collect()
}

/// The value without deleted options. When none is left the defaults are used; `None` without defaults.
#[must_use]
pub fn without_options(value: &Value, gone: &[String], defaults: &[&str]) -> Option<Value> {
    let is_gone = |one: &Value| {
        one.as_str()
            .is_some_and(|id| gone.iter().any(|other| other == id))
    };
    let mut left: Vec<Value> = match value {
        Value::Array(list) => list.iter().filter(|one| !is_gone(one)).cloned().collect(),
        one if is_gone(one) => Vec::new(),
        one => return Some(one.clone()),
    };
    if left.is_empty() {
        left = defaults.iter().map(|id| Value::from(*id)).collect();
    }
    match left.len() {
        0 => None,
        1 => left.pop(),
        _ => Some(Value::Array(left)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn definition(kind: &str, more: Value) -> Definition {
        let mut all = json!({"refId": "x", "type": kind, "isRepeatable": false});
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all.as_object().cloned().unwrap_or_default()
    }

    fn options(more: Value) -> Value {
        let mut all = json!({"selectField": {"options": {"values": [
            {"id": "opt_1", "value": "a"}, {"id": "opt_2", "value": "b"},
        ]}}});
        if let (Value::Object(all), Value::Object(more)) = (&mut all, more) {
            all.extend(more);
        }
        all
    }

    fn message(definition: &Definition, value: Value) -> Option<String> {
        let values = Map::from_iter([("x".to_owned(), value)]);
        let mut errors = check(&values, std::slice::from_ref(definition));
        assert!(errors.len() <= 1);
        errors.pop().map(|one| one.message)
    }

    #[test]
    fn values_fit_their_definitions() {
        let format = |name: &str| json!({"textField": {"fieldFormat": name}});
        for (kind, more, right, wrong, sentence) in [
            (
                "SINGLE_CHECKBOX",
                json!({}),
                json!(true),
                json!("true"),
                "Field with type SINGLE_CHECKBOX must be a boolean",
            ),
            (
                "DATE_PICKER",
                json!({}),
                json!("2026-02-01"),
                json!("1.2.2026"),
                "Invalid date format: 1.2.2026",
            ),
            (
                "TEXTBOX_SHORT",
                format("TEXT"),
                json!("a"),
                json!(" "),
                "Invalid Text format",
            ),
            (
                "TEXTBOX_SHORT",
                format("TEXT"),
                json!("a".repeat(150)),
                json!("a".repeat(151)),
                "Maximum length of the value is 150",
            ),
            (
                "TEXTBOX_LONG",
                format("TEXT"),
                json!("a".repeat(1500)),
                json!("a".repeat(1501)),
                "Maximum length of the value is 1500",
            ),
            (
                "TEXTBOX_SHORT",
                format("EMAIL"),
                json!("a@b.org"),
                json!("a"),
                "Invalid Email format: a",
            ),
            (
                "TEXTBOX_SHORT",
                format("URL"),
                json!("https://b.org"),
                json!("b.org"),
                "Invalid URL: b.org",
            ),
            (
                "TEXTBOX_SHORT",
                format("NUMBER"),
                json!("1,5"),
                json!("x"),
                "Invalid Number format: x",
            ),
            (
                "TEXTBOX_SHORT",
                format("NUMBER"),
                json!("1"),
                json!(1),
                "Field with type TEXTBOX_SHORT must be a string",
            ),
            (
                "TEXTBOX_SHORT",
                json!({"isRepeatable": true}),
                json!(["a", "b"]),
                json!(["a", ""]),
                "Invalid Text format",
            ),
            (
                "RADIO_BUTTON",
                options(json!({})),
                json!("opt_1"),
                json!("opt_3"),
                "Field x can only have following values: [opt_1, opt_2]",
            ),
            (
                "RADIO_BUTTON",
                options(json!({})),
                json!("opt_2"),
                json!(["opt_1"]),
                "Field with type RADIO_BUTTON must be a string",
            ),
            (
                "MULTI_SELECT_DROPDOWN",
                options(json!({})),
                json!(["opt_1", "opt_2"]),
                json!(["opt_3"]),
                "Field x can only have following values: [opt_1, opt_2]",
            ),
            (
                "SINGLE_SELECT_DROPDOWN",
                options(json!({"isRepeatable": true})),
                json!(["opt_1"]),
                json!("opt_1"),
                "Field with type SINGLE_SELECT_DROPDOWN must be an array",
            ),
        ] {
            let definition = definition(kind, more);
            assert_eq!(message(&definition, right), None, "{kind}");
            assert_eq!(message(&definition, wrong).as_deref(), Some(sentence));
        }
    }

    #[test]
    fn every_error_is_reported() {
        let definition = definition("SINGLE_CHECKBOX", json!({}));
        let values = json!({"x": 1, "y": 2, "z": 3});
        let values = values.as_object().cloned().unwrap_or_default();
        let errors = check(&values, &[definition]);
        assert_eq!(errors.len(), 3);
        assert_eq!(
            (errors[0].key.as_str(), errors[0].value.as_str()),
            ("x", "1")
        );
        assert_eq!(errors[1].message, "Custom field with refId y is not found");
        assert_eq!(errors[1].key, "customFields");
    }

    #[test]
    fn options_that_went_leave_the_rest_or_the_defaults() {
        let gone = ["opt_1".to_owned(), "opt_2".to_owned()];
        for (value, defaults, left) in [
            (json!("opt_1"), &[][..], None),
            (json!("opt_1"), &["opt_3"][..], Some(json!("opt_3"))),
            (json!("opt_4"), &["opt_3"][..], Some(json!("opt_4"))),
            (json!(["opt_1", "opt_2"]), &[][..], None),
            (
                json!(["opt_1", "opt_4"]),
                &["opt_3"][..],
                Some(json!("opt_4")),
            ),
            (
                json!(["opt_1"]),
                &["opt_3", "opt_5"][..],
                Some(json!(["opt_3", "opt_5"])),
            ),
            (
                json!(["opt_1", "opt_4", "opt_5"]),
                &[][..],
                Some(json!(["opt_4", "opt_5"])),
            ),
        ] {
            assert_eq!(without_options(&value, &gone, defaults), left, "{value}");
        }
    }
}
