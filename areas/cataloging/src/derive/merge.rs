//! Merges mapped properties into a stored instance or holdings record. No I/O.

use serde_json::{Map, Value};

/// The properties of an instance that no MARC record controls.
const INSTANCE: [&str; 19] = [
    "id",
    "_version",
    "hrid",
    "matchKey",
    "sourceUri",
    "discoverySuppress",
    "staffSuppress",
    "deleted",
    "previouslyHeld",
    "catalogedDate",
    "statusId",
    "statusUpdatedDate",
    "statisticalCodeIds",
    "natureOfContentTermIds",
    "tags",
    "administrativeNotes",
    "sourceRecordFormat",
    "metadata",
    "isBoundWith",
];

/// The properties of a holdings record that no MARC record controls.
const HOLDINGS: [&str; 18] = [
    "id",
    "_version",
    "hrid",
    "statisticalCodeIds",
    "administrativeNotes",
    "additionalCallNumbers",
    "receivingHistory",
    "discoverySuppress",
    "temporaryLocationId",
    "acquisitionFormat",
    "acquisitionMethod",
    "receiptStatus",
    "illPolicyId",
    "retentionPolicy",
    "digitizationPolicy",
    "numberOfItems",
    "tags",
    "metadata",
];

/// The properties of an instance that a change of its MARC record keeps.
#[must_use]
pub fn kept_of_instance() -> &'static [&'static str] {
    &INSTANCE
}

/// The properties of a holdings record that a change of its MARC record keeps.
#[must_use]
pub fn kept_of_holdings() -> &'static [&'static str] {
    &HOLDINGS
}

/// The record to store: mapped properties from the new record, the others from the old one.
pub(super) fn merged(
    old: &Value,
    mut mapped: Map<String, Value>,
    kept: &[&str],
) -> Map<String, Value> {
    for property in kept {
        match old.get(*property) {
            Some(value) => mapped.insert((*property).to_owned(), value.clone()),
            None => mapped.shift_remove(*property),
        };
    }
    mapped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn marc_controls_what_it_controls_and_the_rest_stays() {
        let old = json!({
            "id": "1", "hrid": "in1", "_version": 3, "title": "Old", "editions": ["1st"],
            "statusId": "s", "tags": {"tagList": ["urgent"]}, "administrativeNotes": ["n"],
        });
        let mapped = json!({"hrid": "foreign", "title": "New", "natureOfContentTermIds": ["x"]});
        let mapped = mapped.as_object().cloned().expect("an object");
        let merged = merged(&old, mapped, kept_of_instance());
        assert_eq!(
            Value::Object(merged),
            json!({
                "id": "1", "hrid": "in1", "_version": 3, "title": "New",
                "statusId": "s", "tags": {"tagList": ["urgent"]}, "administrativeNotes": ["n"],
            })
        );
    }
}
