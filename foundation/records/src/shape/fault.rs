//! Parse errors in a document. FOLIO's parser stops at the first one and reports it alone, before
//! any rule is checked. The messages have the meaning of that parser's, in our words.

use serde_json::Value;

use super::validator::Violation;

/// The code of a value that is not of its property's type: 400 and plain text.
pub const UNREADABLE: &str = "unreadable";
/// The code of a property that the record type does not declare: 422, alone.
pub const UNKNOWN: &str = "unknown";

/// The most characters of a rejected value that are quoted.
const QUOTED_CHARS_MAX: usize = 200;
/// The most characters of a path: clients name properties as they like.
const PATH_CHARS_MAX: usize = 500;

impl Violation {
    /// Whether a value was not of its property's type.
    #[must_use]
    pub fn is_unreadable(&self) -> bool {
        self.code == UNREADABLE
    }

    /// Whether a property was not declared.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.code == UNKNOWN
    }

    /// Whether parsing stopped here, so that no rule was checked.
    #[must_use]
    pub fn is_of_reader(&self) -> bool {
        self.is_unreadable() || self.is_unknown()
    }
}

/// The violation of an undeclared property, whose name is the last in the path.
pub(super) fn unknown(path: &[String], value: &Value) -> Violation {
    let name = path.last().map_or("", String::as_str);
    let within = place(&path[..path.len().saturating_sub(1)]);
    let message = format!(
        "Unrecognized field \"{}\" (in {within}), it is not among the properties that are known there",
        quoted(name)
    );
    Violation {
        message,
        code: UNKNOWN,
        path: shown(path),
        value: quoted_value(value),
    }
}

/// The violation of a value of another type.
pub(super) fn mistyped(path: &[String], expected: &str, value: &Value) -> Violation {
    let message = match value {
        Value::Object(_) | Value::Array(_) => format!(
            "Cannot deserialize value of type `{expected}` from {} value (token `{}`)",
            kind_of(value),
            token_of(value)
        ),
        Value::String(text) => format!(
            "Cannot deserialize value of type `{expected}` from String \"{}\": not a valid `{expected}` \
             value",
            quoted(text)
        ),
        other => format!(
            "Cannot deserialize value of type `{expected}` from {} value ({})",
            kind_of(other),
            quoted_value(other)
        ),
    };
    unreadable(path, &message, value)
}

/// The violation of a value that is not in the list of a property.
pub(super) fn not_listed(path: &[String], values: &[String], value: &Value) -> Violation {
    let message = format!(
        "Cannot construct instance of `enum`, problem: {}: not one of the values accepted: [{}]",
        quoted_value(value),
        values.join(", ")
    );
    unreadable(path, &message, value)
}

fn unreadable(path: &[String], message: &str, value: &Value) -> Violation {
    Violation {
        message: format!("{message} (at {})", place(path)),
        code: UNREADABLE,
        path: shown(path),
        value: quoted_value(value),
    }
}

/// A path for people: `notes[0].note`; the record itself without one.
fn place(path: &[String]) -> String {
    let mut text = String::new();
    for name in path {
        if name.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() {
            text.push_str(&format!("[{name}]"));
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(name);
        }
    }
    match text.is_empty() {
        true => "the record".to_owned(),
        false => text.chars().take(PATH_CHARS_MAX).collect(),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "Null",
        Value::Bool(_) => "Boolean",
        Value::Number(number) if number.is_f64() => "Floating-point",
        Value::Number(_) => "Integer",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Object(_) => "Object",
    }
}

fn token_of(value: &Value) -> &'static str {
    match value {
        Value::Array(_) => "JsonToken.START_ARRAY",
        _ => "JsonToken.START_OBJECT",
    }
}

/// The dotted path, shortened.
pub(super) fn shown(path: &[String]) -> String {
    path.join(".").chars().take(PATH_CHARS_MAX).collect()
}

/// The value, shortened.
pub(super) fn quoted_value(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

fn quoted(text: &str) -> String {
    text.chars().take(QUOTED_CHARS_MAX).collect()
}
