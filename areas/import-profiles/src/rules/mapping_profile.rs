//! Validation of mapping profiles.

use serde_json::Value;

/// The errors of a mapping profile: a repeatable field's action is allowed only with subfields, unless
/// it deletes existing values.
#[must_use]
pub fn problems(mapping: &Value) -> Vec<String> {
    let fields = mapping["mappingDetails"]["mappingFields"].as_array();
    fields
        .into_iter()
        .flatten()
        .filter_map(|field| {
            let action = field["repeatableFieldAction"].as_str()?;
            let is_empty = field["subfields"].as_array().is_none_or(Vec::is_empty);
            (is_empty && action != "DELETE_EXISTING")
                .then(|| format!("Invalid repeatableFieldAction for empty subfields: {action}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_repeatable_field_needs_subfields_unless_it_is_emptied() {
        let field = |action: &str, subfields: Value| {
            let fields =
                json!([{"name": "x", "repeatableFieldAction": action, "subfields": subfields}]);
            problems(&json!({"mappingDetails": {"mappingFields": fields}}))
        };
        assert_eq!(
            field("EXTEND_EXISTING", json!([])),
            ["Invalid repeatableFieldAction for empty subfields: EXTEND_EXISTING"]
        );
        assert!(field("DELETE_EXISTING", json!([])).is_empty());
        assert!(field("EXTEND_EXISTING", json!([{"order": 0, "path": "x"}])).is_empty());
        assert!(problems(&json!({"name": "no details"})).is_empty());
    }
}
