//! Validation of staff slips.

use serde_json::Value;

/// The missing properties of a slip, one message per line.
#[must_use]
pub fn what_is_missing(slip: &Value) -> Option<String> {
    let asked = [("name", "Name"), ("template", "Template")];
    let missing = asked.iter().filter(|(property, _)| slip[*property] == "");
    let lines: Vec<String> = missing
        .map(|(_, name)| format!("{name} is a required property"))
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_slip_has_a_name_and_a_template() {
        let missing = |name: &str, template: &str| {
            what_is_missing(&json!({"name": name, "template": template}))
        };
        assert_eq!(missing("Hold", "<p/>"), None);
        assert_eq!(
            missing("Hold", "").as_deref(),
            Some("Template is a required property")
        );
        assert_eq!(
            missing("", "").as_deref(),
            Some("Name is a required property\nTemplate is a required property")
        );
    }
}
