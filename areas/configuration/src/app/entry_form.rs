//! Normalises a configuration entry before it is stored.

use serde_json::{Value, json};

/// An entry without `enabled` is enabled.
pub fn complete(entry: &mut Value) {
    if let Some(entry) = entry.as_object_mut()
        && entry.get("enabled").is_none_or(Value::is_null)
    {
        entry.insert("enabled".to_owned(), json!(true));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_stays() {
        for (sent, stored) in [
            (json!({}), json!({"enabled": true})),
            (json!({"enabled": null}), json!({"enabled": true})),
            (json!({"enabled": false}), json!({"enabled": false})),
            (json!([]), json!([])),
        ] {
            let mut entry = sent;
            complete(&mut entry);
            assert_eq!(entry, stored);
        }
    }
}
