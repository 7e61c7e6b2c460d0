//! Whether a sent record equals the stored one.

use serde_json::Value;

/// Whether two records of one id differ in nothing but `metadata`.
#[must_use]
pub fn is_unchanged(new: &Value, old: &Value) -> bool {
    let (Value::Object(new), Value::Object(old)) = (new, old) else {
        return false;
    };
    let counts = |name: &&String| *name != "metadata" && *name != "id";
    let names = new.keys().filter(counts).count();
    names == old.keys().filter(counts).count()
        && new
            .iter()
            .filter(|(name, _)| counts(name))
            .all(|(name, value)| old.get(name) == Some(value))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn metadata_says_nothing_new() {
        let old = json!({"id": "1", "title": "a", "metadata": {"updatedDate": "then"}});
        assert!(is_unchanged(&json!({"title": "a"}), &old));
        assert!(is_unchanged(
            &json!({"id": "1", "title": "a", "metadata": {}}),
            &old
        ));
        assert!(!is_unchanged(&json!({"title": "b"}), &old));
        assert!(!is_unchanged(&json!({"title": "a", "tags": {}}), &old));
        assert!(!is_unchanged(&json!({}), &old));
    }
}
