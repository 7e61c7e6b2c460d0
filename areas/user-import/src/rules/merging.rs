//! Merges an imported user into the stored one, for imports that update only present properties.

use serde_json::{Map, Value};

/// The merged user. As in FOLIO a sent property replaces the stored one as a whole, `personal` too; but
/// addresses of other types stay, and so does the preferred first name when none is sent.
#[must_use]
pub fn merge(old: &Map<String, Value>, new: Map<String, Value>) -> Map<String, Value> {
    let mut merged = old.clone();
    let before = old.get("personal").and_then(Value::as_object);
    let came = new.contains_key("personal");
    for (name, value) in new {
        merged.insert(name, value);
    }
    let (Some(before), true) = (before, came) else {
        return merged;
    };
    let Some(Value::Object(personal)) = merged.get_mut("personal") else {
        return merged;
    };
    let blank = personal
        .get("preferredFirstName")
        .and_then(Value::as_str)
        .is_none_or(|name| name.trim().is_empty());
    if blank {
        match before.get("preferredFirstName") {
            Some(name) => personal.insert("preferredFirstName".to_owned(), name.clone()),
            None => personal.shift_remove("preferredFirstName"),
        };
    }
    let list = |of: &Map<String, Value>| -> Vec<Value> {
        match of.get("addresses") {
            Some(Value::Array(list)) => list.clone(),
            _ => Vec::new(),
        }
    };
    let (mut addresses, came) = (list(before), list(personal));
    for address in came {
        let kind = &address["addressTypeId"];
        match addresses
            .iter_mut()
            .find(|one| one["addressTypeId"] == *kind)
        {
            Some(one) => *one = address,
            None => addresses.push(address),
        }
    }
    if !addresses.is_empty() {
        personal.insert("addresses".to_owned(), Value::Array(addresses));
    }
    merged
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn merged(old: Value, new: Value) -> Value {
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => Value::Object(merge(&old, new)),
            _ => Value::Null,
        }
    }

    #[test]
    fn what_did_not_come_stays() {
        let old = json!({
            "id": "1", "barcode": "b", "departments": ["d"], "active": true,
            "personal": {"lastName": "A", "phone": "1", "preferredFirstName": "Al", "addresses": [
                {"addressTypeId": "h", "city": "X"}, {"addressTypeId": "w", "city": "Y"}]},
        });
        assert_eq!(
            merged(old.clone(), json!({"active": false})),
            json!({
                "id": "1", "barcode": "b", "departments": ["d"], "active": false,
                "personal": old["personal"],
            })
        );
        let new = json!({"personal": {"lastName": "B", "addresses": [
            {"addressTypeId": "w", "city": "Z"}, {"addressTypeId": "o"}]}});
        assert_eq!(
            merged(old, new)["personal"],
            json!({"lastName": "B", "preferredFirstName": "Al", "addresses": [
                {"addressTypeId": "h", "city": "X"}, {"addressTypeId": "w", "city": "Z"},
                {"addressTypeId": "o"}]})
        );
    }
}
