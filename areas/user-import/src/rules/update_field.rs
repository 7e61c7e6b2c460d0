//! Updates a custom field's definition by an import. Fixed properties stay, and options are only added.

use serde_json::{Map, Value, json};

/// Applies the sent definition to a stored one.
pub fn update(definition: &mut Map<String, Value>, came: &Map<String, Value>) {
    definition.shift_remove("metadata");
    for name in ["name", "visible", "isRepeatable", "helpText"] {
        if let Some(value) = came.get(name) {
            definition.insert(name.to_owned(), value.clone());
        }
    }
    let Some(Value::Array(wanted)) = came
        .get("selectField")
        .map(|field| &field["options"]["values"])
    else {
        return;
    };
    let options = definition
        .get_mut("selectField")
        .and_then(|field| field.get_mut("options"))
        .and_then(|options| options.get_mut("values"));
    let Some(Value::Array(options)) = options else {
        return;
    };
    for one in wanted {
        let default = one.get("default").cloned().unwrap_or(Value::Bool(false));
        match options
            .iter_mut()
            .find(|option| option["value"] == one["value"])
        {
            Some(option) => option["default"] = default,
            None => {
                let id = next_id(options);
                options.push(json!({"id": id, "value": one["value"], "default": default}));
            }
        }
    }
}

fn next_id(options: &[Value]) -> String {
    let number = |option: &Value| -> Option<u32> {
        let (_, number) = option["id"].as_str()?.split_once('_')?;
        number.parse().ok()
    };
    let highest = options.iter().filter_map(number).max().unwrap_or(0);
    format!("opt_{}", highest.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_change_and_options_are_added() {
        let mut stored = json!({
            "name": "Scope", "refId": "scope", "visible": true, "metadata": {},
            "selectField": {"options": {"sortingOrder": "CUSTOM", "values": [
                {"id": "opt_1", "value": "A", "default": true},
                {"id": "opt_7", "value": "B", "default": false}]}},
        });
        let came = json!({"refId": "scope", "name": "Scopes", "type": "TEXTBOX_SHORT",
            "selectField": {"options": {"values": [{"value": "A"}, {"value": "C", "default": true}]}}});
        if let (Value::Object(stored), Value::Object(came)) = (&mut stored, &came) {
            update(stored, came);
        }
        assert_eq!(
            stored,
            json!({
                "name": "Scopes", "refId": "scope", "visible": true,
                "selectField": {"options": {"sortingOrder": "CUSTOM", "values": [
                    {"id": "opt_1", "value": "A", "default": false},
                    {"id": "opt_7", "value": "B", "default": false},
                    {"id": "opt_8", "value": "C", "default": true}]}},
            })
        );
    }
}
