//! Checks the properties of request bodies that are not records.

use serde_json::{Map, Value};

/// Maximal number of characters of a property name quoted in an error.
const NAME_CHARS_MAX: usize = 100;

/// FOLIO's refusal of a form with an unknown property: message and name.
#[must_use]
pub fn unrecognized(form: &Map<String, Value>, known: &[&str]) -> Option<(String, String)> {
    let other = form.keys().find(|name| !known.contains(&name.as_str()))?;
    let name: String = other.chars().take(NAME_CHARS_MAX).collect();
    Some((format!("Unrecognized field \"{name}\""), name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_unknown_property_is_named_and_not_at_length() {
        let refused = |form: Value| unrecognized(form.as_object().expect("an object"), &["a", "b"]);
        assert_eq!(refused(json!({"b": 1})), None);
        let (sentence, name) = refused(json!({"a": 1, "c": 2})).expect("a refusal");
        assert_eq!(
            (sentence.as_str(), name.as_str()),
            ("Unrecognized field \"c\"", "c")
        );
        let (sentence, _) = refused(json!({"ö".repeat(5_000): 1})).expect("a refusal");
        assert_eq!(sentence.chars().count(), 121);
    }
}
