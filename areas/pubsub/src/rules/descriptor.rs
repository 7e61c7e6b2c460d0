//! Descriptors of event types: when two are the same, and which may replace another.

use serde_json::{Value, json};

/// The days that an event of an undescribed type is kept.
const TTL_OF_UNDESCRIBED: u32 = 1;

/// A descriptor as it is stored.
#[must_use]
pub fn complete(sent: &Value) -> Value {
    let mut descriptor = sent.clone();
    if let Value::Object(descriptor) = &mut descriptor {
        descriptor.retain(|_, value| !value.is_null());
        for flag in ["signed", "tmp"] {
            descriptor.entry(flag).or_insert(json!(false));
        }
    }
    descriptor
}

/// The descriptor of a type that somebody subscribes to before it is described.
#[must_use]
pub fn undescribed(event_type: &str) -> Value {
    json!({"eventType": event_type, "eventTTL": TTL_OF_UNDESCRIBED, "signed": false, "tmp": true})
}

/// Whether a stored descriptor only stands in for another.
#[must_use]
pub fn is_temporary(stored: &Value) -> bool {
    stored["tmp"] == true
}

/// Whether two complete descriptors have the same content.
#[must_use]
pub fn is_same(one: &Value, other: &Value) -> bool {
    ["eventType", "description", "eventTTL", "signed"]
        .iter()
        .all(|name| one[name] == other[name])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_decides_and_not_what_is_left_out() {
        let one = complete(&json!({"eventType": "A", "eventTTL": 1, "description": null}));
        for (other, same) in [
            (
                json!({"eventType": "A", "eventTTL": 1, "signed": false}),
                true,
            ),
            (json!({"eventType": "A", "eventTTL": 1, "tmp": true}), true),
            (json!({"eventType": "A", "eventTTL": 2}), false),
            (
                json!({"eventType": "A", "eventTTL": 1, "signed": true}),
                false,
            ),
            (
                json!({"eventType": "A", "eventTTL": 1, "description": "d"}),
                false,
            ),
        ] {
            assert_eq!(is_same(&one, &complete(&other)), same, "{other}");
        }
        assert!(is_temporary(&undescribed("A")));
        assert!(!is_temporary(&one));
    }
}
