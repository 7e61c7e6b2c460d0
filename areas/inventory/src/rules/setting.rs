//! The values that a setting takes.

use serde_json::Value;

/// The stored text of a new value for a setting of this type, or FOLIO's refusal.
///
/// # Errors
/// When the value is of another type.
pub fn stored_value(kind: &str, value: &Value) -> Result<String, &'static str> {
    match (kind, value) {
        ("STRING", Value::String(text)) => Ok(text.clone()),
        ("STRING", _) => Err("Setting value should be a string"),
        ("INTEGER", Value::Number(number)) => match number.as_i64() {
            Some(number) if i32::try_from(number).is_ok() => Ok(number.to_string()),
            _ => Err("Setting value should be an integer"),
        },
        ("INTEGER", _) => Err("Setting value should be an integer"),
        (_, Value::Bool(value)) => Ok(value.to_string()),
        (_, Value::String(text))
            if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") =>
        {
            Ok(text.clone())
        }
        (_, _) => Err("Setting value should be a boolean"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_of_its_settings_type() {
        for (kind, value, stored) in [
            ("STRING", json!("a"), Some("a")),
            ("STRING", json!(1), None),
            ("INTEGER", json!(7), Some("7")),
            ("INTEGER", json!(7.5), None),
            ("INTEGER", json!(3_000_000_000_i64), None),
            ("INTEGER", json!("7"), None),
            ("BOOLEAN", json!(true), Some("true")),
            ("BOOLEAN", json!("False"), Some("False")),
            ("BOOLEAN", json!("yes"), None),
            ("BOOLEAN", json!(null), None),
        ] {
            let found = stored_value(kind, &value).ok();
            assert_eq!(found.as_deref(), stored, "{kind} {value}");
        }
    }
}
