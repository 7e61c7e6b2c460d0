//! FOLIO's default values of omitted properties.

use serde_json::{Map, Value};

/// Sets the defaults of an instance.
pub fn of_instance(instance: &mut Map<String, Value>) {
    for property in ["previouslyHeld", "discoverySuppress", "deleted"] {
        otherwise_false(instance, property);
    }
    of_notes(instance, "notes");
}

/// Sets the defaults of a holdings record.
pub fn of_holdings(holdings: &mut Map<String, Value>) {
    of_notes(holdings, "notes");
}

/// Sets the defaults of an item.
pub fn of_item(item: &mut Map<String, Value>) {
    of_notes(item, "notes");
    of_notes(item, "circulationNotes");
}

fn of_notes(record: &mut Map<String, Value>, property: &str) {
    let notes = record.get_mut(property).and_then(Value::as_array_mut);
    for note in notes.into_iter().flatten().filter_map(Value::as_object_mut) {
        otherwise_false(note, "staffOnly");
    }
}

fn otherwise_false(object: &mut Map<String, Value>, property: &str) {
    object.entry(property).or_insert(Value::Bool(false));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_stays_and_the_rest_is_false() {
        let mut instance = json!({"deleted": true, "notes": [{"note": "a"}, {"staffOnly": true}]});
        of_instance(instance.as_object_mut().expect("an object"));
        assert_eq!(
            instance,
            json!({
                "deleted": true,
                "notes": [{"note": "a", "staffOnly": false}, {"staffOnly": true}],
                "previouslyHeld": false,
                "discoverySuppress": false,
            })
        );
        let mut item = json!({"circulationNotes": [{"note": "count the discs"}]});
        of_item(item.as_object_mut().expect("an object"));
        assert_eq!(item["circulationNotes"][0]["staffOnly"], false);
    }
}
