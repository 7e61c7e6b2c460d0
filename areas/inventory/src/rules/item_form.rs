//! Items in the form of `/inventory/items`: references are `{id, name}`, where the stored item has only
//! the id.

use serde_json::{Map, Value, json};

/// The references: their name in the form, and in the stored item.
pub const REFERENCES: [(&str, &str); 5] = [
    ("materialType", "materialTypeId"),
    ("permanentLoanType", "permanentLoanTypeId"),
    ("temporaryLoanType", "temporaryLoanTypeId"),
    ("permanentLocation", "permanentLocationId"),
    ("temporaryLocation", "temporaryLocationId"),
];

/// Read-only properties that clients send back.
const SHOWN_ONLY: [&str; 6] = [
    "title",
    "contributorNames",
    "callNumber",
    "isBoundWith",
    "boundWithTitles",
    "effectiveLocation",
];

/// The item to store for a form. References without an id are dropped.
pub fn to_stored(form: &mut Map<String, Value>) {
    for property in SHOWN_ONLY {
        form.shift_remove(property);
    }
    for (name, id_name) in REFERENCES {
        match form.shift_remove(name) {
            Some(Value::Object(mut reference)) => {
                let id = reference.shift_remove("id").unwrap_or(Value::Null);
                form.insert(id_name.to_owned(), id);
            }
            // In a patch, null removes the reference.
            Some(Value::Null) => {
                form.insert(id_name.to_owned(), Value::Null);
            }
            _ => {}
        }
    }
}

/// Sets author and date of new circulation notes, as FOLIO's user interface shows them. `author` is the
/// note's `source`; notes with a date are unchanged.
pub fn sign_circulation_notes(item: &mut Map<String, Value>, author: Option<&Value>, now: &str) {
    let notes = item
        .get_mut("circulationNotes")
        .and_then(Value::as_array_mut);
    for note in notes.into_iter().flatten().filter_map(Value::as_object_mut) {
        if is_new(note) {
            note.insert("date".to_owned(), json!(now));
            if let Some(author) = author {
                note.insert("source".to_owned(), author.clone());
            }
        }
    }
}

/// Whether an item has circulation notes to be signed.
#[must_use]
pub fn has_new_circulation_notes(item: &Map<String, Value>) -> bool {
    let notes = item.get("circulationNotes").and_then(Value::as_array);
    notes
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .any(is_new)
}

fn is_new(note: &Map<String, Value>) -> bool {
    note.get("id")
        .and_then(Value::as_str)
        .is_none_or(str::is_empty)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        value.as_object().expect("an object").clone()
    }

    #[test]
    fn references_become_ids_and_what_is_only_shown_goes() {
        let mut form = object(json!({
            "title": "Bridges", "isBoundWith": false, "barcode": "7",
            "materialType": {"id": "book", "name": "Book"},
            "temporaryLoanType": null,
            "permanentLocation": {"name": "no id"},
            "effectiveLocation": {"id": "a"},
        }));
        to_stored(&mut form);
        assert_eq!(
            Value::Object(form),
            json!({
                "barcode": "7", "materialTypeId": "book", "temporaryLoanTypeId": null,
                "permanentLocationId": null,
            })
        );
    }

    #[test]
    fn only_new_notes_are_signed() {
        let mut item = object(json!({"circulationNotes": [{"id": "1"}, {"note": "2"}]}));
        assert!(has_new_circulation_notes(&item));
        sign_circulation_notes(&mut item, Some(&json!({"id": "u"})), "now");
        assert_eq!(
            item["circulationNotes"],
            json!([{"id": "1"}, {"note": "2", "date": "now", "source": {"id": "u"}}])
        );
    }
}
