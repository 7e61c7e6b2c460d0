//! One difference between two versions of a record, in mod-audit's form: `ADDED`, `REMOVED` or `MODIFIED`, with the
//! values that there are.

use serde_json::{Map, Value, json};

/// A change of one value; none where both are absent.
#[must_use]
pub fn change(old: Option<Value>, new: Option<Value>) -> Option<Map<String, Value>> {
    let kind = match (&old, &new) {
        (None, None) => return None,
        (None, Some(_)) => "ADDED",
        (Some(_), None) => "REMOVED",
        (Some(_), Some(_)) => "MODIFIED",
    };
    let mut change = Map::new();
    change.insert("changeType".to_owned(), json!(kind));
    change.extend(old.map(|old| ("oldValue".to_owned(), old)));
    change.extend(new.map(|new| ("newValue".to_owned(), new)));
    Some(change)
}

/// A change of a property.
#[must_use]
pub fn field(name: &str, path: &str, old: Option<Value>, new: Option<Value>) -> Option<Value> {
    let mut change = change(old, new)?;
    change.insert("fieldName".to_owned(), json!(name));
    change.insert("fullPath".to_owned(), json!(path));
    Some(Value::Object(change))
}

/// Changes of a list: what it has no more, and what is new in it; none where it has the same.
#[must_use]
pub fn list(name: &str, removed: Vec<Value>, added: Vec<Value>) -> Option<Value> {
    let removed = removed
        .into_iter()
        .filter_map(|old| change(Some(old), None));
    let added = added.into_iter().filter_map(|new| change(None, Some(new)));
    let changes: Vec<Map<String, Value>> = removed.chain(added).collect();
    (!changes.is_empty()).then(|| json!({"collectionName": name, "itemChanges": changes}))
}

/// All differences; none where there is none.
#[must_use]
pub fn diff(fields: Vec<Value>, lists: Vec<Value>) -> Option<Value> {
    if fields.is_empty() && lists.is_empty() {
        return None;
    }
    Some(json!({"fieldChanges": fields, "collectionChanges": lists}))
}
