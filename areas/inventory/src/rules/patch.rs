//! PATCH: some properties of a record replaced, the others left as they are.

use serde_json::Value;

use super::set;

/// The record with the properties of a patch: each replaces the record's own whole, `null` removes it.
/// The record type's check removes server-set properties from the patch.
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

/// The properties that every item has and that a patch would remove, in FOLIO's order.
#[must_use]
pub fn removed(patch: &Value) -> Vec<&'static str> {
    let blank = |value: &Value| {
        value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty())
    };
    let mut removed: Vec<&'static str> =
        ["materialTypeId", "permanentLoanTypeId", "holdingsRecordId"]
            .into_iter()
            .filter(|property| patch.get(*property).is_some_and(blank))
            .collect();
    match patch.get("status") {
        Some(Value::Null) => removed.push("status"),
        Some(Value::Object(status)) if status.get("name").is_none_or(blank) => {
            removed.push("status.name");
        }
        _ => {}
    }
    removed
}

/// The properties that every holdings record has and that a patch would remove.
#[must_use]
pub fn removed_from_holdings(patch: &Value) -> Vec<&'static str> {
    ["sourceId", "instanceId", "permanentLocationId"]
        .into_iter()
        .filter(|property| patch.get(*property).is_some_and(Value::is_null))
        .collect()
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

    #[test]
    fn what_every_holdings_record_has_is_not_removed() {
        for (changes, expected) in [
            (json!({"callNumber": null, "sourceId": "a"}), vec![]),
            (json!({"instanceId": null}), vec!["instanceId"]),
            (
                json!({"permanentLocationId": null, "sourceId": null}),
                vec!["sourceId", "permanentLocationId"],
            ),
        ] {
            assert_eq!(removed_from_holdings(&changes), expected, "{changes}");
        }
    }

    #[test]
    fn what_every_item_has_is_not_removed() {
        for (changes, expected) in [
            (
                json!({"volume": null, "status": {"name": "Available"}}),
                vec![],
            ),
            (json!({"status": null}), vec!["status"]),
            (json!({"status": {"name": " "}}), vec!["status.name"]),
            (
                json!({"holdingsRecordId": "", "materialTypeId": null}),
                vec!["materialTypeId", "holdingsRecordId"],
            ),
        ] {
            assert_eq!(removed(&changes), expected, "{changes}");
        }
    }
}
