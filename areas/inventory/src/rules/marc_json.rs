//! Rules for MARC documents beyond their shape.

use serde_json::Value;

/// Characters of a leader.
const LEADER_CHARS: usize = 24;
/// A document has at least this many fields.
const FIELDS_MIN: usize = 2;

/// The first property that does not fit: its name, FOLIO's message and the value.
#[must_use]
pub fn refuse(document: &Value) -> Option<(&'static str, String, String)> {
    let leader = document.get("leader").and_then(Value::as_str).unwrap_or("");
    let chars = leader.encode_utf16().count();
    if chars != LEADER_CHARS {
        let sentence = format!("size must be between {LEADER_CHARS} and {LEADER_CHARS}");
        return Some(("leader", sentence, leader.to_owned()));
    }
    let fields = document.get("fields").and_then(Value::as_array);
    let fields = fields.map_or(0, Vec::len);
    (fields < FIELDS_MIN).then(|| {
        let sentence = format!("size must be between {FIELDS_MIN} and {}", i32::MAX);
        ("fields", sentence, format!("{fields} fields"))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_document_has_a_leader_and_two_fields() {
        let key = |leader: &str, fields: Value| {
            let document = json!({"leader": leader, "fields": fields});
            refuse(&document).map(|(key, ..)| key)
        };
        let two = json!([{"001": "a"}, {"008": "b"}]);
        assert_eq!(key("00000nam a2200000 a 4500", two.clone()), None);
        assert_eq!(key("00000nam", two), Some("leader"));
        assert_eq!(
            key("00000nam a2200000 a 4500", json!([{"001": "a"}])),
            Some("fields")
        );
    }
}
