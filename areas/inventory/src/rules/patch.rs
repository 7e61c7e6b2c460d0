//! PATCH: some properties of a record replaced, the others left as they are.

use serde_json::Value;

use super::set;

/// The record with the properties of a patch: each replaces the record's own whole, `null` removes
/// it. What only the server sets is left out of the patch by the record type's check.
#[must_use]
pub fn merged(record: &Value, patch: &Value) -> Value {
    let mut merged = record.clone();
    if let (Value::Object(merged), Value::Object(patch)) = (&mut merged, patch) {
        for (property, value) in patch {
            if value.is_null() {
                set(merged, property, None);
            } else {
                merged.insert(property.clone(), value.clone());
            }
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn properties_are_replaced_whole_and_null_removes() {
        let item = json!({"barcode": "1", "volume": "2", "tags": {"tagList": ["a"]}});
        assert_eq!(
            merged(
                &item,
                &json!({"volume": null, "tags": {"tagList": []}, "chronology": "1999"})
            ),
            json!({"barcode": "1", "tags": {"tagList": []}, "chronology": "1999"})
        );
    }
}
